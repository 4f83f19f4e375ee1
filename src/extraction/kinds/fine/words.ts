import { fold } from "../../lexicon/fold.ts";
import fineWords from "../../lexicon/fine-words.json" with { type: "json" };
import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineAbove, lineBelow } from "../../layout/page-index.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

/** A meaning that words give to an amount, date or speed beside them. */
export type Cue = keyof typeof fineWords;

/** Words of at least this length are also found inside other words, because many languages form compounds. */
const minStemInCompound = 9;

const finders = new Map(
  (Object.keys(fineWords) as Cue[]).map((cue) => {
    const words = fineWords[cue].map((word) => fold(word).text.replace(/[.*+?^$()[\]{}|\\]/gu, "\\$&"));
    const ahead = `(?<!\\p{L})(?:${words.join("|")})`;
    const within = words.filter(({ length }) => length >= minStemInCompound);
    return [cue, new RegExp([ahead, ...within].join("|"), "gu")] as const;
  }),
);

/** Whether the text contains a word of the cue, in any language and inflection. */
export const mentions = (cue: Cue, text: string): boolean => fold(text).text.search(finders.get(cue)!) >= 0;

/** Returns the start of the first and the end of the last word of the cue. Undefined if the cue does not occur. */
export function rangeOf(cue: Cue, text: string): { first: number; last: number } | undefined {
  const matches = [...fold(text).text.matchAll(finders.get(cue)!)];
  const [one, other] = [matches[0], matches.at(-1)];
  return one && other && { first: one.index, last: other.index + other[0].length };
}

const ends = /(?<=(?:[\p{Ll}\d)%€]|\p{Lu}{3})\s?[.!?])\s+(?=\p{Lu})|;\s/gu;

export interface Clause {
  segment: Segment;
  start: number;
  end: number;
  /**
   * The clause, with captions to its left in the row, the line above if the clause continues it, and the line below if
   * that line continues the clause.
   */
  text: string;
  /** The segments of this text. The segment of the clause is the first. */
  segments: readonly Segment[];
}

export function clauseAt({ annotations, prose }: DocumentContext, segment: Segment, at: number): Clause {
  const { start, end } = boundsOf(segment.text, at);
  const own = segment.text.slice(start, end);
  const left = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .filter((other) => other.box.x1 <= segment.box.x0 && other.text.length < maxCaptionLength && !prose.has(other));
  const listed = /^[^:]{3,40}:/u.test(segment.text);
  const above = start === 0 && left.length === 0 && !listed ? lineAbove(annotations, segment) : undefined;
  const before = above && lastClause(above.text);
  const below = end === segment.text.length && !/[.!?]$/u.test(own) ? lineBelow(annotations, segment) : undefined;
  const after =
    below && /^\p{Ll}(?![^:]{2,40}:)/u.test(below.text) ? below.text.slice(0, boundsOf(below.text, 0).end) : undefined;
  const goesOn = before !== undefined && /^[\p{Ll}\d]/u.test(own);
  const segments = [
    segment,
    ...left,
    ...(goesOn && above ? [above] : []),
    ...(after !== undefined && below ? [below] : []),
  ];
  const text = [...left.map((each) => each.text), goesOn ? before : "", own, after ?? ""].filter(Boolean).join(" ");
  return { segment, start, end, text, segments };
}

const maxCaptionLength = 70;

function boundsOf(text: string, at: number): { start: number; end: number } {
  const breaks = [...text.matchAll(ends)];
  const start = breaks.findLast((match) => match.index + match[0].length <= at);
  const end = breaks.find((match) => match.index >= at);
  return { start: start ? start.index + start[0].length : 0, end: end?.index ?? text.length };
}

/** Undefined if the line ends with punctuation, because its last clause is then complete. */
function lastClause(text: string): string | undefined {
  return /[.!?:;]$/u.test(text) ? undefined : text.slice(boundsOf(text, text.length - 1).start);
}
