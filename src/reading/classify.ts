import { lookedAt } from "./around.ts";
import type { Page } from "./document.ts";
import type { GazetteerShards } from "./know/gazetteer.ts";
import { kindsOfAttachments, type KnownAttachment, type Patience } from "./mails/attachments.ts";
import { labelsOf, type Likely } from "./mails/label-of.ts";
import { languageOf } from "./mails/language-of.ts";
import { mailEntities, type MailEntities } from "./mails/mail-entities.ts";
import { ownWords } from "./mails/own-words.ts";
import { letterOf, openLetter, type Letter, type LetterParts } from "./open/letter.ts";
import { defaultLimits } from "./open/limits.ts";
import { textBlocks } from "./open/mail.ts";
import type { Desk } from "./open/reader.ts";
import { setBlocks } from "./open/table-setting.ts";
import type { Budget } from "./problem.ts";

/** What a mail is about, and what in it says so. */
export interface ClassifiedMail {
  /** All labels, the likeliest first; their confidences make 1. */
  labels: Likely[];
  /** ISO 639-1, where the mail has enough words to tell. */
  language?: string;
  entities: MailEntities;
  attachments: KnownAttachment[];
}

interface Tools {
  gazetteer: GazetteerShards;
  budget: Budget;
  /** With attachments; of somebody who waits when not said. */
  patience?: Patience;
}

/** More of a mail says nothing more of what it is about. */
const mostLines = 1000;
const mostLetters = 40_000;

/**
 * Tells what a mail is about: raw, or in its parts. The newest part of a thread decides; signatures and disclaimers do not
 * count. `today` is an ISO day.
 * @throws ReadingProblem `file_corrupted`, `engine_timeout`
 */
export async function classifyMail(
  mail: Uint8Array | LetterParts,
  today: string,
  tools: Tools,
): Promise<ClassifiedMail> {
  const desk: Desk = { limits: defaultLimits, budget: tools.budget };
  const letter = cut(mail instanceof Uint8Array ? await openLetter(mail, desk) : letterOf(mail, desk));
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const said = ownWords(letter.own);
  const attachments = await kindsOfAttachments(letter.enclosed, tools.gazetteer, { year, month, day }, tools.patience);
  const labels = labelsOf({ ...letter, own: said, attachments: attachments.map(({ kind }) => kind) });
  const around = await lookedAt(
    { format: "Text", mediaType: "text/plain", parts: partsOf(letter, said, desk), structured: [], warnings: [] },
    { ...tools, today: { year, month, day } },
  );
  const entities = mailEntities(around, { year, month, day }, ({ segment }) => segment.part === 0);
  const language = languageOf([letter.subject, ...said]) ?? around.languages[0];
  return { labels, ...(language && { language }), entities, attachments };
}

function cut(letter: Letter): Letter {
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

/** What the sender says, and apart from it what stands below. */
function partsOf(letter: Letter, said: readonly string[], desk: Desk) {
  const below = letter.own.filter((line) => line.trim() !== "" && !said.includes(line));
  const part = (lines: readonly string[]) => ({
    role: "Body" as const,
    name: "mail",
    format: "Text" as const,
    quoted: false,
    pages: setBlocks(textBlocks(lines.join("\n")), desk) satisfies Page[],
  });
  return [part([letter.subject, "", ...said]), part(below)];
}
