import {
  classesPerFeature,
  formatVersion,
  hashes,
  hashOf,
  packWeights,
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
const mostFeatures = 26_000;
const largestStep = 31;
const pace = 0.25;
const epochs = 9;
const decay = 2e-6;

/**
 * Trains a multinomial logistic regression by stochastic gradient descent with a learning rate per weight. The model
 * stores each weight as one character.
 */
export function trainModel(examples: readonly Example[], chance: Chance): LinearModel {
  const count = mailLabels.length;
  const weights = new Float32Array(hashes * count);
  const seen = new Float32Array(hashes * count).fill(1e-3);
  const bias = new Float32Array(count);
  const packedExamples = examples.map(({ features, label }) => ({
    at: Int32Array.from([...features.keys()].map((name) => hashOf(name))),
    strength: Float32Array.from(features.values()),
    label: mailLabels.indexOf(label),
  }));
  const sums = new Float64Array(count);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { at, strength, label } of chance.shuffled(packedExamples)) {
      sums.set(bias);
      for (let each = 0; each < at.length; each++)
        for (let to = 0; to < count; to++) sums[to]! += strength[each]! * weights[at[each]! * count + to]!;
      const most = Math.max(...sums);
      let all = 0;
      for (let to = 0; to < count; to++) all += sums[to] = Math.exp(sums[to]! - most);
      for (let to = 0; to < count; to++) {
        const error = sums[to]! / all - (to === label ? 1 : 0);
        bias[to]! -= 0.002 * error;
        if (Math.abs(error) < 1e-4) continue;
        for (let each = 0; each < at.length; each++) {
          const place = at[each]! * count + to;
          const slope = error * strength[each]! + decay * weights[place]!;
          seen[place]! += slope * slope;
          weights[place]! -= (pace * slope) / Math.sqrt(seen[place]!);
        }
      }
    }
  }
  return mostDecisive(weights, bias, timesSeen(packedExamples));
}

/** Sums up the strength of each feature over all mails. */
function timesSeen(examples: readonly { at: Int32Array; strength: Float32Array }[]): Float32Array {
  const seen = new Float32Array(hashes);
  for (const { at, strength } of examples)
    for (let each = 0; each < at.length; each++) seen[at[each]!]! += strength[each]!;
  return seen;
}

/** Builds a model from the most decisive features, each with the labels that it influences most. */
function mostDecisive(weights: Float32Array, bias: Float32Array, seen: Float32Array): LinearModel {
  const count = mailLabels.length;
  const features = Array.from({ length: hashes }, (_, number) => {
    const row = [...weights.subarray(number * count, (number + 1) * count)];
    const mean = row.reduce((sum, weight) => sum + weight, 0) / count;
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
    training: "node training/mails/learn.ts, on mails of training/mails/phrases",
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
  byLabel: Map<MailLabel, { right: number; of: number; taken: Map<MailLabel, number> }>;
  byLanguage: Map<string, { right: number; of: number }>;
}

export function measured(examples: readonly Example[], model: LinearModel): Figures {
  const figures: Figures = { right: 0, of: 0, calibration: 0, byLabel: new Map(), byLanguage: new Map() };
  const bins = Array.from({ length: 10 }, () => ({ right: 0, predicted: 0, of: 0 }));
  for (const { features, label, language } of examples) {
    const [first] = likelyLabels(features, model);
    const isRight = first!.label === label ? 1 : 0;
    const bin = bins[Math.min(9, Math.floor(first!.confidence * 10))]!;
    bin.right += isRight;
    bin.predicted += first!.confidence;
    bin.of += 1;
    figures.right += isRight;
    figures.of += 1;
    const byLabel = figures.byLabel.get(label) ?? { right: 0, of: 0, taken: new Map() };
    byLabel.right += isRight;
    byLabel.of += 1;
    if (!isRight) byLabel.taken.set(first!.label, (byLabel.taken.get(first!.label) ?? 0) + 1);
    figures.byLabel.set(label, byLabel);
    const byLanguage = figures.byLanguage.get(language) ?? { right: 0, of: 0 };
    byLanguage.right += isRight;
    byLanguage.of += 1;
    figures.byLanguage.set(language, byLanguage);
  }
  figures.calibration = bins.reduce((sum, { right, predicted }) => sum + Math.abs(right - predicted), 0) / figures.of;
  return figures;
}

/** Sets the model's temperature to the value that fits these examples best. */
export function withTemperature(model: LinearModel, examples: readonly Example[]): LinearModel {
  const loss = (temperature: number) =>
    examples.reduce((sum, { features, label }) => {
      const predicted = likelyLabels(features, { ...model, temperature }).find((each) => each.label === label)!;
      return sum - Math.log(Math.max(1e-9, predicted.confidence));
    }, 0);
  const choices = Array.from({ length: 16 }, (_, at) => 0.5 + at * 0.1);
  const [best] = choices
    .map((temperature) => ({ temperature, loss: loss(temperature) }))
    .toSorted((a, b) => a.loss - b.loss);
  return { ...model, temperature: Number(best!.temperature.toFixed(2)) };
}
