import type { Reading } from "../../src/extraction/document/reading.ts";
import {
  confidenceOf,
  groupOf,
  sureConfidence,
  typeOf,
  type Calibration,
} from "../../src/extraction/fields/confidence/calibration.ts";
import { fieldOf, featureNames, featuresOf, type ValueFeatures } from "../../src/extraction/fields/confidence/signs.ts";
import type { ClassWeights } from "../../src/extraction/linear-model.ts";
import { judged } from "./compare.ts";
import { critical } from "./critical.ts";
import { risingCurve } from "./isotonic.ts";
import { learnt, probabilityOf, type Example, type Logistic } from "./logistic.ts";

/** A value that was read, with its signs and whether it is right. */
export interface Tried {
  kind: string;
  field: string;
  group: string;
  type: string;
  /** Of which document: values of one document are never both learnt from and tried in the same fold. */
  document: number;
  signs: ValueFeatures;
  right: boolean;
  critical: boolean;
}

/** The values of one reading that its truth speaks of. */
export function tried(kind: string, document: number, reading: Reading<unknown>, truth: unknown): Tried[] {
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
      document,
      signs: signs[at]!,
      right,
      critical: critical[kind]?.test(field) ?? false,
    };
  });
}

const folds = 5;
const penalty = 5;
/** Of one field's values said to be sure so many may be wrong; over all fields, of which most have fewer, it is less than half. */
const wrongAtMost = 0.012;
/** A field with fewer values has its type's calibration, and so has one in which too few are wrong to tell by what. */
const [fewest, fewestWrong] = [120, 3];

/** Whether a calibration can be learnt of these values. */
export const isTelling = (values: readonly Tried[]): boolean =>
  values.length >= fewest && values.filter(({ right }) => !right).length >= fewestWrong;

/**
 * The model over all values and the curve over what models of the other folds say of each, so that no value is said to be
 * as sure as the model that has seen it would. Critical values are sure only from where few enough of them are wrong.
 */
export function calibrationOf(values: readonly Tried[]): Calibration {
  const models = Array.from({ length: folds }, (_, fold) =>
    learnt(values.filter(({ document }) => document % folds !== fold).map(example), penalty),
  );
  const told = values.map((each) => ({
    ...each,
    said: probabilityOf(models[each.document % folds]!, example(each).signs),
  }));
  const { weights, bias } = learnt(values.map(example), penalty);
  const whole: Calibration = {
    ...byName({ weights: weights.map(rounded), bias: rounded(bias) }),
    curve: risingCurve(told),
  };
  const isCritical = values.some((each) => each.critical);
  return isCritical ? { ...whole, sure: sureFrom(whole, models, told) } : whole;
}

const example = ({ signs, right }: Tried): Example => ({ signs: featureNames.map((name) => signs[name]), right });

const byName = ({ weights, bias }: Logistic): ClassWeights => ({
  weights: Object.fromEntries(featureNames.map((name, at) => [name, weights[at]!])),
  bias,
});

/** The least confidence at and above which so few are wrong, asked of the folds' own models. */
function sureFrom({ curve }: Calibration, models: readonly Logistic[], told: readonly Tried[]): number {
  const said = told
    .map(({ signs, right, document }) => ({
      right,
      confidence: confidenceOf({ ...byName(models[document % folds]!), curve }, signs),
    }))
    .toSorted((a, b) => b.confidence - a.confidence);
  let sure = 1;
  let wrong = 0;
  for (const [at, { right, confidence }] of said.entries()) {
    wrong += right ? 0 : 1;
    const last = said[at + 1]?.confidence !== confidence;
    if (last && (wrong + 0.5) / (at + 1) <= wrongAtMost) sure = confidence;
  }
  return Math.max(sureConfidence, sure);
}

const rounded = (weight: number) => Math.round(weight * 10_000) / 10_000;
