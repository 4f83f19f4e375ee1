import { fieldName, stepsOf, valueAt } from "../../extraction/memory/pointers.ts";
import type { Evidence } from "../../extraction/document/extraction-result.ts";
import type { FieldChange } from "../intake/model.ts";
import type { FeedbackView, FieldCount } from "./model.ts";

/** Whether an extracted value is right. */
export interface Verdict {
  pointer: string;
  right: boolean;
  /** Where the value came from; undefined if no value was extracted. */
  evidence?: Evidence;
}

/**
 * Rates the extracted values. Corrected values are wrong; all others are right, because a reviewer corrects all wrong
 * values. Computed values and values from a registry count only if they were corrected. If the rating is bad but
 * nothing is corrected, no value is rated.
 */
export function verdictsOf(
  evidence: readonly Evidence[],
  changes: readonly FieldChange[],
  rating: FeedbackView["rating"],
  data: unknown,
): Verdict[] {
  const changed = changes.map(({ pointer }) => pointer);
  const wrong = changes
    .filter(({ before, value }) => !isSame(before, value))
    .flatMap(({ pointer }): Verdict[] => {
      const covered = evidence.filter(
        (each) => each.pointer === pointer || (isExtracted(each) && each.pointer.startsWith(`${pointer}/`)),
      );
      return covered.length > 0
        ? covered.map((each) => ({ pointer: each.pointer, right: false, evidence: each }))
        : [{ pointer, right: false }];
    });
  if (rating === "Bad" && changes.length === 0) return [];
  const right = evidence
    .filter((each) => isExtracted(each) && !isUnder(each.pointer, changed))
    .filter(({ pointer }) => valueAt(data, stepsOf(pointer)) !== undefined)
    .map((each): Verdict => ({ pointer: each.pointer, right: true, evidence: each }));
  return [...wrong.filter((each) => each.evidence?.source !== "Human"), ...right];
}

const isExtracted = ({ source }: Evidence) => source === "Document" || source === "Learned";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const isUnder = (pointer: string, changed: readonly string[]) =>
  changed.some((each) => pointer === each || pointer.startsWith(`${each}/`));

export function countByField(verdicts: readonly Verdict[]): FieldCount[] {
  const counts = new Map<string, FieldCount>();
  for (const { pointer, right } of verdicts) {
    const field = fieldName(pointer);
    const count = counts.get(field) ?? { field, right: 0, wrong: 0 };
    counts.set(field, { ...count, [right ? "right" : "wrong"]: count[right ? "right" : "wrong"] + 1 });
  }
  return [...counts.values()].sort((a, b) => (a.field < b.field ? -1 : 1));
}
