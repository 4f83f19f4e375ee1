import type { DocumentLocale } from "./entity.ts";

/**
 * Regular expression source of a printed number, with an optional fraction. Space, point, comma or apostrophe may
 * separate groups of three digits. It has no lookbehind; the caller restricts what may precede it.
 */
export const NUMBER = "(?:\\d{1,3}(?:[ .,']\\d{3})+(?![\\d])(?:[.,]\\d{1,2}(?!\\d))?|\\d+(?:[.,]\\d{1,4}(?![\\d]))?)";

/** Decimal separator of the document, which decides ambiguous numbers such as "1.200". */
export type Decimal = DocumentLocale["decimal"];

/** Possible values of a printed number: two if it is ambiguous, such as "1.200". */
export interface Readings {
  /** Value with the document's decimal separator. */
  likely: number;
  /** The other value, if the number is ambiguous: 1.2 for "1.200" if 1200 is likely, and the reverse. */
  other?: number;
}

export function readNumber(printed: string, decimal: Decimal): Readings {
  const bare = printed.replace(/[ ']/g, "");
  const points = bare.split(".").length - 1;
  const commas = bare.split(",").length - 1;
  if (points > 0 && commas > 0)
    return { likely: withDecimal(bare, bare.lastIndexOf(".") > bare.lastIndexOf(",") ? "." : ",") };
  if (points + commas === 0) return { likely: Number(bare) };
  const sign = points > 0 ? "." : ",";
  if (points + commas > 1) return { likely: Number(bare.replaceAll(sign, "")) };
  const fraction = bare.slice(bare.indexOf(sign) + 1);
  const asFraction = withDecimal(bare, sign);
  if (fraction.length !== 3 || bare.startsWith("0") || bare.indexOf(sign) > 3) return { likely: asFraction };
  const asThousands = Number(bare.replace(sign, ""));
  return sign === decimal ? { likely: asFraction, other: asThousands } : { likely: asThousands, other: asFraction };
}

/** Reads an amount of money. Money never has three decimals: "1.200" and "1,200" both mean 1200. */
export function readMoney(printed: string, decimal: Decimal): number {
  const { likely, other } = readNumber(printed, decimal);
  return other === undefined ? likely : Math.max(likely, other);
}

function withDecimal(bare: string, sign: "." | ","): number {
  const grouping = sign === "." ? "," : ".";
  return Number(bare.replaceAll(grouping, "").replace(sign, "."));
}

const CLEAR_POINT = /(?<![\d.,])\d+\.\d{2}(?![\d.,])/g;
const CLEAR_COMMA = /\d,\d{1,2}(?![\d.,])/g;
const GROUPED_BY_POINT = /(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d/g;
const GROUPED_BY_COMMA = /(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d/g;

/**
 * Detects the decimal separator of a document by majority of its unambiguous numbers. Grouped numbers with a fraction
 * have a higher weight, because dates and times are also written with points.
 */
export function detectDecimal(text: string): Decimal {
  const count = (pattern: RegExp) => Array.from(text.matchAll(pattern)).length;
  const comma = count(GROUPED_BY_POINT) * 4 + count(CLEAR_COMMA);
  const point = count(GROUPED_BY_COMMA) * 4 + count(CLEAR_POINT);
  return point > comma ? "." : ",";
}
