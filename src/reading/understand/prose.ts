import type { Layout, Segment } from "./layout.ts";

const fewestLetters = 75;
const fewestWords = 11;
/** Sentences have small words in a row; lists of names, figures and labels have few. */
const smallWord = /^\p{Ll}[\p{Ll}\p{M}'’-]*[,.;:]?$/u;

/** The segments that are running text: conditions, letters, instructions. Amounts and days in them are mostly threats. */
export function proseOf(layout: Layout): Set<Segment> {
  return new Set(layout.segments.filter(isProse));
}

function isProse({ text, lines }: Segment): boolean {
  if (text.length < fewestLetters && lines < 2) return false;
  const words = text.split(" ");
  if (words.length < fewestWords) return false;
  const small = words.filter((word) => smallWord.test(word)).length;
  return small / words.length > 0.5;
}
