import type { Email } from "postal-mime";
import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument, Page } from "./document/document.ts";
import { rankedLanguages } from "./lexicon/languages.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { classifyAttachments, type ClassifiedAttachment, type TimeLimits } from "./mail/attachments.ts";
import { labelsOf, type RankedLabel } from "./mail/label-model.ts";
import { mailEntities, type MailEntities } from "./mail/mail-entities.ts";
import { ownText } from "./mail/own-text.ts";
import { mailContentOf, openMailContent, type MailContent, type MailParts } from "./formats/mail-content.ts";
import { defaultLimits } from "./formats/limits.ts";
import { textBlocks } from "./formats/mail.ts";
import type { ReaderContext } from "./formats/reader.ts";
import { layOutBlocks } from "./formats/table-layout.ts";
import { ExtractionProblem, type Budget } from "./problem.ts";
import { dayFromIso, type Day } from "./entities/calendar.ts";

/** The labels, entities and attachments of a mail. */
export interface ClassifiedMail {
  /** All labels, the likeliest first. Their confidences add up to 1. */
  labels: RankedLabel[];
  /** ISO 639-1 code. Absent if the mail has too few words. */
  language?: string;
  entities: MailEntities;
  attachments: ClassifiedAttachment[];
}

interface Tools {
  gazetteer: GazetteerShards;
  budget: Budget;
  /** Time limits for attachments. The default is short, for callers that wait. */
  timeLimits?: TimeLimits;
}

const maxLines = 1000;
const maxLetters = 40_000;

/**
 * Classifies a mail, given as raw bytes, parsed, or in parts. Of a thread, only the newest mail is evaluated, without
 * its signature and disclaimer; if it has hardly any words, also the quoted mails. If the analysis takes too long, the
 * plain text is used instead of the HTML, or no entities are returned.
 * @param today an ISO date. In a mail without a date, relative dates such as "tomorrow" are computed from it.
 * @throws ExtractionProblem `file_corrupted`
 */
export async function classifyMail(
  mail: Uint8Array | Email | MailParts,
  today: string,
  tools: Tools,
): Promise<ClassifiedMail> {
  const context: ReaderContext = { limits: defaultLimits, budget: tools.budget };
  const content = truncate(await contentOf(mail, context));
  const mailDay = dayFromIso(content.day ?? today);
  const ownLines = ownText(content.own);
  const attachments = await classifyAttachments(content.attachments, tools.gazetteer, mailDay, tools.timeLimits);
  const labels = labelsOf({ ...content, own: ownLines, attachments: attachments.map(({ kind }) => kind) });
  const own = languageOf([content.subject, ...ownLines]);
  const analysis = await inTime(() => analyse(content, ownLines, context, { ...tools, today: mailDay, language: own }));
  const language = own ?? analysis?.language;
  return { labels, ...(language && { language }), entities: analysis?.entities ?? noEntities, attachments };
}

const noEntities: MailEntities = {
  orderNumbers: [],
  licensePlates: [],
  vatCodes: [],
  amounts: [],
  dates: [],
  places: [],
};

async function inTime<Result>(find: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ExtractionProblem && error.reason === "engine_timeout") return undefined;
    throw error;
  }
}

const contentOf = async (mail: Uint8Array | Email | MailParts, context: ReaderContext): Promise<MailContent> =>
  (await inTime(async () => (isParts(mail) ? mailContentOf(mail, context) : openMailContent(mail, context)))) ??
  (isParts(mail) ? mailContentOf({ ...mail, html: "" }, context) : openMailContent(mail, context, "PlainText"));

const isParts = (mail: Uint8Array | Email | MailParts): mail is MailParts => "files" in mail;

async function analyse(
  content: MailContent,
  ownLines: readonly string[],
  context: ReaderContext,
  tools: Tools & { today: Day; language: string | undefined },
): Promise<{ entities: MailEntities; language?: string | undefined }> {
  const document: OpenedDocument = {
    format: "Text",
    mediaType: "text/plain",
    parts: partsOf(content, ownLines, context),
    structured: [],
    warnings: [],
  };
  const annotated = await annotateDocument(document, tools);
  const entities = mailEntities(annotated, {
    today: tools.today,
    language: tools.language,
    hasSubject: content.subject.trim() !== "",
    isOwnText: ({ segment }) => segment.part === 0,
  });
  return { entities, language: annotated.languages[0] };
}

function truncate(content: MailContent): MailContent {
  return { ...content, own: truncateLines(content.own), quoted: truncateLines(content.quoted) };
}

function truncateLines(lines: readonly string[]): string[] {
  let left = maxLetters;
  return lines.slice(0, maxLines).flatMap((line) => {
    const kept = line.slice(0, Math.max(0, left));
    left -= line.length;
    return kept === "" && line !== "" ? [] : [kept];
  });
}

/** Divides a mail into two parts: the sender's own text with the subject, and the signature with the disclaimer. */
function partsOf(content: MailContent, ownLines: readonly string[], context: ReaderContext) {
  const below = content.own.filter((line) => line.trim() !== "" && !ownLines.includes(line));
  const part = (lines: readonly string[]) => ({
    role: "Body" as const,
    name: "mail",
    format: "Text" as const,
    quoted: false,
    pages: layOutBlocks(textBlocks(lines.join("\n")), context) satisfies Page[],
  });
  return [part([content.subject, "", ...ownLines]), part(below)];
}

const languagesOf = new Map<string, string[]>();
for (const { language, smallWords } of rankedLanguages)
  for (const word of new Set(smallWords.split(" ")))
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

/**
 * A function word of one language is a whole vote for it. The vote of a word of several languages is divided among
 * them.
 */
const minVotes = 1;
const languageSample = 4000;

function languageOf(lines: readonly string[]): string | undefined {
  const votes = new Map<string, number>();
  for (const word of lines
    .join("\n")
    .slice(0, languageSample)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    const languages = languagesOf.get(word) ?? [];
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1 / languages.length);
  }
  const [first] = [...votes].toSorted((a, b) => b[1] - a[1]);
  return first && first[1] >= minVotes ? first[0] : undefined;
}
