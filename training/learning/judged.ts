import { compare, type Json } from "../../corpus/compare.ts";
import type { Evidence } from "../../src/extraction/document/extraction-result.ts";

/** An extracted value compared with the truth. */
export interface Judged extends Evidence {
  right: boolean;
}

/**
 * Judges every extracted value that the truth covers; values without an entry in the truth are left out. All values of a
 * stop that the document does not have are wrong.
 */
export function judged(truth: unknown, data: unknown, evidence: readonly Evidence[]): Judged[] {
  const right = new Map<string, boolean>();
  for (const { pointer, outcome } of compare(truth as Json, data as Json))
    if (pointer !== undefined && outcome !== "missed") right.set(pointer, outcome === "right");
  return evidence.flatMap((each) => {
    const isRight = right.get(each.pointer) ?? right.get(each.pointer.split("/").slice(0, 3).join("/"));
    return isRight === undefined ? [] : [{ ...each, right: isRight }];
  });
}

/** Counts the values that the truth expects. */
export function wantedIn(truth: unknown): number {
  if (truth === null || truth === undefined || truth === false || truth === "") return 0;
  if (typeof truth !== "object") return 1;
  return Object.values(truth).reduce((sum: number, each: unknown) => sum + wantedIn(each), 0);
}
