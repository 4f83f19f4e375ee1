import type { Evidence, ExtractedItem, ExtractionResult } from "../document/extraction-result.ts";
import type { Kind } from "../kinds/kind.ts";

const minSureConfidence = 0.8;

/** Whether the embedded engine found no item, or a critical value is missing or has a low confidence. */
export function isUnsure<View>(result: ExtractionResult<View>, { critical }: Kind<View>): boolean {
  return result.items.length === 0 || result.items.some((item) => critical.some((pattern) => !isSure(item, pattern)));
}

/** Counts the critical fields that have a value. */
export const answered = (data: unknown, critical: readonly string[]): number =>
  critical.filter((pattern) => pointersFor(data, pattern).some(({ value }) => value !== undefined)).length;

function isSure({ data, evidence }: ExtractedItem<unknown>, pattern: string): boolean {
  const known = new Map(evidence.map((each): [string, Evidence] => [each.pointer, each]));
  return pointersFor(data, pattern).every(
    ({ pointer, value }) => value !== undefined && (known.get(pointer)?.confidence ?? 1) >= minSureConfidence,
  );
}

/** Lists the pointers that a pattern matches, with their values. A missing list counts as one missing value. */
function pointersFor(data: unknown, pattern: string): { pointer: string; value: unknown }[] {
  let found = [{ pointer: "", value: data }];
  for (const step of pattern.split("/").slice(1))
    found = found.flatMap(({ pointer, value }) =>
      stepsFrom(value, step).map((each) => ({ pointer: `${pointer}/${each}`, value: at(value, each) })),
    );
  return found;
}

const stepsFrom = (value: unknown, step: string): string[] =>
  step === "*" && Array.isArray(value) && value.length > 0 ? value.map((_, index) => String(index)) : [step];

const at = (value: unknown, step: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step] : undefined;
