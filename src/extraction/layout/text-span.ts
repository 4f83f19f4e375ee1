import type { ScoredSpan } from "../entities/entity.ts";
import type { Segment } from "./layout.ts";

/** A span of a segment's text. */
export interface TextSpan {
  segment: Segment;
  start: number;
  end: number;
  text: string;
}

export type TextRange = Omit<TextSpan, "text">;

/** Returns the span without spaces and punctuation at its edges. A full stop or closing bracket at the end is kept. */
export function trimmedSpan(segment: Segment, start: number, end: number): TextSpan {
  const text = segment.text.slice(start, end);
  const from = start + (/^[\s:;,.–—\-/|·•(]*/u.exec(text)?.[0].length ?? 0);
  const to = Math.max(from, end - (/[\s:;,–—\-/|·•(]*$/u.exec(text)?.[0].length ?? 0));
  return { segment, start: from, end: to, text: segment.text.slice(from, to) };
}

/** Splits a range at each match of a separator. The spans are trimmed, and may be empty. */
export function splitSpan({ segment, start, end }: TextRange, separator: RegExp): TextSpan[] {
  const cuts = [...segment.text.slice(start, end).matchAll(separator)];
  const starts = [start, ...cuts.map((cut) => start + cut.index + cut[0].length)];
  return starts.map((from, index) => trimmedSpan(segment, from, start + (cuts[index]?.index ?? end - start)));
}

/**
 * Returns the text from the first span to the last, which are in the same segment. Leaves out a preposition at its end,
 * because it belongs to the town that follows.
 */
export function joinedSpan(spans: readonly TextSpan[]): TextSpan | undefined {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return undefined;
  const text = first.segment.text.slice(first.start, last.end).replace(/\s(?:in|à|a|w|we|v|ve|te|em|en|i|la|în)$/u, "");
  return { ...first, end: first.start + text.length, text };
}

/** Returns the share of the span that the entity covers, 0..1. */
export function coverage(entity: Pick<ScoredSpan, "start" | "end">, span: TextSpan): number {
  return (Math.min(entity.end, span.end) - Math.max(entity.start, span.start)) / Math.max(1, span.end - span.start);
}
