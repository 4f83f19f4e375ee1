import type { ProcessingStatus } from "../../kit/shapes.ts";
import type { Check } from "../../reading/reading.ts";

/** How what was read stands: whole, or with checks that did not pass, which the message names. */
export function checked(
  noun: string,
  checks: readonly Check[],
): { status: Exclude<ProcessingStatus, "Processing" | "Failed">; message?: string } {
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return { status: "Succeeded" };
  const reasons = failed.map(({ name, detail }) => `${name} did not pass (${detail.replace(/\.$/, "")}).`);
  return { status: "Partial", message: `${noun} validation failed. Reason: ${reasons.join(" ")}` };
}
