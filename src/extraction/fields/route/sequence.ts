import { classWeights, type LinearModel } from "../../linear-model.ts";

/** What an address of a document is: no place of the route, or one where goods are loaded or unloaded. */
export const parts = ["Outside", "Loading", "Unloading"] as const;
export type Part = (typeof parts)[number];

/** What was last on the way through the addresses, and whether a stop was before where the last was none. */
type State = "Before" | "Loading" | "AfterLoading" | "Unloading" | "AfterUnloading";

/** An address in reading order: what speaks for its parts, alone and seen with the address before it. */
export interface Item {
  signs: Readonly<Record<string, number>>;
  besides: Readonly<Record<string, number>>;
}

/** How much each sign speaks for a part; the names are those of {@link reasons}. */
export type StopWeights = Readonly<Record<string, number>>;

/** The weights of a model by the names of {@link reasons}. */
export function stopWeightsOf(model: LinearModel): StopWeights {
  const weights: Record<string, number> = { ...model.transitions };
  for (const part of model.classes)
    for (const [sign, weight] of Object.entries(classWeights(model, part)?.weights ?? {}))
      weights[`${part}: ${sign}`] = weight;
  return weights;
}

/** The reverse of {@link stopWeightsOf}. */
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

/** The parts of all addresses and what speaks for them together. */
export interface Labelling {
  parts: readonly Part[];
  score: number;
}

const following = (state: State, part: Part): State => {
  if (part !== "Outside") return part;
  if (state === "Before") return state;
  return state === "Loading" || state === "AfterLoading" ? "AfterLoading" : "AfterUnloading";
};

const partIn = (state: State): Part => (state === "Loading" || state === "Unloading" ? state : "Outside");

/** What is weighed when an address is taken for a part behind this state: the name of each weight and its measure. */
function* reasons({ signs, besides }: Item, state: State, part: Part): Generator<[string, number]> {
  yield [`${state} > ${part}`, 1];
  if (part !== "Outside") for (const name in signs) yield [`${part}: ${name}`, signs[name]!];
  for (const name in besides) yield [`${partIn(state)} > ${part}: ${name}`, besides[name]!];
}

const last = (state: State): string => `${state} > end`;

/** The likeliest parts by the weights (Viterbi); `bonus` adds to the score of a part, as learning wants it. */
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

/** The sum of the measures of these parts by the names of their weights. */
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
