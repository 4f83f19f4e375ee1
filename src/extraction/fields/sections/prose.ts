import type { Segment } from "../../layout/layout.ts";
import type { Annotations } from "../labels/annotations.ts";

const minLetters = 75;
const minWords = 11;
/** In characters. A longer sentence after a label is prose, not the value of the label. */
const longestValue = 260;
const longestLabel = 45;
/** Matches a lower-case word. Prose consists mostly of such words; lists of names, numbers and labels have few. */
const smallWord = /^\p{Ll}[\p{Ll}\p{M}'’-]*[,.;:]?$/u;

/**
 * Finds the segments of continuous text, such as conditions. Their amounts and dates are mostly penalties and
 * deadlines.
 */
export function proseOf({ layout, labelsIn }: Annotations): Set<Segment> {
  const prose = new Set<Segment>();
  for (const row of layout.pages.flatMap((page) => page.rows)) {
    for (const [at, segment] of row.entries()) {
      const left = row[at - 1];
      const colon = segment.text.indexOf(":");
      const own =
        colon > 0 &&
        colon < longestLabel &&
        (labelsIn[segment.index] ?? []).some((label) => label.standing === "Head" && label.end <= colon + 1);
      const labelled =
        own || (left !== undefined && (labelsIn[left.index] ?? []).some((label) => label.standing === "Head"));
      if (isProse(segment) && !(labelled && segment.text.length < longestValue)) prose.add(segment);
    }
  }
  return prose;
}

function isProse({ text, lines }: Segment): boolean {
  if (text.length < minLetters && lines < 2) return false;
  const words = text.split(" ");
  if (words.length < minWords) return false;
  const small = words.filter((word) => smallWord.test(word)).length;
  return small / words.length > 0.5;
}
