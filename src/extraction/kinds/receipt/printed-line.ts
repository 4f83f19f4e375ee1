import type { SeeingContext } from "../../entities/entity.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";

/** A figure of a line: what it may be worth, and where it is printed. */
export interface Figure {
  values: readonly number[];
  start: number;
  end: number;
  /** It ends as sums of money do. */
  cents: boolean;
}

/** A printed line: its segments as one text, with what its figures may be. */
export interface Line {
  segments: readonly Segment[];
  text: string;
  numbers: readonly Figure[];
}

const number = new RegExp(`(?:(?<![\\p{L}\\d.,:/])|(?<=[\\s\\d][xX×*@]))-?${NUMBER}(?![\\d:/%]|[.,]\\d| ?%)`, "gu");
/** Sums of money that has no cents: "129 046 Ft". */
const wholeSum = /^\s?(?:ft|huf|kč|czk|isk|rsd|din)(?!\p{L})|^,-/iu;

/** The row of a page as one line. */
export function lineOf(segments: readonly Segment[], context: SeeingContext): Line {
  const text = segments.map((segment) => segment.text).join("  ");
  const numbers = [...text.matchAll(number)].map((match) => {
    const { likely, other } = readNumber(match[0].replace("-", ""), context.decimal);
    const sign = match[0].startsWith("-") ? -1 : 1;
    return {
      values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
      start: match.index,
      end: match.index + match[0].length,
      cents: /[.,]\d{2}$/.test(match[0]) || wholeSum.test(text.slice(match.index + match[0].length)),
    };
  });
  return { segments, text, numbers };
}

/** A figure of the line with where it is printed. */
export function say(line: Line, { start, end }: Pick<Figure, "start" | "end">, value: number): FieldValue<number> {
  let offset = 0;
  for (const segment of line.segments) {
    const [from, to] = [start - offset, end - offset];
    if (from >= 0 && to <= segment.text.length) return new FieldValue(value, 0.8, { segment, start: from, end: to });
    offset += segment.text.length + 2;
  }
  return new FieldValue(value, 0.6, wholeOf(line));
}

/** Where the line begins. */
export function wholeOf({ segments }: Pick<Line, "segments">): FieldValue<unknown>["piece"] {
  const [segment] = segments;
  return segment && { segment, start: 0, end: segment.text.length };
}
