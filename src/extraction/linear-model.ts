/**
 * A learned model. It computes a score for each class: the bias of the class, plus value × weight of every feature. The
 * caller turns scores into probabilities with {@link softmax} (if exactly one class is right) or {@link logistic} (yes
 * or no).
 */
export interface LinearModel {
  version: number;
  /** The training command, and the data that it used. */
  training: string;
  /** A yes-or-no model has one class. */
  classes: readonly string[];
  bias: readonly number[];
  /** For each feature, its weights in the order of `classes`. Other features do not change the scores. */
  weights: Readonly<Record<string, readonly number[]>>;
  /** Weights are stored as multiples of 1 / `unit`. The default is 1. */
  unit?: number;
  /**
   * Scores are divided by this before {@link softmax}. A number above 1 lowers the confidence of an overconfident
   * model.
   */
  temperature?: number;
  /** Further weights, by the hash of the feature's name. */
  hashed?: HashedWeights;
  /** For a sequence model: weights of features of two neighbouring elements. */
  transitions?: Readonly<Record<string, number>>;
}

/** Compact weights of many features. Each has weights only for its strongest classes. */
export interface HashedWeights {
  /** Size of one step. Weights are stored as numbers of steps. */
  step: number;
  /**
   * One entry for each feature, in base64 digits: its hash (three digits), then {@link classesPerFeature} pairs of
   * class and weight (one digit each). The digit of a weight is weight / `step` + {@link zeroWeight}.
   */
  entries: string;
}

/** Version of the format of {@link LinearModel}. */
export const formatVersion = 1;

/** Number of possible hashes. Features with the same hash share their weights. */
export const hashes = 2 ** 18;
export const classesPerFeature = 10;
const zeroWeight = 32;
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const entryLength = 3 + 2 * classesPerFeature;

/** Names and values of features. */
export type Features = Iterable<readonly [name: string, value: number]>;

/** Bias and weights of one class. */
export interface ClassWeights {
  bias: number;
  weights: Readonly<Record<string, number>>;
}

/** A class with its probability. */
export interface Likelihood<Class extends string> {
  class: Class;
  probability: number;
}

/** Computes the score of every class, in the order of `classes`. */
export function classScores(model: LinearModel, features: Features): number[] {
  const { weights, unit = 1 } = model;
  const hashedWeights = model.hashed && unpackedOnce(model.hashed);
  const scores = [...model.bias];
  for (const [name, value] of features) {
    const row = weights[name];
    if (row) for (const [at, weight] of row.entries()) scores[at]! += (value * weight) / unit;
    const pairs = hashedWeights?.get(hashOf(name)) ?? [];
    for (let at = 0; at < pairs.length; at += 2) scores[pairs[at]!]! += value * pairs[at + 1]!;
  }
  return scores;
}

/** Returns all classes with their probabilities, the likeliest first. The probabilities add up to 1. */
export function rankedClasses<Class extends string>(model: LinearModel, features: Features): Likelihood<Class>[] {
  const probabilities = softmax(classScores(model, features), model.temperature);
  return model.classes
    .map((name, at) => ({ class: name as Class, probability: probabilities[at]! }))
    .sort((one, other) => other.probability - one.probability);
}

/** Returns the bias and weights of one class, without the hashed weights; undefined if the model has no such class. */
export function classWeights(
  { classes, bias, weights, unit = 1 }: LinearModel,
  name: string,
): ClassWeights | undefined {
  const at = classes.indexOf(name);
  if (at < 0) return undefined;
  const rows = Object.entries(weights).map(([feature, row]) => [feature, row[at]! / unit] as const);
  return { bias: bias[at]!, weights: Object.fromEntries(rows) };
}

/** Computes the score of one class. */
export function classScore({ bias, weights }: ClassWeights, features: Features): number {
  let score = bias;
  for (const [name, value] of features) score += value * (weights[name] ?? 0);
  return score;
}

export const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

export function softmax(scores: readonly number[], temperature = 1): number[] {
  const highest = Math.max(...scores);
  const shares = scores.map((score) => Math.exp((score - highest) / temperature));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** Returns the FNV-1a hash of a feature's name, below {@link hashes}. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % hashes;
}

const unpacked = new WeakMap<HashedWeights, ReadonlyMap<number, readonly number[]>>();

function unpackedOnce(hashed: HashedWeights): ReadonlyMap<number, readonly number[]> {
  const weights = unpacked.get(hashed) ?? unpackWeights(hashed);
  unpacked.set(hashed, weights);
  return weights;
}

/** Decodes the entries. The numbers of each hash are: first class, its weight, second class, its weight, and so on. */
function unpackWeights({ step, entries }: HashedWeights): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const digit = (at: number) => digits.indexOf(entries[at]!);
  for (let at = 0; at < entries.length; at += entryLength) {
    const pairs: number[] = [];
    for (let pair = at + 3; pair < at + entryLength; pair += 2) {
      const steps = digit(pair + 1) - zeroWeight;
      if (steps !== 0) pairs.push(digit(pair), steps * step);
    }
    rows.set((digit(at) << 12) | (digit(at + 1) << 6) | digit(at + 2), pairs);
  }
  return rows;
}

/** Encodes weights as the entries of {@link HashedWeights}. */
export function packWeights(rows: ReadonlyMap<number, readonly { class: number; steps: number }[]>): string {
  return [...rows]
    .toSorted(([one], [other]) => one - other)
    .map(([hash, row]) => {
      const pairs = Array.from({ length: classesPerFeature }, (_, at) => row[at] ?? { class: 0, steps: 0 });
      const head = digits[hash >> 12]! + digits[(hash >> 6) & 63]! + digits[hash & 63]!;
      return head + pairs.map((pair) => digits[pair.class]! + digits[pair.steps + zeroWeight]!).join("");
    })
    .join("");
}
