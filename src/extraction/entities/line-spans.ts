import { foldText, type Folded } from "../lexicon/fold.ts";
import type { EntityType, ScoredSpan } from "./entity.ts";

/** One line as the recognisers get it: offsets are into `plain` and `text`, spans are given in offsets of what was printed. */
export type Line = Folded;

/** A stretch of the folded line and what it is read as; `start` and `end` are offsets into the folded text. */
export interface ValueSpan<Value> extends ScoredSpan {
  value: Value;
}

/** A span of the printed text for a stretch of the folded one. */
export function printedSpan(line: Line, start: number, end: number, score: number): ScoredSpan {
  return { start: line.at(start), end: line.at(end), score };
}

/** Whether a letter or a digit stands at an offset. */
export function isWordAt(text: string, index: number): boolean {
  const letter = text[index];
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}

/** Of spans of one type that overlap, the surest stays, then the longest. */
export function withoutOverlaps<T extends ScoredSpan & { type: EntityType }>(found: T[]): T[] {
  const ranked = found.toSorted(
    (one, other) =>
      other.score - one.score || other.end - other.start - (one.end - one.start) || one.start - other.start,
  );
  const kept: T[] = [];
  for (const span of ranked) {
    if (!kept.some((other) => other.type === span.type && overlaps(span, other))) kept.push(span);
  }
  return kept.toSorted(byPosition);
}

export function overlaps(one: ScoredSpan, other: ScoredSpan): boolean {
  return one.start < other.end && other.start < one.end;
}

export function byPosition(one: ScoredSpan, other: ScoredSpan): number {
  return one.start - other.start || other.end - one.end;
}

/** A pattern for any of the words, folded; the longest first, as the first that fits is taken. */
export function anyOf(words: readonly string[]): string {
  const folded = [...new Set(words.map(foldText))];
  return folded
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|");
}
