import { classScore, logistic } from "../linear-model.ts";
import { startFeatures, type PageFeatures } from "./page-features.ts";
import { baseWeights, type StartWeights } from "./page-starts.ts";

/** A page of a pile of which somebody has said whether a document begins there. */
export interface StartExample {
  /** What spoke for it and against it; what did not speak is left out. */
  signs: Record<string, number>;
  begins: boolean;
}

/** The pages that lie in a document, with those before them as they were said; the first ones say nothing. */
export function trainingExamples(
  sketches: readonly PageFeatures[],
  said: readonly { from: number; to: number }[],
): StartExample[] {
  const examples: StartExample[] = [];
  let since: PageFeatures[] = [];
  for (const [index, sketch] of sketches.entries()) {
    const page = index + 1;
    const begins = said.some(({ from }) => from === page);
    const isIn = said.some(({ from, to }) => from <= page && to >= page);
    const signs = startFeatures(sketch, since);
    if (isIn && !sketch.blank && !("first" in signs)) examples.push({ signs: spoken(signs), begins });
    since = begins ? [sketch] : [...since, sketch];
  }
  return examples;
}

const spoken = (signs: Record<string, number>): StartExample["signs"] =>
  Object.fromEntries(
    Object.entries(signs).flatMap(([name, strength]) =>
      strength === 0 ? [] : [[name, Math.round(strength * 100) / 100] as const],
    ),
  );

const rounds = 300;
const step = 0.05;
/** How much is to be learnt before a weight moves: one page that was misjudged is enough where no other speaks against it. */
const inertia = 0.2;

/** The weights as these examples move them: logistic regression that is drawn to what was learnt beforehand. */
export function trainWeights(examples: readonly StartExample[]): StartWeights {
  const weights: Record<string, number> = { ...baseWeights.weights };
  const { bias } = baseWeights;
  for (let round = 0; round < rounds && examples.length > 0; round++) {
    const slope: Record<string, number> = {};
    for (const { signs, begins } of examples) {
      const error = (begins ? 1 : 0) - logistic(classScore({ bias, weights }, Object.entries(signs)));
      for (const [name, strength] of Object.entries(signs)) slope[name] = (slope[name] ?? 0) + error * strength;
    }
    for (const [name, by] of Object.entries(slope)) {
      const weight = weights[name] ?? 0;
      weights[name] = weight + step * (by - inertia * (weight - (baseWeights.weights[name] ?? 0)));
    }
  }
  return { bias, weights };
}
