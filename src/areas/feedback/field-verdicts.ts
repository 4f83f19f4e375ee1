import { fieldName, stepsOf, valueAt } from "../../extraction/memory/pointers.ts";
import type { Evidence } from "../../extraction/document/extraction-result.ts";
import type { FieldChange } from "../intake/index.ts";
import type { FeedbackView, Judged } from "./shapes.ts";

/** A value that was read, and whether it was right. */
export interface Verdict {
  pointer: string;
  right: boolean;
  /** Undefined where nothing had been read. */
  evidence?: Evidence;
}

/**
 * What a feedback says of each value that was read: what it puts right was wrong, and everything else was right, for
 * whoever looks puts right what he sees. Values that were computed or looked up count only when they are corrected
 * themselves. A bad rating without corrections says nothing of any value.
 */
export function verdictsOf(
  evidence: readonly Evidence[],
  changes: readonly FieldChange[],
  rating: FeedbackView["rating"],
  data: unknown,
): Verdict[] {
  const changed = changes.map(({ pointer }) => pointer);
  const wrong = changes
    .filter(({ before, value }) => !same(before, value))
    .flatMap(({ pointer }): Verdict[] => {
      const under = evidence.filter(
        (each) => each.pointer === pointer || (wasRead(each) && each.pointer.startsWith(`${pointer}/`)),
      );
      return under.length > 0
        ? under.map((each) => ({ pointer: each.pointer, right: false, evidence: each }))
        : [{ pointer, right: false }];
    });
  if (rating === "Bad" && changes.length === 0) return [];
  const right = evidence
    .filter((each) => wasRead(each) && !isUnder(each.pointer, changed))
    .filter(({ pointer }) => valueAt(data, stepsOf(pointer)) !== undefined)
    .map((each): Verdict => ({ pointer: each.pointer, right: true, evidence: each }));
  return [...wrong.filter((each) => each.evidence?.source !== "Human"), ...right];
}

const wasRead = ({ source }: Evidence) => source === "Document" || source === "Learned";

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const isUnder = (pointer: string, changed: readonly string[]) =>
  changed.some((each) => pointer === each || pointer.startsWith(`${each}/`));

/** The same counted by field. */
export function judgedFields(verdicts: readonly Verdict[]): Judged[] {
  const counted = new Map<string, Judged>();
  for (const { pointer, right } of verdicts) {
    const field = fieldName(pointer);
    const known = counted.get(field) ?? { field, right: 0, wrong: 0 };
    counted.set(field, { ...known, [right ? "right" : "wrong"]: known[right ? "right" : "wrong"] + 1 });
  }
  return [...counted.values()].sort((a, b) => (a.field < b.field ? -1 : 1));
}
