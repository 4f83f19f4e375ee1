import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Decimal } from "../../entities/numbers.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { kilogramsPerPound } from "../../entities/quantities.ts";
import { weightFor, type Label } from "../labels/annotations.ts";
import { scores } from "../scores.ts";

type Column = "cargoType" | "pallets" | "quantity" | "weight" | "ldm" | "volume";

/** The caption of a column of goods. */
export interface Caption {
  column: Column;
  /** Of several captions of one column, such as gross and net weight, the one with the lowest rank is preferred. */
  rank: number;
  unit?: "t" | "lb";
}

const columns: readonly { column: Column; concepts: readonly ConceptId[] }[] = [
  { column: "cargoType", concepts: ["goods", "lineDescription"] },
  { column: "pallets", concepts: ["pallets"] },
  { column: "quantity", concepts: ["quantity"] },
  { column: "weight", concepts: ["grossWeight", "weight", "netWeight"] },
  { column: "ldm", concepts: ["loadingMetres"] },
  { column: "volume", concepts: ["volume"] },
];

/** The caption that a label is. Undefined if its meaning is no column of goods. */
export function captionOf(label: Label): Caption | undefined {
  const [best] = columns
    .flatMap(({ column, concepts }) =>
      concepts.map((concept, rank) => ({ column, rank, weight: weightFor(label, new Set([concept])) })),
    )
    .filter(({ weight }) => weight >= scores.meaning)
    .sort((a, b) => b.weight - a.weight);
  if (!best) return undefined;
  const { text } = label.segment;
  const unit = /\bt(?:o|on|onnes?)?\b\.?\s?[\])]?$/iu.test(text) ? "t" : /\blbs?\b/iu.test(text) ? "lb" : undefined;
  return { column: best.column, rank: best.rank, ...(unit && { unit }) };
}

const figure = new RegExp(`^\\D{0,4}?(${NUMBER})\\s*(\\p{L}*)`, "u");
const mostTonnes = 100;

/** Reads the figure of a cell. Weights are converted to kilograms, by the unit in the cell or the caption. */
export function figureUnder({ column, unit }: Caption, text: string, decimal: Decimal): number | undefined {
  const match = figure.exec(text);
  if (!match?.[1]) return undefined;
  const { likely, other } = readNumber(match[1], decimal);
  if (column === "pallets" || column === "quantity")
    return [likely, other].find((value) => value !== undefined && Number.isInteger(value));
  if (column !== "weight") return likely;
  const printed = match[2]?.toLowerCase();
  if (printed === "t" || printed === "to" || (unit === "t" && printed !== "kg"))
    return Math.round((likely < mostTonnes ? likely : (other ?? likely)) * 1e6) / 1e3;
  const whole = other === undefined ? likely : Math.max(likely, other);
  return unit === "lb" || printed?.startsWith("lb") ? Math.round(whole * kilogramsPerPound) : whole;
}
