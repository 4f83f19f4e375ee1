import type { ExtractedItem } from "../../src/extraction/document/extraction-result.ts";
import {
  confidenceOf,
  groupOf,
  sureConfidence,
  typeOf,
  type Calibration,
} from "../../src/extraction/fields/confidence/calibration.ts";
import {
  fieldOf,
  featureNames,
  featuresOf,
  type ValueFeatures,
} from "../../src/extraction/fields/confidence/value-features.ts";
import type { ClassWeights } from "../../src/extraction/linear-model.ts";
import { judged } from "./judged.ts";
import { isCritical } from "../../corpus/critical.ts";
import { risingCurve } from "./isotonic.ts";
import { learnt, probabilityOf, type Example, type Logistic } from "./logistic.ts";

/** An extracted value with its features and whether it is correct. */
export interface Tried {
  kind: string;
  field: string;
  group: string;
  type: string;
  /** Number of the document, or of its author. Values of one number are never split between training and test folds. */
  origin: number;
  signs: ValueFeatures;
  right: boolean;
  critical: boolean;
}

/** Returns the values of an extraction that the truth covers. */
export function tried(kind: string, origin: number, reading: ExtractedItem<unknown>, truth: unknown): Tried[] {
  const rights = new Map(
    judged(truth, reading.data, reading.evidence).map(({ pointer, right }) => [pointer, right] as const),
  );
  const signs = featuresOf(reading);
  return reading.evidence.flatMap((each, at) => {
    const right = rights.get(each.pointer);
    if (right === undefined) return [];
    const field = fieldOf(each.pointer);
    return {
      kind,
      field,
      group: groupOf(each),
      type: typeOf(each),
      origin,
      signs: signs[at]!,
      right,
      critical: isCritical(kind, field),
    };
  });
}

const folds = 5;
const penalty = 5;
/**
 * Maximum share of wrong values among the values of one field that are reported as sure. The share over all fields is
 * less than half of this.
 */
const wrongAtMost = 0.012;
/**
 * Minimum number of values, and of wrong values, for a separate calibration of a field. Other fields use the one of
 * their type.
 */
const [fewest, fewestWrong] = [120, 3];

/** Whether these values suffice to train a calibration. */
export const isTelling = (values: readonly Tried[]): boolean =>
  values.length >= fewest && values.filter(({ right }) => !right).length >= fewestWrong;

/**
 * Trains a calibration. Its weights are trained on all values; its curve is fitted to out-of-fold predictions, which
 * come from models that were not trained on the value. Critical values are reported as sure only at confidences at
 * which few are wrong.
 */
export function calibrationOf(values: readonly Tried[]): Calibration {
  const models = Array.from({ length: folds }, (_, fold) =>
    learnt(values.filter(({ origin }) => origin % folds !== fold).map(example), penalty),
  );
  const outOfFold = values.map((each) => ({
    ...each,
    predicted: probabilityOf(models[each.origin % folds]!, example(each).signs),
  }));
  const { weights, bias } = learnt(values.map(example), penalty);
  const whole: Calibration = {
    ...byName({ weights: weights.map(rounded), bias: rounded(bias) }),
    curve: risingCurve(outOfFold),
  };
  return values.some((each) => each.critical) ? { ...whole, sure: sureFrom(whole, models, outOfFold) } : whole;
}

const example = ({ signs, right }: Tried): Example => ({ signs: featureNames.map((name) => signs[name]), right });

const byName = ({ weights, bias }: Logistic): ClassWeights => ({
  weights: Object.fromEntries(featureNames.map((name, at) => [name, weights[at]!])),
  bias,
});

/** Finds the lowest confidence at or above which the share of wrong out-of-fold values is low enough. */
function sureFrom({ curve }: Calibration, models: readonly Logistic[], outOfFold: readonly Tried[]): number {
  const predicted = outOfFold
    .map(({ signs, right, origin }) => ({
      right,
      confidence: confidenceOf({ ...byName(models[origin % folds]!), curve }, signs),
    }))
    .toSorted((a, b) => b.confidence - a.confidence);
  let sure = 1;
  let wrong = 0;
  for (const [at, { right, confidence }] of predicted.entries()) {
    wrong += right ? 0 : 1;
    const last = predicted[at + 1]?.confidence !== confidence;
    if (last && (wrong + 0.5) / (at + 1) <= wrongAtMost) sure = confidence;
  }
  return Math.max(sureConfidence, sure);
}

const rounded = (weight: number) => Math.round(weight * 10_000) / 10_000;
