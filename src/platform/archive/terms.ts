import { foldText } from "../../extraction/lexicon/fold.ts";

/** Numbers and plates are found whatever their case, blanks and dashes. */
export const normalizeNumber = (text: string) =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The words of a text as they are compared: small letters without marks, each once. */
export const wordsIn = (text: string): string[] => [...new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])];

export const wordTerm = (word: string) => `word:${word}`;

/** Ends a number, so that its last letters can be told from others. */
const end = "$";

/** A pattern with `*` as it is compared. */
export interface NumberPattern {
  /** For SQLite's GLOB, in tight form. */
  glob: string;
  /** What stands before the first `*`; the whole number when there is none. */
  beginning: string;
  /** Terms every number that fits has. */
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

/** The terms a tight number is found under by patterns that do not begin as it does. */
export const numberTerms = (number: string): string[] => [...new Set(triples(number + end))];

/** Any three letters in a row; a shorter text has none. */
function triples(text: string): string[] {
  const letters = [...text];
  return letters.slice(2).map((_, index) => `part:${letters.slice(index, index + 3).join("")}`);
}
