import { fold } from "../lexicon/fold.ts";
import words from "./page-words.json" with { type: "json" };

/** The printed page number. */
export interface Numbering {
  page: number;
  /** Printed number of pages. */
  of?: number;
}

const maxPages = 500;
const folded = (list: string[]) => list.map((word) => escaped(fold(word).text)).join("|");
const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Matches "Page 1 of 3" or "str. 1/3". */
const named = new RegExp(
  `(?:^|[^\\p{L}])(?:${folded(words.page)})[.:\\s]*(?:nr\\.?\\s*)?(\\d{1,3})\\s*(?:${folded(words.of)})\\s*(\\d{1,3})(?![\\d.,]\\d|\\p{L})`,
  "u",
);
/** Matches "Page 2", alone on its line. In a longer line, it may be part of an address or a list. */
const namedAlone = new RegExp(`^\\W*(?:${folded(words.page)})[.:\\s]*(\\d{1,3})\\W*$`, "u");
/**
 * Matches "1 / 3". It counts only in the first or last row; in others, it may be a table cell, an expiry date or a
 * quantity.
 */
const alone = /^\s?-?\s?(\d{1,3})\s?(?:\/|of|von|z|de|di|van)\s?(\d{1,3})\s?-?\s?$/u;

/** Lines from top to bottom. */
type Lines = readonly { text: string; row: number }[];

/** Finds the printed page number, preferably one with the number of pages. */
export function numberingOf(lines: Lines): Numbering | undefined {
  const edges = [lines.at(0)?.row, lines.at(-1)?.row];
  let page: Numbering | undefined;
  for (const line of lines) {
    const text = fold(line.text).text;
    const atEdge = edges.includes(line.row) ? alone.exec(text) : undefined;
    const match = atEdge ?? named.exec(text) ?? namedAlone.exec(text);
    const [number, of] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    if (number < 1 || number > maxPages) continue;
    if (of >= number && of <= maxPages) return { page: number, of };
    page ??= of === 0 ? { page: number } : undefined;
  }
  return page;
}

/** Returns the page numbers that no page has. Returns none if these may be the pages without a printed number. */
export function missingPages(numberings: readonly (Numbering | undefined)[]): number[] {
  const of = Math.max(0, ...numberings.map((each) => each?.of ?? 0));
  const there = new Set(numberings.map((each) => each?.page));
  const unsaid = numberings.filter((each) => each === undefined).length;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((page) => !there.has(page));
  return missing.length > unsaid ? missing : [];
}
