import type { Check, Evidence, ExtractedItem, Source } from "../../document/extraction-result.ts";
import { isContainer } from "../../entities/container-numbers.ts";
import { isIban } from "../../entities/ibans.ts";
import { isVatValid } from "../../entities/vat.ts";
import { classScore, classWeights, logistic, type ClassWeights, type LinearModel } from "../../linear-model.ts";
import shipped from "./calibration.json" with { type: "json" };
import { fieldOf, featuresOf, type ValueFeatures } from "./value-features.ts";

/** Calibration of one field or type: a logistic model over features, followed by a monotonic curve. */
export interface Calibration extends ClassWeights {
  curve: Curve;
  /**
   * Minimum confidence of a value that is reported as sure. A confidence between `sureConfidence` and this minimum is
   * reduced to just below `sureConfidence`.
   */
  sure?: number;
}

/**
 * Points of a curve: the probability from the model, and the share of correct values. Between points, the curve is
 * interpolated linearly.
 */
export type Curve = readonly (readonly [number, number])[];

/**
 * The model has one class per document kind, field and source ("order locations/city Document"), and one per kind and
 * value type ("order Date"). Kind "any" is for kinds without training documents.
 */
export interface CalibrationModel extends LinearModel {
  curves: Readonly<Record<string, { points: Curve; sure?: number }>>;
}

/** Returns the calibrations of a model by class. */
export const calibrationsIn = (model: CalibrationModel): Map<string, Calibration> =>
  new Map(
    model.classes.map((name) => {
      const { points, sure } = model.curves[name]!;
      return [name, { ...classWeights(model, name)!, curve: points, ...(sure !== undefined && { sure }) }];
    }),
  );

const calibrations = calibrationsIn(shipped as unknown as CalibrationModel);
/** Minimum confidence of a value that needs no review. */
export const sureConfidence = 0.9;
/** Bounds and factors of confidences, set by hand. */
const confidences = {
  /** Maximum for values that must not be reported as sure. */
  unsure: 0.899,
  /** Maximum for a value that only one engine found. If a second engine agrees, the confidence may be higher. */
  most: 0.98,
  least: 0.01,
  /** Factors for values that fail a check: before calibration, and again after it. */
  failedCheck: 0.6,
  calibratedFailedCheck: 0.95,
  /** Minimum OCR confidence of a legible word; below it, one in six values is wrong. */
  legible: 0.8,
};
/**
 * Sources whose values are calibrated. Values from corrections (`Learned`) and people (`Human`) keep their confidence.
 */
const guessed: ReadonlySet<Source> = new Set(["Document", "Computed", "Registry"]);

/**
 * Turns scores into confidences: of ten values with confidence 0.8, eight are correct. The model is trained on
 * generated documents (training/calibrate.ts). A kind without training documents uses the curves of the value types.
 * Values that may be misread in an image are never reported as sure, nor are those of the labeller of orders, whose
 * scores are probabilities already.
 */
export function calibrate<View>(kind: string, reading: ExtractedItem<View>): ExtractedItem<View> {
  const byRules = reading.evidence.filter(({ labelled }) => !labelled);
  const signs = new Map(featuresOf({ ...reading, evidence: byRules }).map((each, at) => [byRules[at]!, each]));
  const evidence = reading.evidence.map((each) => {
    if (each.labelled) return { ...each, confidence: Math.min(confidences.unsure, each.confidence) };
    const calibration = guessed.has(each.source) ? calibrationOf(kind, each) : undefined;
    if (!calibration) return each;
    const confidence = confidenceOf(calibration, signs.get(each)!);
    return { ...each, confidence: mayBeMisread(each) ? Math.min(confidences.unsure, confidence) : confidence };
  });
  return { ...reading, evidence };
}

function calibrationOf(kind: string, each: Evidence): Calibration | undefined {
  return [`${kind} ${groupOf(each)}`, `${kind} ${typeOf(each)}`, `any ${typeOf(each)}`]
    .map((name) => calibrations.get(name))
    .find((calibration) => calibration !== undefined);
}

/** Returns the field and source of a value: "locations/city Document". */
export const groupOf = ({ pointer, source }: Pick<Evidence, "pointer" | "source">): string =>
  `${fieldOf(pointer)} ${source}`;

const dated = /(?:date|at|until|from|to|due)$/iu;
const coded = /(?:code|plates?|phone|iban|numbers?|references?|email|links|last4)$/iu;

/** Returns the type of a value. The curve of the type is used for fields that are too rare to have their own. */
export function typeOf({ pointer, value }: Pick<Evidence, "pointer" | "value">): string {
  const name = fieldOf(pointer);
  if (typeof value === "number") return "Number";
  if (typeof value === "boolean") return "YesNo";
  if (dated.test(name) && /^\d{4}-/u.test(String(value))) return "Date";
  return coded.test(name) ? "Code" : "Text";
}

/** Returns the calibrated confidence of a value with these features, rounded to three decimals. */
export function confidenceOf(calibration: Calibration, signs: ValueFeatures): number {
  const { curve, sure } = calibration;
  const chance = interpolate(curve, logistic(classScore(calibration, Object.entries(signs))));
  const kept = sure !== undefined && chance >= sureConfidence && chance < sure ? confidences.unsure : chance;
  const left = kept * (signs.doubted === 1 ? confidences.calibratedFailedCheck : 1);
  return Math.round(Math.min(confidences.most, Math.max(confidences.least, left)) * 1000) / 1000;
}

function interpolate(curve: Curve, at: number): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return at;
  const next = curve.findIndex(([x]) => x >= at);
  if (next === 0) return first[1];
  if (next < 0) return last[1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1]!, curve[next]!];
  return y0 + ((at - x0) / Math.max(1e-9, x1 - x0)) * (y1 - y0);
}

/**
 * Whether a value from an image may be misread without anyone noticing: OCR has low confidence in one of its words, or
 * the value contains digits, appears only once and has no check digits.
 */
function mayBeMisread(evidence: Evidence): boolean {
  const { value, text = "", seen } = evidence;
  if (!seen) return false;
  const hangsOnFigures = figure.test(text) && figure.test(String(value));
  return seen.worst < confidences.legible || (hangsOnFigures && !seen.again && !hasCheckDigits(evidence));
}

const figure = /\d/u;

function hasCheckDigits({ pointer, value }: Evidence): boolean {
  const [field, code] = [fieldOf(pointer), String(value)];
  if (field.endsWith("vatCode")) return isVatValid(code);
  if (field.endsWith("iban")) return isIban(code);
  return field.endsWith("containerNumber") && isContainer(code);
}

/** Lowers the confidence of values that fail a check. The values stay as printed. */
export function lowerDoubted(evidence: readonly Evidence[], checks: readonly Check[]): Evidence[] {
  const pointers = new Set(checks.filter((check) => !check.passed).flatMap((check) => check.pointers));
  return evidence.map((each) =>
    pointers.has(each.pointer)
      ? { ...each, confidence: Math.round(each.confidence * confidences.failedCheck * 1000) / 1000 }
      : each,
  );
}
