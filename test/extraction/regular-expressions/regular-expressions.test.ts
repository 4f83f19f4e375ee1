import { beforeAll, expect, test } from "vitest";
import { judge, keyOf, readVerdicts } from "./judge.ts";
import { allPatterns } from "./patterns.ts";

let collected: Awaited<ReturnType<typeof allPatterns>>;
beforeAll(async () => {
  collected = await allPatterns();
});

// Recheck needs minutes for all patterns, so its verdicts are stored. `npm run patterns` judges new patterns.
test("no regular expression takes more than quadratic time", async () => {
  const verdicts = readVerdicts();
  expect(new Set(Object.values(verdicts)).difference(new Set(["safe", "linear", "quadratic"]))).toEqual(new Set());
  const faults: string[] = [];
  for (const [key, pattern] of collected.patterns) {
    const verdict = verdicts[key] ?? (await judge(pattern));
    if (typeof verdict !== "string") faults.push(`${pattern.place}: ${verdict.fault}: ${key}`);
  }
  expect(faults).toEqual([]);
});

test("literals, composed patterns and those of the contract are collected", () => {
  const { patterns, unrecorded } = collected;
  const files = new Set([...patterns.values()].map(({ place }) => place.replace(/:\d+:\d+$/, "")));
  for (const file of [
    "src/http/router.ts",
    "src/domain/person.ts",
    "src/extraction/entities/amounts.ts",
    "test/http/openapi.json",
  ])
    expect(files).toContain(file);
  // If a place is listed here, a function composes a pattern there, and `composed.ts` must call this function.
  expect(unrecorded).toEqual([]);
});

test.each([
  [/^\p{Ll}\p{L}*(?:[ ,]+[^ ]+){4,}[^.]\.$/u, "exponential"],
  [/^[^a-z']*(?:(?:yyyy|MM|dd|HH|mm|ss|'[^']*')[^a-z']*)+$/i, "exponential"],
  [/(?<!x)(?:a|a)*$/, "exponential (fuzz)"],
  [/\s*\s*\s*$/, "4th degree polynomial"],
])("the pattern %s is refused", async (pattern, fault) => {
  expect(await judge(pattern)).toEqual({ fault });
});

test.each([
  [/^[a-z]+$/, "linear"],
  [/^[a-z]{1,3}$/, "safe"],
  [/\s+$/, "quadratic"],
])("the pattern %s passes", async (pattern, verdict) => {
  expect(await judge(pattern)).toBe(verdict);
});

test("a verdict applies to the whole of a pattern", () => {
  const long = "a".repeat(300);
  expect(keyOf({ source: `${long}b`, flags: "" })).not.toBe(keyOf({ source: `${long}c`, flags: "" }));
  expect(keyOf({ source: long, flags: "" })).not.toBe(keyOf({ source: long, flags: "u" }));
});
