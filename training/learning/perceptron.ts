import { labelled, measuresOf, type Part, type StopWeights } from "../../src/extraction/fields/route/sequence.ts";
import { Chance } from "../chance.ts";
import type { StopPage } from "./stop-pages.ts";

/** What is wrong costs this much while learning, so that what is right stays clear of it. */
const room = 1;
const never = -1e9;

/**
 * The averaged structured perceptron: wherever the likeliest parts of a page's addresses are none that truth allows, the
 * weights go towards the likeliest allowed ones and away from those. The same seed learns the same weights.
 */
export function learntSequence(pages: readonly StopPage[], rounds: number, seed: number): StopWeights {
  const weights: Record<string, number> = {};
  const sums: Record<string, number> = {};
  let step = 1;
  const chance = new Chance(seed);
  for (let round = 0; round < rounds; round++)
    for (const { items, allowed } of chance.shuffled(pages)) {
      const right = (at: number, part: Part) => allowed[at]!.has(part);
      const said = labelled(items, weights, (at, part) => (right(at, part) ? 0 : room)).parts;
      if (!said.every((part, at) => right(at, part))) {
        const wanted = labelled(items, weights, (at, part) => (right(at, part) ? 0 : never)).parts;
        move(wanted, 1);
        move(said, -1);
      }
      step += 1;

      function move(parts: readonly Part[], by: number): void {
        for (const [name, measure] of measuresOf(items, parts)) {
          weights[name] = (weights[name] ?? 0) + by * measure;
          sums[name] = (sums[name] ?? 0) + by * measure * step;
        }
      }
    }
  return Object.fromEntries(
    Object.entries(weights)
      .map(([name, weight]) => [name, Math.round((weight - sums[name]! / step) * 1000) / 1000] as const)
      .filter(([, weight]) => weight !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
