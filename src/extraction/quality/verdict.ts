import type { PageMeasures } from "../images/measure.ts";
import type { PageMeasurement } from "./measuring-ocr.ts";

export const verdicts = ["Good", "Acceptable", "Poor", "Unreadable"] as const;
export type Verdict = (typeof verdicts)[number];

/** Flaws of a page or document, the worst first. */
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

/** Assessment of a page or document. */
export interface Judgement {
  verdict: Verdict;
  /** 0 to 100. */
  score: number;
  reasons: Flaw[];
}

/** Points that a flaw deducts, from 0. */
export type Loss = [Flaw, number];

/** Smaller deductions are not named as reasons. */
const minLoss = 10;

export function judgementOf(losses: readonly Loss[]): Judgement {
  const score = Math.max(0, Math.round(100 - losses.reduce((sum, [, loss]) => sum + Math.max(0, loss), 0)));
  const named = losses.filter(([, loss]) => loss >= minLoss).toSorted(([, a], [, b]) => b - a);
  return { verdict: verdictOf(score), score, reasons: named.map(([flaw]) => flaw) };
}

export function verdictOf(score: number): Verdict {
  if (score >= 80) return "Good";
  if (score >= 60) return "Acceptable";
  return score >= 35 ? "Poor" : "Unreadable";
}

/** Assesses a page by its measurements. `wordless` pages, such as photographs of goods, need no text. */
export function judgedPage(looked: PageMeasurement, { wordless = false } = {}): Judgement {
  if ("damage" in looked) return judgementOf([["Damaged", 100]]);
  const { measures } = looked;
  if (measures.blank) return judgementOf([["Blank", 100]]);
  if (measures.letterHeight === 0) return wordless ? judgementOf(lightLosses(measures)) : judgementOf([["NoText", 80]]);
  return judgementOf([...lightLosses(measures), ...textLosses(measures)]);
}

function lightLosses({ darkness, glare }: PageMeasures): Loss[] {
  return [
    ["TooDark", darkness > 0.4 ? (darkness - 0.4) * 100 : 0],
    ["Glare", glare > 0.03 ? Math.min(60, glare * 250) : 0],
  ];
}

/** Letters of 12 pixels or more are recognised reliably, letters below 5 not at all. */
function textLosses({ letterHeight, blur, crop, skew, rotation }: PageMeasures): Loss[] {
  const small = letterHeight >= 12 ? 0 : (12 - letterHeight) * 8;
  return [
    ["LowResolution", Math.min(90, small)],
    ["Blurred", blur > 0.1 ? blur * 100 : 0],
    ["Cropped", crop.length === 0 ? 0 : 15 + crop.length * 10],
    ["Rotated", rotation === 0 ? 0 : minLoss],
    ["Skewed", Math.abs(skew) > 8 ? minLoss : 0],
  ];
}
