import type { ProcessingStatus } from "../../domain/shapes.ts";
import type { Check } from "../../extraction/document/reading.ts";

/** They make a value less sure and no more: real plates break every list of shapes. */
const hints: readonly string[] = ["PlateShape"];

/** How what was read stands: whole, or with checks that did not pass, which the message names. */
export function checked(
  noun: string,
  checks: readonly Check[],
): { status: Exclude<ProcessingStatus, "Processing" | "Failed">; message?: string } {
  const failed = checks.filter(({ name, passed }) => !passed && !hints.includes(name));
  if (failed.length === 0) return { status: "Succeeded" };
  const reasons = failed.map(({ name, detail }) => `${name} did not pass (${detail.replace(/\.$/, "")}).`);
  return { status: "Partial", message: `${noun} validation failed. Reason: ${reasons.join(" ")}` };
}
