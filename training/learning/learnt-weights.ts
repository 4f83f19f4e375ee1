import type { LinearModel } from "../../src/extraction/linear-model.ts";
import { learnt, type Example, type Logistic } from "./logistic.ts";
import type { Pair } from "./pairs.ts";
import { joinedClasses } from "./write-model.ts";
import weightsByHand from "./weights-by-hand.json" with { type: "json" };

/** The weights of the model by feature name, and its bias. */
export type Weights = typeof weightsByHand;

type Name = keyof Weights;
const names = (Object.keys(weightsByHand) as Name[]).filter((name) => name !== "bias");
/**
 * Penalty for changes to the manual weights. A lower penalty fits generated documents better and other documents worse.
 */
const penaltyOfChange = 3000;

/** Converts a pair to a training example. */
export const example = ({ features, right }: Pair): Example => ({
  signs: names.map((name) => features[name] ?? 0),
  right,
});

/** Converts weights to a logistic model. */
export const modelOf = (weights: Weights): Logistic => ({
  weights: names.map((name) => weights[name]),
  bias: weights.bias,
});

/** Converts weights to the format that the engine loads. */
export const labelModelOf = ({ bias, ...weights }: Weights, training: string): Omit<LinearModel, "version"> => ({
  training,
  ...joinedClasses(new Map([["valueOfLabel", { bias, weights }]]), names),
});

/** The manual weights from which training starts. */
export const byHand: Weights = weightsByHand;

/** Trains the weights on these pairs. The penalty keeps them close to the manual ones. */
export function trainWeights(pairs: readonly Pair[], penalty = penaltyOfChange): Weights {
  const { weights, bias } = learnt(pairs.map(example), penalty, modelOf(byHand));
  return Object.fromEntries([
    ["bias", rounded(bias)],
    ...names.map((name, at) => [name, rounded(weights[at]!)]),
  ]) as Weights;
}

const rounded = (weight: number) => Math.round(weight * 1000) / 1000;
