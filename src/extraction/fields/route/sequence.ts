import { classWeights, type LinearModel } from "../../linear-model.ts";

/** The part that an address has in the route: none (`Outside`), or the type of its stop. */
export const parts = ["Outside", "Loading", "Unloading", "Customs", "Stop"] as const;
export type Part = (typeof parts)[number];

/**
 * State of the sequence: whether the last stop so far was a loading or an unloading, and whether an address outside the
 * route followed it. Customs offices and other stops do not change it.
 */
export const states = ["Before", "Loading", "AfterLoading", "Unloading", "AfterUnloading"] as const;
export type State = (typeof states)[number];

/**
 * Features of an address: its own (`signs`), and those in relation to the preceding address in reading order
 * (`besides`).
 */
export interface Item {
  signs: Readonly<Record<string, number>>;
  besides: Readonly<Record<string, number>>;
}

/** Weights of the features, by the names that {@link reasons} yields. */
export type StopWeights = Readonly<Record<string, number>>;

/** Returns the weights of a model, by the names that {@link reasons} yields. */
export function stopWeightsOf(model: LinearModel): StopWeights {
  const weights: Record<string, number> = { ...model.transitions };
  for (const part of model.classes)
    for (const [sign, weight] of Object.entries(classWeights(model, part)?.weights ?? {}))
      weights[`${part}: ${sign}`] = weight;
  return weights;
}

/** Converts weights to a model. It is the reverse of {@link stopWeightsOf}. */
export function stopModelOf(weights: StopWeights): Omit<LinearModel, "version" | "training"> {
  const classes = parts.filter((part) => part !== "Outside");
  const signs: Record<string, number[]> = {};
  const transitions: Record<string, number> = {};
  for (const [name, weight] of Object.entries(weights)) {
    const part = classes.findIndex((each) => name.startsWith(`${each}: `));
    if (part < 0) transitions[name] = weight;
    else (signs[name.slice(classes[part]!.length + 2)] ??= classes.map(() => 0))[part] = weight;
  }
  return { classes, bias: classes.map(() => 0), weights: signs, transitions };
}

/** For each address, whether it is a loading, an unloading or not in the route; and the score of this assignment. */
export interface Labelling {
  parts: readonly Part[];
  score: number;
}

/** Returns the state after a part. */
export const following = (state: State, part: Part): State => {
  if (part === "Loading" || part === "Unloading") return part;
  if (part !== "Outside") return state;
  if (state === "Before") return state;
  return state === "Loading" || state === "AfterLoading" ? "AfterLoading" : "AfterUnloading";
};

const partIn = (state: State): Part => (state === "Loading" || state === "Unloading" ? state : "Outside");

/**
 * Yields the features that count if an address gets this part in this state. Each consists of the name of its weight
 * and the measure by which the weight is multiplied.
 */
export function* reasons({ signs, besides }: Item, state: State, part: Part): Generator<[string, number]> {
  yield [`${state} > ${part}`, 1];
  if (part !== "Outside") for (const name in signs) yield [`${part}: ${name}`, signs[name]!];
  for (const name in besides) yield [`${partIn(state)} > ${part}: ${name}`, besides[name]!];
}

/** Name of the feature that counts if the sequence ends in this state. */
export const last = (state: State): string => `${state} > end`;

/**
 * Assigns to each address its part in the route, so that the total score is the highest (Viterbi algorithm). `bonus`
 * returns a number that is added to the score if the address at an index gets a part.
 */
export function labelled(
  items: readonly Item[],
  weights: StopWeights,
  bonus: (at: number, part: Part) => number = () => 0,
): Labelling {
  let ways = new Map<State, Labelling>([["Before", { parts: [], score: 0 }]]);
  for (const [at, item] of items.entries()) {
    const longer = new Map<State, Labelling>();
    for (const [state, way] of ways)
      for (const part of parts) {
        let score = way.score + bonus(at, part);
        for (const [name, measure] of reasons(item, state, part)) score += (weights[name] ?? 0) * measure;
        const next = following(state, part);
        if (score > (longer.get(next)?.score ?? Number.NEGATIVE_INFINITY))
          longer.set(next, { parts: [...way.parts, part], score });
      }
    ways = longer;
  }
  return [...ways]
    .map(([state, way]) => ({ ...way, score: way.score + (weights[last(state)] ?? 0) }))
    .reduce((best, way) => (way.score > best.score ? way : best));
}

/**
 * Returns the sum of the measures of each feature, by the name of its weight, if the addresses get the parts
 * `chosen`.
 */
export function measuresOf(items: readonly Item[], chosen: readonly Part[]): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, measure: number) => sums.set(name, (sums.get(name) ?? 0) + measure);
  let state: State = "Before";
  for (const [at, item] of items.entries()) {
    const part = chosen[at] ?? "Outside";
    for (const [name, measure] of reasons(item, state, part)) add(name, measure);
    state = following(state, part);
  }
  add(last(state), 1);
  return sums;
}
