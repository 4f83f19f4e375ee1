import {
  classesPerFeature,
  formatVersion,
  hashes,
  hashOf,
  packWeights,
  softmax,
  type LinearModel,
} from "../../src/extraction/linear-model.ts";
import { likelyLabels, type MailFeatures } from "../../src/extraction/mail/label-model.ts";
import { mailLabels, type MailLabel } from "../../src/extraction/mail/labels.ts";
import type { Chance } from "../chance.ts";

/** Features and label of a mail. */
export interface Example {
  features: MailFeatures;
  label: MailLabel;
  language: string;
}

/** Maximum number of features in the model. More features would increase its size but not its accuracy. */
const mostFeatures = 20_000;
const largestStep = 31;
const pace = 0.2;
/** How often the training reads the mails that were made up, then the mails of the corpus. */
const epochs = { madeUp: 5, corpus: 12 };
/** Share of the weights learnt from made-up mails with which the training on the corpus begins. */
const trust = 0.6;
/** Draws the weights back to those that the training began with. */
const decay = 2e-3;
/** Mails that share a feature; a rarer one is left out. */
const fewestMails = 2;
const labelCount = mailLabels.length;

/**
 * Trains a multinomial logistic regression by stochastic gradient descent with a learning rate per weight: first on
 * mails that were made up, which know many words of many languages, then on those that people wrote. The model stores
 * each weight as one character.
 */
export function trainModel(madeUp: readonly Example[], examples: readonly Example[], chance: Chance): LinearModel {
  const all = packed([...madeUp, ...examples]);
  const nothing = new Float32Array(hashes * labelCount);
  const before = descend(all.slice(0, madeUp.length), nothing, epochs.madeUp, chance).weights;
  const begin = before.map((weight) => weight * trust);
  const { weights, bias } = descend(all.slice(madeUp.length), begin, epochs.corpus, chance);
  return mostDecisive(weights, bias, timesSeen(all));
}

/** Changes weights until they fit the examples. */
function descend(examples: readonly PackedExample[], begin: Float32Array, epochCount: number, chance: Chance) {
  const weights = begin.slice();
  const seen = new Float32Array(begin.length).fill(1e-2);
  const bias = new Float32Array(labelCount);
  for (let epoch = 0; epoch < epochCount; epoch++)
    for (const { at, strength, label } of chance.shuffled(examples)) {
      const shares = labelShares({ at, strength }, weights, bias);
      for (let to = 0; to < labelCount; to++) {
        const error = shares[to]! - (to === label ? 1 : 0);
        bias[to]! -= 0.01 * error;
        for (let each = 0; each < at.length; each++) {
          const place = at[each]! * labelCount + to;
          const slope = error * strength[each]! + decay * (weights[place]! - begin[place]!);
          seen[place]! += slope * slope;
          weights[place]! -= (pace * slope) / Math.sqrt(seen[place]!);
        }
      }
    }
  return { weights, bias };
}

function labelShares(
  { at, strength }: Pick<PackedExample, "at" | "strength">,
  weights: Float32Array,
  bias: Float32Array,
): number[] {
  const sums = [...bias];
  for (let each = 0; each < at.length; each++)
    for (let to = 0; to < labelCount; to++) sums[to]! += strength[each]! * weights[at[each]! * labelCount + to]!;
  return softmax(sums);
}

interface PackedExample {
  at: Int32Array;
  strength: Float32Array;
  label: number;
}

function packed(examples: readonly Example[]): PackedExample[] {
  const mails = new Map<string, number>();
  for (const { features } of examples) for (const name of features.keys()) mails.set(name, (mails.get(name) ?? 0) + 1);
  return examples.map(({ features, label }) => {
    const kept = [...features].filter(([name]) => mails.get(name)! >= fewestMails);
    return {
      at: Int32Array.from(kept.map(([name]) => hashOf(name))),
      strength: Float32Array.from(kept.map(([, strength]) => strength)),
      label: mailLabels.indexOf(label),
    };
  });
}

/** Sums up the strength of each feature over all mails. */
function timesSeen(examples: readonly PackedExample[]): Float32Array {
  const seen = new Float32Array(hashes);
  for (const { at, strength } of examples)
    for (let each = 0; each < at.length; each++) seen[at[each]!]! += strength[each]!;
  return seen;
}

