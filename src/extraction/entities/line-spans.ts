import { foldText, type Folded } from "../lexicon/fold.ts";
import type { EntityType, ScoredSpan } from "./entity.ts";

/**
 * One folded line, as recognisers receive it. They search `plain` and `text`, but the spans that they return refer to
 * the printed text.
 */
export type Line = Folded;

/** A span of the folded line with its value; `start` and `end` are offsets into the folded text. */
export interface ValueSpan<Value> extends ScoredSpan {
  value: Value;
}

/** Maps a span of the folded text to the printed text. */
export function printedSpan(line: Line, start: number, end: number, score: number): ScoredSpan {
  return { start: line.at(start), end: line.at(end), score };
}

/** Whether the character at an offset is a letter or digit. */
export function isWordAt(text: string, index: number): boolean {
  const letter = text[index];
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}

/** Of overlapping spans of one type, keeps the one with the highest score; of equal scores, the longest. */
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

/** Folds the words, and returns the source of a regular expression that matches any of them, longest first. */
export function anyOf(words: readonly string[]): string {
  const folded = [...new Set(words.map(foldText))];
  return folded
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|");
}

/** Returns a printed code in capitals, without spaces and punctuation. */
export function lettersAndDigits(printed: string): string {
  return printed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
