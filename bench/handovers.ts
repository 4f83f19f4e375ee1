// Models how often the object of a failing webhook is called while many other objects have an event for it.
// `node bench/handovers.ts` writes the figures into bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { backoffAfter } from "../durable-objects/aggregate/backoff.ts";
import { table, writeFigures } from "./readme.ts";

const objects = 100_000;
const minute = 60_000;
const failing = 120 * minute;
const until = failing + 10 * minute;

/** Models the number of calls in each second, and the time at which the last object has handed over its event. */
function modelled(waitAfter: (failures: number) => number): { calls: Uint32Array; told: number } {
  const calls = new Uint32Array(until / 1000 + 1);
  let told = 0;
  for (let object = 0; object < objects; object++) {
    let at = Math.random() * 1000;
    for (let failures = 1; ; failures++) {
      calls[Math.floor(at / 1000)]!++;
      if (at >= failing) break;
      at += waitAfter(failures);
    }
    told = Math.max(told, at);
  }
  return { calls, told };
}

/** Computes the mean and the maximum number of calls per second between two times, which are in milliseconds. */
function between(calls: Uint32Array, from: number, to: number): string[] {
  const some = calls.subarray(from / 1000, to / 1000);
  const mean = some.reduce((sum, count) => sum + count, 0) / some.length;
  return [mean, Math.max(...some)].map((count) => Math.round(count).toLocaleString("en-US"));
}

const backoff = modelled((failures) => backoffAfter(failures, Math.random()));
const without = modelled(() => 1500);
const spans = [
  ["the first ten seconds", 0, 10_000],
  ["the next 50 seconds", 10_000, minute],
  ["the next nine minutes", minute, 10 * minute],
  ["until it recovers, after two hours", 10 * minute, failing],
  ["the five minutes after that", failing, failing + 5 * minute],
] as const;
const rows = spans.map(([name, from, to]) => [
  name,
  ...between(backoff.calls, from, to),
  ...between(without.calls, from, to),
]);
const figures = [
  table(["calls per second", "mean", "maximum", "mean without backoff", "maximum without backoff"], rows),
  `The last of the ${objects.toLocaleString("en-US")} events was handed over ${Math.round((backoff.told - failing) / 1000)} s after it recovered.`,
].join("\n\n");
console.log(`${figures}\n`);
if (!process.argv.includes("--print")) await writeFigures("handovers", figures);
