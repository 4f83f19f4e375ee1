import type { Email } from "postal-mime";
import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument, Page } from "./document/document.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { classifyAttachments, type KnownAttachment, type Patience } from "./mail/attachments.ts";
import { labelsOf, type Likely } from "./mail/label-of.ts";
import { languageOf } from "./mail/language-of.ts";
import { mailEntities, type MailEntities } from "./mail/mail-entities.ts";
import { ownText } from "./mail/own-text.ts";
import { mailContentOf, openMailContent, type MailContent, type MailParts } from "./formats/mail-content.ts";
import { defaultLimits } from "./formats/limits.ts";
import { textBlocks } from "./formats/mail.ts";
import type { ReaderContext } from "./formats/reader.ts";
import { layOutBlocks } from "./formats/table-layout.ts";
import { ReadingProblem, type Budget } from "./problem.ts";
import { dayFromIso, type Day } from "./entities/calendar.ts";

/** The labels of a mail, and the entities and attachments they are based on. */
export interface ClassifiedMail {
  /** All labels, the likeliest first; their confidences add up to 1. */
  labels: Likely[];
  /** ISO 639-1, where the mail has enough words to determine it. */
  language?: string;
  entities: MailEntities;
  attachments: KnownAttachment[];
}

interface Tools {
  gazetteer: GazetteerShards;
  budget: Budget;
  /** Time limits for attachments; short ones by default, for callers that wait. */
  patience?: Patience;
}

/** Lines and characters of a mail that are considered. */
const mostLines = 1000;
const mostLetters = 40_000;

/**
 * Classifies a mail: raw, parsed, or in its parts. The newest part of a thread decides; signatures and disclaimers do not
 * count. `today` is an ISO date, the base of relative dates in a mail without a date of its own. A mail that takes too
 * long is classified by its plain text, without entities.
 * @throws ReadingProblem `file_corrupted`
 */
export async function classifyMail(
  mail: Uint8Array | Email | MailParts,
  today: string,
  tools: Tools,
): Promise<ClassifiedMail> {
  const context: ReaderContext = { limits: defaultLimits, budget: tools.budget };
  const letter = cut(await letterIn(mail, context));
  const written = dayFromIso(letter.day ?? today);
  const said = ownText(letter.own);
  const attachments = await classifyAttachments(letter.attachments, tools.gazetteer, written, tools.patience);
  const labels = labelsOf({ ...letter, own: said, attachments: attachments.map(({ kind }) => kind) });
  const own = languageOf([letter.subject, ...said]);
  const spoken = await inTime(() => spokenOf(letter, said, context, { ...tools, today: written, language: own }));
  const language = own ?? spoken?.language;
  return { labels, ...(language && { language }), entities: spoken?.entities ?? noEntities, attachments };
}

const noEntities: MailEntities = {
  orderNumbers: [],
  licensePlates: [],
  vatCodes: [],
  amounts: [],
  dates: [],
  places: [],
};

/** Undefined when the time budget is spent. */
async function inTime<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ReadingProblem && error.reason === "engine_timeout") return undefined;
    throw error;
  }
}

const letterIn = async (mail: Uint8Array | Email | MailParts, context: ReaderContext): Promise<MailContent> =>
  (await inTime(async () => (isParts(mail) ? mailContentOf(mail, context) : openMailContent(mail, context)))) ??
  (isParts(mail) ? mailContentOf({ ...mail, html: "" }, context) : openMailContent(mail, context, "PlainText"));

const isParts = (mail: Uint8Array | Email | MailParts): mail is MailParts => "files" in mail;

async function spokenOf(
  letter: MailContent,
  said: readonly string[],
  context: ReaderContext,
  tools: Tools & { today: Day; language: string | undefined },
): Promise<{ entities: MailEntities; language?: string | undefined }> {
  const document: OpenedDocument = {
    format: "Text",
    mediaType: "text/plain",
    parts: partsOf(letter, said, context),
    structured: [],
    warnings: [],
  };
  const annotated = await annotateDocument(document, tools);
  const entities = mailEntities(annotated, {
    today: tools.today,
    language: tools.language,
    hasSubject: letter.subject.trim() !== "",
    said: ({ segment }) => segment.part === 0,
  });
  return { entities, language: annotated.languages[0] };
}

function cut(letter: MailContent): MailContent {
  return { ...letter, own: beginning(letter.own), quoted: beginning(letter.quoted) };
}

function beginning(lines: readonly string[]): string[] {
  let left = mostLetters;
  return lines.slice(0, mostLines).flatMap((line) => {
    const kept = line.slice(0, Math.max(0, left));
    left -= line.length;
    return kept === "" && line !== "" ? [] : [kept];
  });
}

/** The sender's own text as one part, signature and disclaimer as another. */
function partsOf(letter: MailContent, said: readonly string[], context: ReaderContext) {
  const below = letter.own.filter((line) => line.trim() !== "" && !said.includes(line));
  const part = (lines: readonly string[]) => ({
    role: "Body" as const,
    name: "mail",
    format: "Text" as const,
    quoted: false,
    pages: layOutBlocks(textBlocks(lines.join("\n")), context) satisfies Page[],
  });
  return [part([letter.subject, "", ...said]), part(below)];
}
