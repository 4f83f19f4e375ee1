import type { Evidence, ExtractedItem, Source } from "../../document/extraction-result.ts";
import { classScore, classWeights, logistic, type ClassWeights, type LinearModel } from "../../linear-model.ts";
import shipped from "./calibration.json" with { type: "json" };
import { mayBeMisread } from "./scanned.ts";
import { fieldOf, featuresOf, type ValueFeatures } from "./signs.ts";

/** Calibration of one field or type: a logistic model over features, followed by a monotonic curve. */
export interface Calibration extends ClassWeights {
  curve: Curve;
  /** From here on the value is reported as sure; between `surely` and this as just below. */
  sure?: number;
}

/** Corners [model probability, share correct], interpolated linearly. */
export type Curve = readonly (readonly [number, number])[];

/**
 * One class per document kind and field ("order locations/city Document") or type ("order Date"); kind "any" serves
 * kinds without training documents.
 */
export interface CalibrationModel extends LinearModel {
  curves: Readonly<Record<string, { points: Curve; sure?: number }>>;
}

/** Calibrations of a model by class. */
export const calibrationsIn = (model: CalibrationModel): Map<string, Calibration> =>
  new Map(
    model.classes.map((name) => {
      const { points, sure } = model.curves[name]!;
      return [name, { ...classWeights(model, name)!, curve: points, ...(sure !== undefined && { sure }) }];
    }),
  );

const calibrations = calibrationsIn(shipped as unknown as CalibrationModel);
/** Confidence from which a value needs no review. */
export const sureConfidence = 0.9;
const belowSurely = 0.89;
/** Upper bound for a single engine; a second that agrees may exceed it. */
const surest = 0.98;
/** Factor for values in a failed check where the curve alone would not lower the confidence. */
const doubt = 0.95;
/** Sources whose values are calibrated; values from people and company registers are kept. */
const guessed: ReadonlySet<Source> = new Set(["Document", "Computed", "Registry"]);

/**
 * Turns scores into confidences: of values reported with 0.8, eight of ten are correct. Trained on generated documents
 * (training/calibrate.ts); a kind without any uses the curves of the value types. Values that may be misread in an
 * image are never reported as sure.
 */
export function calibrate<View>(kind: string, reading: ExtractedItem<View>): ExtractedItem<View> {
  const signs = featuresOf(reading);
  const evidence = reading.evidence.map((each, at) => {
    const calibration = guessed.has(each.source) ? calibrationOf(kind, each) : undefined;
    if (!calibration) return each;
    const confidence = confidenceOf(calibration, signs[at]!);
    return { ...each, confidence: mayBeMisread(each) ? Math.min(belowSurely, confidence) : confidence };
  });
  return { ...reading, evidence };
}

function calibrationOf(kind: string, each: Evidence): Calibration | undefined {
  return [`${kind} ${groupOf(each)}`, `${kind} ${typeOf(each)}`, `any ${typeOf(each)}`]
    .map((name) => calibrations.get(name))
    .find((calibration) => calibration !== undefined);
}

/** Field and source of a value. */
export const groupOf = ({ pointer, source }: Pick<Evidence, "pointer" | "source">): string =>
  `${fieldOf(pointer)} ${source}`;

const dated = /(?:date|at|until|from|to|due)$/iu;
const coded = /(?:code|plates?|phone|iban|numbers?|references?|email|links|last4)$/iu;

/** Type of a value, for fields too rare for a curve of their own. */
export function typeOf({ pointer, value }: Pick<Evidence, "pointer" | "value">): string {
  const name = fieldOf(pointer);
  if (typeof value === "number") return "Number";
  if (typeof value === "boolean") return "YesNo";
  if (dated.test(name) && /^\d{4}-/u.test(String(value))) return "Date";
  return coded.test(name) ? "Code" : "Text";
}

/** Confidence for these features. */
export function confidenceOf(calibration: Calibration, signs: ValueFeatures): number {
  const { curve, sure } = calibration;
  const chance = interpolate(curve, logistic(classScore(calibration, Object.entries(signs))));
  const kept = sure !== undefined && chance >= sureConfidence && chance < sure ? belowSurely : chance;
  const left = kept * (signs.doubted === 1 ? doubt : 1);
  return Math.round(Math.min(surest, Math.max(0.01, left)) * 1000) / 1000;
}

/** Height of the curve; constant before the first corner and after the last. */
export function interpolate(curve: Curve, at: number): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return at;
  const next = curve.findIndex(([x]) => x >= at);
  if (next === 0) return first[1];
  if (next < 0) return last[1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1]!, curve[next]!];
  return y0 + ((at - x0) / Math.max(1e-9, x1 - x0)) * (y1 - y0);
}
