import { type ClassWeights, classScore, classWeights, logistic } from "../linear-model.ts";
import { type PageFeatures, startFeatures } from "./page-features.ts";
import model from "./start-weights.json" with { type: "json" };

/** Weights of the features that show whether a document starts on a page. */
export type StartWeights = ClassWeights;

/** Trained on generated documents. {@link trainWeights} adapts them to a company. */
const baseWeights: StartWeights = classWeights(model, "start")!;

function startProbability(page: PageFeatures, before: readonly PageFeatures[], by: StartWeights = baseWeights): number {
  const signs = startFeatures(page, before);
  if ("first" in signs) return 1;
  const chance = logistic(classScore(by, Object.entries(signs)));
  return chance >= probabilities.doubtful ? Math.max(chance, tellingOf(signs)) : chance;
}

/** Set by hand. */
const probabilities = {
  start: 0.5,
  /** A single strong feature does not raise a probability that is lower than this. */
  doubtful: 0.05,
  /** From this confidence on, it is certain that the page is of another kind than the earlier pages. */
  certainKind: 0.8,
  /** Probability of a start if the page has a title and another document number than the earlier pages. */
  anotherNumber: 0.6,
};

/**
 * The probability of a start that follows from a single strong feature: the page is of another kind than the earlier
 * pages (this is certain, or it has a new title), or it has another document number.
 */
const tellingOf = ({ newTitle = 0, otherKind = 0, anotherNumber = 0 }: Record<string, number>): number =>
  Math.max(
    newTitle > 0 || otherKind >= probabilities.certainKind ? otherKind : 0,
    anotherNumber * probabilities.anotherNumber,
  );

/** Consecutive pages of one document, numbered from 1. */
export interface PageRange {
  from: number;
  to: number;
  confidence: number;
}

/** Splits the pages of a file into documents. Blank pages at the end of a document do not belong to it. */
export function splitPages(pages: readonly PageFeatures[], by: StartWeights = baseWeights): PageRange[] {
  const ranges: PageRange[] = [];
  let since: PageFeatures[] = [];
  for (const [index, page] of pages.entries()) {
    if (page.blank) {
      since.push(page);
      continue;
    }
    const chance = startProbability(page, since, by);
    const open = ranges.at(-1);
    if (!open || chance >= probabilities.start) {
      ranges.push({ from: index + 1, to: index + 1, confidence: chance });
      since = [page];
    } else {
      open.to = index + 1;
      since.push(page);
    }
  }
  return ranges;
}

/** A page of a collection for which a caller declared whether a document starts on it (`begins`). */
export interface StartExample {
  /** Features with value 0 are omitted. */
  signs: Record<string, number>;
  begins: boolean;
}

/**
 * Creates training examples from declared documents. The first page is not one, because it always starts a document.
 */
export function trainingExamples(
  pages: readonly PageFeatures[],
  declared: readonly { from: number; to: number }[],
): StartExample[] {
  const examples: StartExample[] = [];
  let since: PageFeatures[] = [];
  for (const [index, features] of pages.entries()) {
    const page = index + 1;
    const begins = declared.some(({ from }) => from === page);
    const isIn = declared.some(({ from, to }) => from <= page && to >= page);
    const signs = startFeatures(features, since);
    if (isIn && !features.blank && !("first" in signs)) examples.push({ signs: rounded(signs), begins });
    since = begins ? [features] : [...since, features];
  }
  return examples;
}

const rounded = (signs: Record<string, number>): StartExample["signs"] =>
  Object.fromEntries(
    Object.entries(signs).flatMap(([name, strength]) =>
      strength === 0 ? [] : [[name, Math.round(strength * 100) / 100] as const],
    ),
  );

const rounds = 300;
const step = 0.05;
/** At this value, one misjudged page changes a weight unless another example contradicts it. */
const inertia = 0.2;

/** Trains the weights on examples, by logistic regression with the base weights as prior. */
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
