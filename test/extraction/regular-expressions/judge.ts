import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import type { Pattern } from "./sources.ts";

const file = join(import.meta.dirname, "verdicts.json");

export type Verdict = "safe" | "linear" | "quadratic";

/** Loads the verdicts on the patterns that passed, by {@link keyOf}. */
export const readVerdicts = (): Record<string, Verdict> => JSON.parse(readFileSync(file, "utf8"));

export function writeVerdicts(verdicts: Record<string, Verdict>): void {
  const sorted = Object.entries(verdicts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

const longestKey = 200;

/** Formats a pattern as a literal. A long literal is shortened to its beginning and its digest. */
export function keyOf({ source, flags }: Pick<Pattern, "source" | "flags">): string {
  const literal = `/${source}/${flags}`;
  if (literal.length <= longestKey) return literal;
  return `${literal.slice(0, 80)}… sha256 ${createHash("sha256").update(literal).digest("hex")}`;
}

/**
 * Returns recheck's verdict on a pattern. If the pattern is exponential, is polynomial of a degree above 2, or cannot
 * be judged, returns the reason. Recheck counts an attack that times out as successful. With its default limit of a
 * second, it would report quadratic patterns as cubic on a busy machine.
 */
export async function judge({
  source,
  flags,
}: Pick<Pattern, "source" | "flags">): Promise<Verdict | { fault: string }> {
  // Recheck does not support the flags `d` and `y`; neither makes a match slower.
  const limits = { timeout: 300_000, attackTimeout: 30_000 };
  const found = await check(source, flags.replace(/[dy]/g, ""), limits);
  if (found.status === "unknown") return { fault: `cannot be judged (${found.error.kind})` };
  const { complexity } = found;
  if (complexity.type === "safe" || complexity.type === "linear") return complexity.type;
  if (complexity.type === "polynomial" && complexity.degree === 2) return "quadratic";
  return { fault: complexity.summary };
}
