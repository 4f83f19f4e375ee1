import type { Check, Evidence } from "../../document/extraction-result.ts";

/** Factor that a failed check applies to the confidence of its values. */
const doubt = 0.6;

/** Lowers the confidence of values in failed checks; the values stay as printed. */
export function lowerDoubted(evidence: readonly Evidence[], checks: readonly Check[]): Evidence[] {
  const pointers = new Set(checks.filter((check) => !check.passed).flatMap((check) => check.pointers));
  return evidence.map((each) =>
    pointers.has(each.pointer) ? { ...each, confidence: Math.round(each.confidence * doubt * 1000) / 1000 } : each,
  );
}
