import type { Format, OpenedDocument, Part } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";

/** Maximum number of characters of text in formats without a page limit. Extraction takes up to 30 µs per character. */
const mostLetters = 100_000;
const paged: ReadonlySet<Format> = new Set(["Pdf", "Image"]);
/** Formats whose fields are mapped from data. Only the beginning of their text is searched for labels and entities. */
const data: ReadonlySet<Format> = new Set(["Xml", "Edi", "Json"]);

/**
 * Limits the text so that extraction takes seconds. Drops the quoted mails of a long mail.
 * @throws ExtractionProblem `too_many_pages` if the text is too long without quoted mails
 */
export function limitText(document: OpenedDocument): void {
  const texts = document.parts.filter(({ format }) => !paged.has(format) && !data.has(format));
  const own = lettersOf(texts.filter(({ quoted }) => !quoted));
  if (own > mostLetters)
    throw new ExtractionProblem(
      "too_many_pages",
      `The text has more than ${mostLetters} letters: send it in parts, or as a PDF.`,
    );
  if (own + lettersOf(texts.filter(({ quoted }) => quoted)) <= mostLetters) return;
  document.parts = document.parts.filter(({ quoted }) => !quoted);
  document.warnings.push("Quoted mails were not read: the mail is too long.");
}

const lettersOf = (parts: readonly Part[]): number =>
  parts
    .flatMap(({ pages }) => pages)
    .flatMap(({ tokens }) => tokens)
    .reduce((sum, { text }) => sum + text.length + 1, 0);

/** Maximum number of characters of structured data that are searched for labels and entities. */
const mostLettersOfData = 40_000;

/**
 * Returns a function that tells whether a segment is searched for labels and entities. It counts characters, so it must
 * be called once for each segment, in reading order.
 */
export function isSearchedSegment(parts: readonly Part[]): (segment: { part: number; text: string }) => boolean {
  let left = mostLettersOfData;
  return ({ part, text }) => !data.has(parts[part]!.format) || (left -= text.length) >= 0;
}
