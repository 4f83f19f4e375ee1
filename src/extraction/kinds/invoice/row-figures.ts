import { fold } from "../../lexicon/fold.ts";
import type { SeeingContext } from "../../entities/entity.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";

/** A number of a printed line, whatever else stands on the line. */
export interface RowFigure {
  segment: Segment;
  start: number;
  end: number;
  /** The likely reading first. */
  values: readonly number[];
  percent: boolean;
  /** Printed with two decimals, as sums are. */
  cents: boolean;
}

const figure = new RegExp(
  `(?<![\\p{L}\\d.,:/-])([-–−] ?)?(${NUMBER})(?![\\d:/]|[.,]\\d|-\\d|\\p{L}{0,2}\\d)(?:,-{1,2})?( ?%)?`,
  "gu",
);

/** The numbers of a line from left to right; dates, times and codes are none. */
export function figuresOfRow(row: readonly Segment[], context: SeeingContext): RowFigure[] {
  return row.flatMap((segment) => {
    const line = fold(segment.text);
    return [...line.text.matchAll(figure)].map((match): RowFigure => {
      const printed = match[2] ?? "";
      const { likely, other } = readNumber(printed, context.decimal);
      const sign = match[1] ? -1 : 1;
      return {
        segment,
        start: line.at(match.index),
        end: line.at(match.index + match[0].trimEnd().length),
        values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
        percent: match[3] !== undefined,
        cents: /[.,]\d{2}$/.test(printed),
      };
    });
  });
}

/** The figure as a value of the invoice. */
export const foundAt = ({ segment, start, end }: RowFigure, value: number, confidence: number): FieldValue<number> =>
  new FieldValue(value, confidence, { segment, start, end });

/** Equal but for the rounding of a product. */
export const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(0.011, Math.abs(b) * 0.0015);
