import type { Format, OpenedDocument, Part } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";

/** Letters of all text that is not on pages of its own; reading takes up to 30 µs a letter. */
const mostLetters = 100_000;
/** Formats whose length is bounded by their pages. */
const paged: ReadonlySet<Format> = new Set(["Pdf", "Image"]);
/** Their fields are mapped from the data itself; only the beginning of what is laid out is searched for labels and entities. */
const data: ReadonlySet<Format> = new Set(["Xml", "Edi", "Json"]);

/**
 * Bounds the text that is read, so that reading takes seconds at most: a longer text is refused, and older mails that a
 * long mail quotes are left out.
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

/** Letters of data that are searched for labels and entities. */
const mostLettersOfData = 40_000;

/** Says of segments in reading order whether they are searched for labels and entities. */
export function isSearchedSegment(parts: readonly Part[]): (segment: { part: number; text: string }) => boolean {
  let left = mostLettersOfData;
  return ({ part, text }) => !data.has(parts[part]!.format) || (left -= text.length) >= 0;
}
