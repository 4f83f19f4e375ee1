import type { PageMeasures } from "../images/measure.ts";
import type { PageMeasurement } from "./measuring-ocr.ts";

export const verdicts = ["Good", "Acceptable", "Poor", "Unreadable"] as const;
export type Verdict = (typeof verdicts)[number];

/** Flaws of a page or document, roughly from the worst to the least. */
export const flaws = [
  "Damaged",
  "Blank",
  "NoText",
  "Blurred",
  "LowResolution",
  "TooDark",
  "Glare",
  "Cropped",
  "MissingPages",
  "OtherType",
  "MissingSignature",
  "MissingStamp",
  "Rotated",
  "Skewed",
] as const;
export type Flaw = (typeof flaws)[number];

/** The assessment of a page or document. */
export interface Judgement {
  verdict: Verdict;
  /** 0 to 100. */
  score: number;
  reasons: Flaw[];
}

/** A flaw, with the points that it deducts. */
export type Loss = [Flaw, number];

const minLoss = 10;
const leastScore = { good: 80, acceptable: 60, poor: 35 };
/** Set by hand, so that the score shows how well OCR can recognise the text. */
const deductions = {
  noText: 80,
  darkness: { from: 0.4, each: 100 },
  glare: { from: 0.03, each: 250, most: 60 },
  blur: { from: 0.1, each: 100 },
  /** OCR recognises letters of 12 pixels reliably, and letters of less than 5 pixels not at all. */
  letterHeight: { below: 12, each: 8, most: 90 },
  crop: { any: 15, eachSide: 10 },
  /** In degrees. */
  skew: { from: 8 },
};

export function judgementOf(losses: readonly Loss[]): Judgement {
  const score = Math.max(0, Math.round(100 - losses.reduce((sum, [, loss]) => sum + Math.max(0, loss), 0)));
  const named = losses.filter(([, loss]) => loss >= minLoss).toSorted(([, a], [, b]) => b - a);
  return { verdict: verdictOf(score), score, reasons: named.map(([flaw]) => flaw) };
}

export function verdictOf(score: number): Verdict {
  if (score >= leastScore.good) return "Good";
  if (score >= leastScore.acceptable) return "Acceptable";
  return score >= leastScore.poor ? "Poor" : "Unreadable";
}

/**
 * Assesses a page from its measurements.
 * @param options `wordless`: whether the page may have no text, as in photographs of goods
 */
export function judgedPage(looked: PageMeasurement, { wordless = false } = {}): Judgement {
  if ("damage" in looked) return judgementOf([["Damaged", 100]]);
  const { measures } = looked;
  if (measures.blank) return judgementOf([["Blank", 100]]);
  if (measures.letterHeight === 0)
    return wordless ? judgementOf(lightLosses(measures)) : judgementOf([["NoText", deductions.noText]]);
  return judgementOf([...lightLosses(measures), ...textLosses(measures)]);
}

function lightLosses({ darkness, glare }: PageMeasures): Loss[] {
  const { darkness: dark, glare: bright } = deductions;
  return [
    ["TooDark", darkness > dark.from ? (darkness - dark.from) * dark.each : 0],
    ["Glare", glare > bright.from ? Math.min(bright.most, glare * bright.each) : 0],
  ];
}

function textLosses({ letterHeight, blur, crop, skew, rotation }: PageMeasures): Loss[] {
  const { letterHeight: small, blur: blurred, crop: cropped } = deductions;
  return [
    ["LowResolution", Math.min(small.most, Math.max(0, small.below - letterHeight) * small.each)],
    ["Blurred", blur > blurred.from ? blur * blurred.each : 0],
    ["Cropped", crop.length === 0 ? 0 : cropped.any + crop.length * cropped.eachSide],
    ["Rotated", rotation === 0 ? 0 : minLoss],
    ["Skewed", Math.abs(skew) > deductions.skew.from ? minLoss : 0],
  ];
}
