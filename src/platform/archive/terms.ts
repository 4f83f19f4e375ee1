import { foldText } from "../../extraction/lexicon/fold.ts";

/** Normalizes a number or a plate for search: ignores case, whitespace and punctuation. */
export const normalizeNumber = (text: string) =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Extracts the distinct words of a text, in lower case without diacritics. */
export const wordsIn = (text: string): string[] => [...new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])];

export const wordTerm = (word: string) => `word:${word}`;

/** Marks the end of a number, so that a pattern can match the last characters. */
const end = "$";

/** A normalized pattern with `*`. */
export interface NumberPattern {
  /** The pattern for `glob` of SQLite. */
  glob: string;
  /** The text before the first `*`; the whole number if there is none. */
  beginning: string;
  /** Terms that every matching number must have. */
  parts: string[];
}

export function numberPattern(pattern: string): NumberPattern {
  const pieces = pattern.split("*").map(normalizeNumber);
  const later = [...pieces.slice(1, -1), pieces.at(-1)! + end];
  return {
    glob: pieces.join("*").replace(/\*+/g, "*"),
    beginning: pieces[0]!,
    parts: later.flatMap(triples),
  };
}

/** Returns the terms by which a pattern with `*` finds a normalized number. */
export const numberTerms = (number: string): string[] => [...new Set(triples(number + end))];

/** "1234" becomes `part:123` and `part:234`; a text of fewer than three characters has no terms. */
function triples(text: string): string[] {
  const letters = [...text];
  return letters.slice(2).map((_, index) => `part:${letters.slice(index, index + 3).join("")}`);
}
