import { mailLabels, type MailLabel } from "./labels.ts";
import { mailFeatures, type MailFeatures, type MailText } from "./mail-features.ts";
import model from "./label-model.json" with { type: "json" };

/** A label and how likely the mail means it; all labels together make 1. */
export interface Likely {
  label: MailLabel;
  confidence: number;
}

/** A linear model: what each feature, by its number, speaks for and against. */
export interface LabelModel {
  /** Above 1: the model is surer than it may be. */
  temperature: number;
  bias: number[];
  /** How much one step of a weight is. */
  step: number;
  /** One entry a feature, in signs of base64: its number (three), then label and weight (one each) as often as fits. */
  entries: string;
}

/** Features are told apart by so many numbers. */
export const numbers = 2 ** 18;
/** Labels that a feature has weights for; to all others it says nothing. */
export const weightsEach = 4;
const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The sign of a weight that is nothing. */
export const middle = 32;
const entryLength = 3 + 2 * weightsEach;

interface Weights {
  temperature: number;
  bias: readonly number[];
  /** By feature: label, weight, label, weight ... */
  of: Map<number, number[]>;
}

let known: Weights | undefined;

/** All labels, the likeliest first. */
export function labelsOf(mail: MailText): Likely[] {
  known ??= unpacked(model);
  return labelled(mailFeatures(mail), known);
}

/** What a model makes of a mail's features. */
export function labelled(features: MailFeatures, { temperature, bias, of }: Weights): Likely[] {
  const sums = [...bias];
  for (const [name, strength] of features) {
    const weights = of.get(numberOf(name));
    if (!weights) continue;
    for (let at = 0; at < weights.length; at += 2) sums[weights[at]!]! += strength * weights[at + 1]!;
  }
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp((sum - most) / temperature));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return mailLabels
    .map((label, at) => ({ label, confidence: shares[at]! / all }))
    .sort((a, b) => b.confidence - a.confidence);
}

/** The number a feature goes by (FNV-1a). */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % numbers;
}

export function packed(weights: ReadonlyMap<number, readonly { label: number; steps: number }[]>): string {
  return [...weights]
    .toSorted(([one], [other]) => one - other)
    .map(([number, each]) => {
      const pairs = Array.from({ length: weightsEach }, (_, at) => each[at] ?? { label: 0, steps: 0 });
      const head = signs[number >> 12]! + signs[(number >> 6) & 63]! + signs[number & 63]!;
      return head + pairs.map(({ label, steps }) => signs[label]! + signs[steps + middle]!).join("");
    })
    .join("");
}

export function unpacked({ temperature, bias, step, entries }: LabelModel): Weights {
  const of = new Map<number, number[]>();
  const value = (at: number) => signs.indexOf(entries[at]!);
  for (let at = 0; at < entries.length; at += entryLength) {
    const weights: number[] = [];
    for (let pair = at + 3; pair < at + entryLength; pair += 2) {
      const steps = value(pair + 1) - middle;
      if (steps !== 0) weights.push(value(pair), steps * step);
    }
    of.set((value(at) << 12) | (value(at + 1) << 6) | value(at + 2), weights);
  }
  return { temperature, bias, of };
}
