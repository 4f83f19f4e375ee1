import type { DocumentLocale } from "./entity.ts";

/**
 * A number as people print it: groups of three set off by blank, point, comma or apostrophe, and a fraction.
 * No lookbehind at its front: who uses it says what may stand there.
 */
export const NUMBER = "(?:\\d{1,3}(?:[ .,']\\d{3})+(?![\\d])(?:[.,]\\d{1,2}(?!\\d))?|\\d+(?:[.,]\\d{1,4}(?![\\d]))?)";

/** Which of point and comma is the decimal sign where the number leaves it open; a fraction of three digits is the doubtful case. */
export type Decimal = DocumentLocale["decimal"];

/** What a printed number can be: one value, or two when "1.200" may be either. */
export interface Readings {
  /** With the document's decimal sign. */
  likely: number;
  /** Where one group of three could be a fraction or thousands. */
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

/** Money never has three decimals: "1.200" and "1,200" are both twelve hundred. */
export function readMoney(printed: string, decimal: Decimal): number {
  const { likely, other } = readNumber(printed, decimal);
  return other === undefined ? likely : Math.max(likely, other);
}

function withDecimal(bare: string, sign: "." | ","): number {
  const grouping = sign === "." ? "," : ".";
  return Number(bare.replaceAll(grouping, "").replace(sign, "."));
}

const CLEAR_POINT = /\d\.\d{2}(?![\d.,])/g;
const CLEAR_COMMA = /\d,\d{1,2}(?![\d.,])/g;
const GROUPED_BY_POINT = /(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d/g;
const GROUPED_BY_COMMA = /(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d/g;

/** The decimal sign of a document, by counting the numbers that leave no doubt. Dates and times written with points count little. */
export function detectDecimal(text: string): Decimal {
  const count = (pattern: RegExp) => Array.from(text.matchAll(pattern)).length;
  const comma = count(GROUPED_BY_POINT) * 4 + count(CLEAR_COMMA);
  const point = count(GROUPED_BY_COMMA) * 4 + count(CLEAR_POINT);
  return point > comma ? "." : ",";
}