/** Builds a model from the most decisive features, each with the labels that it influences most. */
function mostDecisive(weights: Float32Array, bias: Float32Array, seen: Float32Array): LinearModel {
  const features = Array.from({ length: hashes }, (_, number) => {
    const row = [...weights.subarray(number * labelCount, (number + 1) * labelCount)];
    const mean = row.reduce((sum, weight) => sum + weight, 0) / labelCount;
    const loudest = row
      .map((weight, label) => ({ label, weight: weight - mean }))
      .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .slice(0, classesPerFeature);
    return { number, loudest, worth: Math.abs(loudest[0]!.weight) * Math.sqrt(seen[number]!) };
  });
  const kept = features
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, mostFeatures);
  const sizes = kept.map(({ loudest }) => Math.abs(loudest[0]!.weight)).toSorted((a, b) => a - b);
  const step = Number((sizes[Math.floor(sizes.length * 0.998)]! / largestStep).toPrecision(3));
  const inSteps = (weight: number) => Math.max(-largestStep, Math.min(largestStep, Math.round(weight / step)));
  const entries = packWeights(
    new Map(
      kept.map(({ number, loudest }) => [
        number,
        loudest.map(({ label, weight }) => ({ class: label, steps: inSteps(weight) })),
      ]),
    ),
  );
  return {
    version: formatVersion,
    training: "node training/mails/learn.ts, on made-up mails (training/mails), then mails of the corpus (learn)",
    classes: mailLabels,
    bias: [...bias].map((value) => Number(value.toFixed(3))),
    temperature: 1,
    weights: {},
    hashed: { step, entries },
  };
}

/** Accuracy and calibration of a model. */
export interface Figures {
  right: number;
  of: number;
  /** Expected calibration error in ten bins. */
  calibration: number;
  byLabel: Map<MailLabel, Share & { taken: Map<MailLabel, number> }>;
  byLanguage: Map<string, Share>;
}

interface Share {
  right: number;
  of: number;
}

/** Measures models, each on mails that it was not trained on. */
export function measured(predictions: readonly Prediction[]): Figures {
  const figures: Figures = { right: 0, of: 0, calibration: 0, byLabel: new Map(), byLanguage: new Map() };
  const bins = Array.from({ length: 10 }, () => ({ right: 0, predicted: 0 }));
  for (const { model, examples } of predictions)
    for (const { features, label, language } of examples) {
      const [first] = likelyLabels(features, model);
      const isRight = first!.label === label;
      const bin = bins[Math.min(9, Math.floor(first!.confidence * 10))]!;
      bin.right += isRight ? 1 : 0;
      bin.predicted += first!.confidence;
      const byLabel = figures.byLabel.get(label) ?? { right: 0, of: 0, taken: new Map() };
      if (!isRight) byLabel.taken.set(first!.label, (byLabel.taken.get(first!.label) ?? 0) + 1);
      figures.byLabel.set(label, byLabel);
      const byLanguage = figures.byLanguage.get(language) ?? { right: 0, of: 0 };
      figures.byLanguage.set(language, byLanguage);
      for (const share of [figures, byLabel, byLanguage]) {
        share.right += isRight ? 1 : 0;
        share.of += 1;
      }
    }
  figures.calibration = bins.reduce((sum, { right, predicted }) => sum + Math.abs(right - predicted), 0) / figures.of;
  return figures;
}

/** A model, and mails that it was not trained on. */
export interface Prediction {
  model: LinearModel;
  examples: readonly Example[];
}

/** Returns the temperature that fits predictions best. */
export function bestTemperature(predictions: readonly Prediction[]): number {
  const lossOf = (temperature: number) =>
    predictions
      .flatMap(({ model, examples }) =>
        examples.map(({ features, label }) => {
          const labels = likelyLabels(features, { ...model, temperature });
          return -Math.log(Math.max(1e-9, labels.find((each) => each.label === label)!.confidence));
        }),
      )
      .reduce((sum, loss) => sum + loss, 0);
  const choices = Array.from({ length: 26 }, (_, at) => Number((0.5 + at * 0.1).toFixed(1)));
  const [best] = choices
    .map((temperature) => ({ temperature, loss: lossOf(temperature) }))
    .toSorted((a, b) => a.loss - b.loss);
  return best!.temperature;
}
