import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dayFromIso } from "../../src/extraction/entities/calendar.ts";
import { defaultLimits } from "../../src/extraction/formats/limits.ts";
import { openMailContent } from "../../src/extraction/formats/mail-content.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import { classifyAttachments } from "../../src/extraction/mail/attachments.ts";
import { mailFeatures } from "../../src/extraction/mail/label-model.ts";
import type { MailLabel } from "../../src/extraction/mail/labels.ts";
import { ownText } from "../../src/extraction/mail/own-text.ts";
import { Budget } from "../../src/extraction/problem.ts";
import type { Example } from "./model.ts";

/** A mail of the corpus with its author. */
export interface CorpusMail extends Example {
  author: string;
}

interface Case {
  file: string;
  kind: string;
  language: string;
  received: string;
  truth: { label: MailLabel };
}

const authorsFile = join(import.meta.dirname, "../../corpus/authors.json");
const milliseconds = 30_000;

/** Reads the rendered mails of the authors of a part of the corpus. */
export async function corpusMails(
  rendered: string,
  part: "learn" | "develop",
  gazetteer: GazetteerShards,
): Promise<CorpusMail[]> {
  const parts = JSON.parse(readFileSync(authorsFile, "utf8")) as Record<string, { part: string }>;
  const mails: CorpusMail[] = [];
  for (const author of readdirSync(rendered).toSorted()) {
    const file = join(rendered, author, "cases.json");
    if (parts[author]?.part !== part || !existsSync(file)) continue;
    const cases = (JSON.parse(readFileSync(file, "utf8")) as Case[]).filter(({ kind }) => kind === "email");
    for (const one of cases) mails.push(await readMail(author, one, rendered, gazetteer));
  }
  return mails;
}

async function readMail(
  author: string,
  { file, language, received, truth }: Case,
  rendered: string,
  gazetteer: GazetteerShards,
): Promise<CorpusMail> {
  const context = { limits: defaultLimits, budget: new Budget(milliseconds) };
  const content = await openMailContent(readFileSync(join(rendered, author, file)), context);
  const files = await classifyAttachments(content.attachments, gazetteer, dayFromIso(content.day ?? received));
  const mail = { ...content, own: ownText(content.own), attachments: files.map(({ kind }) => kind) };
  return { author, language, label: truth.label, features: mailFeatures(mail) };
}
