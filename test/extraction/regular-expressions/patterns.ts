import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { patternsInSources, sourceFiles, type Pattern } from "./sources.ts";
import { keyOf } from "./judge.ts";

const here = import.meta.dirname;

/**
 * Collects all patterns of the product by {@link keyOf}, and the places in the code that compose a pattern but did not
 * run.
 */
export async function allPatterns(): Promise<{ patterns: Map<string, Pattern>; unrecorded: string[] }> {
  const { literals, composed } = await patternsInSources();
  const recorded = await composedPatterns();
  const places = new Set(composed);
  const patterns = [...literals, ...recorded.filter(({ place }) => places.has(place)), ...published()];
  const composing = new Set(recorded.map(({ place }) => place));
  return {
    patterns: new Map(patterns.map((pattern) => [keyOf(pattern), pattern])),
    unrecorded: composed.filter((place) => !composing.has(place)),
  };
}

async function composedPatterns(): Promise<Pattern[]> {
  const script = join(here, "composed.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", script, ...(await sourceFiles())], {
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout) as Pattern[];
}

/** Collects the patterns that validate requests, including zod's own patterns. */
function published(): Pattern[] {
  const contract = readFileSync(join(here, "../../http/openapi.json"), "utf8");
  const found = contract.matchAll(/"pattern": (".*")/g);
  return [...found].map(([, text]) => ({
    source: JSON.parse(text!) as string,
    flags: "u",
    place: "test/http/openapi.json",
  }));
}
