import type { DocumentLocale } from "../../entities/entity.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { isWithin } from "../checks.ts";
import { productRounding, scores } from "./scores.ts";

interface Figure {
  values: readonly number[];
  start: number;
  end: number;
  /** Whether the number is printed with cents, or as an amount of a currency that has none. */
  cents: boolean;
}

/** A printed line: the text of its segments, and the numbers in it. */
export interface Line {
  segments: readonly Segment[];
  text: string;
  numbers: readonly Figure[];
}

const number = new RegExp(`(?:(?<![\\p{L}\\d.,:/])|(?<=[\\s\\d][xX×*@]))-?${NUMBER}(?![\\d:/%]|[.,]\\d| ?%)`, "gu");
/** Text after amounts of a currency without cents, such as " Ft" in "129 046 Ft". */
const wholeSum = /^\s?(?:ft|huf|kč|czk|isk|rsd|din)(?!\p{L})|^,-/iu;

/** Joins the segments of a row into one line. */
export function lineOf(segments: readonly Segment[], context: DocumentLocale): Line {
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

export function figureValue(
  line: Line,
  { start, end }: Pick<Figure, "start" | "end">,
  value: number,
): FieldValue<number> {
  let offset = 0;
  for (const segment of line.segments) {
    const [from, to] = [start - offset, end - offset];
    if (from >= 0 && to <= segment.text.length)
      return new FieldValue(value, scores.figure.oneSegment, { segment, start: from, end: to });
    offset += segment.text.length + 2;
  }
  return new FieldValue(value, scores.figure.acrossSegments, firstSegmentOf(line));
}

/** Returns the first segment of the line, as evidence. */
export function firstSegmentOf({ segments }: Pick<Line, "segments">): FieldValue<unknown>["span"] {
  const [segment] = segments;
  return segment && { segment, start: 0, end: segment.text.length };
}

/** A sign between a quantity and a price. */
const timesSign = /[x×*@]|(?<!\p{L})[áà](?!\p{L})|\/\s?(?:l|szt|stk|st|ks)(?!\p{L})/iu;
const signAlone = /^\s*(?:\p{L}{1,5}\.?\s*)?[x×*@]\s*$/iu;
/**
 * Words as long as the name of an item. Two numbers with such words between them are not quantity and price, unless the
 * first number is a quantity at the start of the line.
 */
const longWords = /\p{L}{3,}[\s\p{P}]+\p{L}{4,}|\p{L}{9,}/u;

/** A quantity and a unit price printed on one line, such as "412,60 l x 1,589". */
export interface Times {
  draft: { quantity: FieldValue<number>; unitPrice: FieldValue<number> };
  product: number;
  /** The product, if it is printed on the same line. */
  sum?: number;
  start: number;
  end: number;
  /** The range of the item's name, if it is between quantity and price. */
  named?: { start: number; end: number };
}

/** Whether two amounts differ only by rounding. */
export const isCloseTo = (a: number, b: number) => isWithin(a, b, productRounding);

/** Finds a quantity and a price in a line, as in "412,60 l x 1,589". The line may also contain their product. */
export function timesIn(line: Line): Times | undefined {
  const { numbers, text } = line;
  for (let at = 0; at + 1 < numbers.length; at++) {
    const [first, second, third] = numbers.slice(at, at + 3);
    if (!first || !second) continue;
    const between = text.slice(first.end, third ? third.start : second.end + 6);
    const named = third && namedBetween(line, first, second);
    for (const a of first.values) {
      for (const b of second.values) {
        const sum = third?.values.find((value) => isCloseTo(a * b, value));
        if (sum === undefined && (third || !timesSign.test(between))) continue;
        if (!named && longWords.test(text.slice(first.end, second.start))) continue;
        const times = timesOf(line, { figure: first, value: a }, { figure: second, value: b });
        return { ...times, ...(sum !== undefined && { sum }), ...(named && { named }) };
      }
    }
  }
  return undefined;
}

/**
 * Finds a quantity and a price whose product is alone on the line below, as in "2 x 3 500 Parking 24h" above "7 000".
 * The product shows whether "3 500" is one number.
 */
export function timesAbove(line: Line, below: Line): Times | undefined {
  const [first, second] = line.numbers;
  if (!first || !second || !signAlone.test(line.text.slice(first.end, second.start))) return undefined;
  const all = first.values.flatMap((a) =>
    second.values.map((b) => timesOf(line, { figure: first, value: a }, { figure: second, value: b })),
  );
  return all.find((times) => isSumOf(below, times));
}

function timesOf(
  line: Line,
  count: { figure: Figure; value: number },
  price: { figure: Figure; value: number },
): Times {
  return {
    draft: {
      quantity: figureValue(line, count.figure, count.value),
      unitPrice: figureValue(line, price.figure, price.value),
    },
    product: count.value * price.value,
    start: count.figure.start,
    end: price.figure.end,
  };
}

const unitOrSign = /^(?:(?:\p{Ll}{1,6}|\p{Lu}{1,2}|\p{Lu}{3,4}(?=\.?\s*[xX×]\s))\.?(?=\s))?\s*(?:[xX×*@]\s)?\s*/u;

/** Finds "Coffee" in "2  Coffee   2,50   5,00". */
function namedBetween(line: Line, first: Figure, second: Figure): Times["named"] {
  if (first.start > 2 || !first.values.some((value) => Number.isInteger(value) && value < 100)) return undefined;
  const between = line.text.slice(first.end, second.start);
  const lead = /^\s*/u.exec(between)![0].length;
  const start = lead + unitOrSign.exec(between.slice(lead))![0].length;
  return /\p{Lu}.*\p{L}{2}/u.test(between.slice(start)) ? { start: first.end + start, end: second.start } : undefined;
}

/** Whether a line contains only the product of a quantity and a price printed above. */
export function isSumOf({ numbers, text }: Line, { product }: Times): boolean {
  const [only, ...others] = numbers;
  return (
    only !== undefined &&
    others.length === 0 &&
    !/\p{L}{4}/u.test(text) &&
    only.values.some((value) => isCloseTo(product, value))
  );
}

/** Whether a line ends with the product of a quantity and a price printed above. */
export function endsWithProduct({ numbers }: Line, { product }: Times): boolean {
  const last = numbers.at(-1);
  return last !== undefined && last.cents && last.values.some((value) => isCloseTo(product, value));
}
