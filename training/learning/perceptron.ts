import { labelled, measuresOf, type Part, type StopWeights } from "../../src/extraction/fields/route/sequence.ts";
import { Chance } from "../chance.ts";
import type { StopPage } from "./stop-pages.ts";

/** Margin of the training: a labelling must score lower than the correct one by at least this for each wrong label. */
const room = 1;
const never = -1e9;

/**
 * Trains an averaged structured perceptron: if the truth does not allow the labelling that scores best on a page, the
 * weights move towards the best labelling that it allows. The same seed yields the same weights.
 */
export function learntSequence(pages: readonly StopPage[], rounds: number, seed: number): StopWeights {
  const weights: Record<string, number> = {};
  const sums: Record<string, number> = {};
  let step = 1;
  const chance = new Chance(seed);
  for (let round = 0; round < rounds; round++)
    for (const { items, allowed } of chance.shuffled(pages)) {
      const right = (at: number, part: Part) => allowed[at]!.has(part);
      const predicted = labelled(items, weights, (at, part) => (right(at, part) ? 0 : room)).parts;
      if (!predicted.every((part, at) => right(at, part))) {
        const wanted = labelled(items, weights, (at, part) => (right(at, part) ? 0 : never)).parts;
        move(wanted, 1);
        move(predicted, -1);
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
