import type { Format, OpenedDocument, Part } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";

/** Maximum letters of text outside pages of their own; extraction takes up to 30 µs a letter. */
const mostLetters = 100_000;
/** Formats bounded by their number of pages. */
const paged: ReadonlySet<Format> = new Set(["Pdf", "Image"]);
/** Formats whose fields are mapped from data; only the beginning of their text is searched for labels and entities. */
const data: ReadonlySet<Format> = new Set(["Xml", "Edi", "Json"]);

/**
 * Bounds the text to keep extraction within seconds: longer text is refused, and quoted mails in a long mail are
 * dropped.
 * @throws ExtractionProblem `too_many_pages`
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

/** Letters of structured data that are searched for labels and entities. */
const mostLettersOfData = 40_000;

/** Returns a test, to be called in reading order, of whether a segment is searched for labels and entities. */
export function isSearchedSegment(parts: readonly Part[]): (segment: { part: number; text: string }) => boolean {
  let left = mostLettersOfData;
  return ({ part, text }) => !data.has(parts[part]!.format) || (left -= text.length) >= 0;
}
