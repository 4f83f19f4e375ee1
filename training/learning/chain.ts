import {
  following,
  last,
  parts,
  reasons,
  states,
  type Item,
  type Part,
  type StopWeights,
} from "../../src/extraction/fields/route/sequence.ts";
import { Chance } from "../chance.ts";

/** A sequence of addresses, and for each the parts that the truth allows. */
export interface Example {
  items: readonly Item[];
  allowed: readonly ReadonlySet<Part>[];
}

/** The ids and measures of the features of one step: from a state, by a part. */
type Step = readonly (readonly [id: number, measure: number])[];

interface Settings {
  rounds: number;
  seed: number;
  /** How fast the weights change. */
  rate: number;
  /** Factor by which the weights shrink in each round. */
  keep: number;
}

/**
 * Trains a conditional random field: raises the probability of all labellings of a page that its truth allows. Weights
 * are moved after each page (Adagrad). The same seed yields the same weights.
 */
export function learntChain(examples: readonly Example[], { rounds, seed, rate, keep }: Settings): StopWeights {
  const ids = new Map<string, number>();
  const idOf = (name: string) => ids.get(name) ?? (ids.set(name, ids.size), ids.size - 1);
  const pages = examples.map((example) => ({
    ...example,
    steps: stepsOf(example, idOf),
    ends: states.map((state) => idOf(last(state))),
  }));
  const weights = new Float64Array(ids.size);
  const squares = new Float64Array(ids.size).fill(1e-2);
  const gradient = new Float64Array(ids.size);
  const chance = new Chance(seed);
  for (let round = 0; round < rounds; round++) {
    for (const page of chance.shuffled(pages)) {
      gradient.fill(0);
      addExpected(page, weights, (at, part) => page.allowed[at]!.has(part), gradient, 1);
      addExpected(page, weights, () => true, gradient, -1);
      for (const [id, slope] of gradient.entries()) {
        if (slope === 0) continue;
        squares[id]! += slope * slope;
        weights[id]! += (rate * slope) / Math.sqrt(squares[id]!);
      }
    }
    for (const id of weights.keys()) weights[id]! *= keep;
  }
  return Object.fromEntries(
    [...ids]
      .map(([name, id]) => [name, Math.round(weights[id]! * 1000) / 1000] as const)
      .filter(([, weight]) => weight !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** For each address, the steps by the index of the state and that of the part. */
function stepsOf({ items }: Example, idOf: (name: string) => number): Step[][][] {
  return items.map((item) =>
    states.map((state) =>
      parts.map((part) => [...reasons(item, state, part)].map(([name, measure]) => [idOf(name), measure] as const)),
    ),
  );
}

/** Adds the expected measures of the features, times `by`, over the labellings of the allowed parts. */
function addExpected(
  { steps, ends }: { steps: Step[][][]; ends: number[] },
  weights: Float64Array,
  isAllowed: (at: number, part: Part) => boolean,
  sums: Float64Array,
  by: number,
): void {
  const none = () => states.map(() => Number.NEGATIVE_INFINITY);
  const score = (step: Step) => step.reduce((sum, [id, measure]) => sum + weights[id]! * measure, 0);
  const scored = steps.map((ofItem, at) =>
    ofItem.map((ofState) => ofState.map((step, part) => (isAllowed(at, parts[part]!) ? score(step) : undefined))),
  );
  const forward = [states.map((state) => (state === "Before" ? 0 : Number.NEGATIVE_INFINITY))];
  for (const ofItem of scored) {
    const next = none();
    walk(ofItem, (from, part, to, value) => (next[to] = logAdd(next[to]!, forward.at(-1)![from]! + value)));
    forward.push(next);
  }
  const backward = [ends.map((id) => weights[id]!)];
  for (const ofItem of scored.toReversed()) {
    const before = none();
    walk(ofItem, (from, part, to, value) => (before[from] = logAdd(before[from]!, backward[0]![to]! + value)));
    backward.unshift(before);
  }
  const total = backward[0]![0]!;
  for (const [at, ofItem] of scored.entries())
    walk(ofItem, (from, part, to, value) => {
      const chance = Math.exp(forward[at]![from]! + value + backward[at + 1]![to]! - total);
      if (chance > 1e-9) for (const [id, measure] of steps[at]![from]![part]!) sums[id]! += by * chance * measure;
    });
  for (const [state, id] of ends.entries()) sums[id]! += by * Math.exp(forward.at(-1)![state]! + weights[id]! - total);
}

function walk(
  scored: (number | undefined)[][],
  visit: (from: number, part: number, to: number, score: number) => void,
): void {
  for (const [from, ofState] of scored.entries())
    for (const [part, value] of ofState.entries())
      if (value !== undefined) visit(from, part, states.indexOf(following(states[from]!, parts[part]!)), value);
}

function logAdd(one: number, other: number): number {
  const high = Math.max(one, other);
  return high === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(Math.min(one, other) - high));
}
