import type { Evidence, ExtractedItem, Source } from "../../document/extraction-result.ts";
import { classScore, classWeights, logistic, type ClassWeights, type LinearModel } from "../../linear-model.ts";
import shipped from "./calibration.json" with { type: "json" };
import { mayBeMisread } from "./scanned.ts";
import { fieldOf, featuresOf, type ValueFeatures } from "./signs.ts";

/** How surely the values of one field, or of one type, are right: a logistic model over their signs, then a rising curve. */
export interface Calibration extends ClassWeights {
  curve: Curve;
  /** From here on the value is said to be sure; what lies between `surely` and this is said to be just below. */
  sure?: number;
}

/** Corners [probability by the model, share that is right], straight between them. */
export type Curve = readonly (readonly [number, number])[];

/**
 * A class for each kind of document and field ("order locations/city Document") or type ("order Date"); kind "any" is for
 * kinds without documents to learn from.
 */
export interface CalibrationModel extends LinearModel {
  curves: Readonly<Record<string, { points: Curve; sure?: number }>>;
}

/** The calibrations of a model by class. */
export const calibrationsIn = (model: CalibrationModel): Map<string, Calibration> =>
  new Map(
    model.classes.map((name) => {
      const { points, sure } = model.curves[name]!;
      return [name, { ...classWeights(model, name)!, curve: points, ...(sure !== undefined && { sure }) }];
    }),
  );

const calibrations = calibrationsIn(shipped as unknown as CalibrationModel);
/** A value with this confidence needs no second look. */
export const sureConfidence = 0.9;
const belowSurely = 0.89;
/** One reader alone is never surer; a second that agrees may be. */
const surest = 0.98;
/** What is left of the confidence in values that a failed check speaks of, where the curve alone would leave it as it was. */
const doubt = 0.95;
/** What people and registers of the company said is theirs. */
const guessed: ReadonlySet<Source> = new Set(["Document", "Computed", "Registry"]);

/**
 * Turns the scores of a reading into confidences: of the values said with 0.8, eight of ten are right. Learnt from
 * generated documents (training/calibrate.ts); a kind there are none of has the curves of its values' types. What may be
 * misread on a picture is never said to be sure.
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

/** The field and where its values come from. */
export const groupOf = ({ pointer, source }: Pick<Evidence, "pointer" | "source">): string =>
  `${fieldOf(pointer)} ${source}`;

const dated = /(?:date|at|until|from|to|due)$/iu;
const coded = /(?:code|plates?|phone|iban|numbers?|references?|email|links|last4)$/iu;

/** What sort of value it is, for fields too seldom for a curve of their own. */
export function typeOf({ pointer, value }: Pick<Evidence, "pointer" | "value">): string {
  const name = fieldOf(pointer);
  if (typeof value === "number") return "Number";
  if (typeof value === "boolean") return "YesNo";
  if (dated.test(name) && /^\d{4}-/u.test(String(value))) return "Date";
  return coded.test(name) ? "Code" : "Text";
}

/** The confidence these signs deserve. */
export function confidenceOf(calibration: Calibration, signs: ValueFeatures): number {
  const { curve, sure } = calibration;
  const chance = interpolate(curve, logistic(classScore(calibration, Object.entries(signs))));
  const kept = sure !== undefined && chance >= sureConfidence && chance < sure ? belowSurely : chance;
  const left = kept * (signs.doubted === 1 ? doubt : 1);
  return Math.round(Math.min(surest, Math.max(0.01, left)) * 1000) / 1000;
}

/** The curve's height, level before its first corner and behind its last. */
export function interpolate(curve: Curve, at: number): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return at;
  const next = curve.findIndex(([x]) => x >= at);
  if (next === 0) return first[1];
  if (next < 0) return last[1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1]!, curve[next]!];
  return y0 + ((at - x0) / Math.max(1e-9, x1 - x0)) * (y1 - y0);
}
