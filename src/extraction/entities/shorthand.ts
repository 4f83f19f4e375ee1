import { scores } from "./scores.ts";
import { findTrailers } from "../lexicon/trailers.ts";
import { dayExists, daysBetween, resolveRelativeDate, type Day } from "./calendar.ts";
import type { Entity } from "./entity.ts";

/** "450e", "1.4k", "2,1 k eur", "1250 eu": amounts in chat style. */
const MONEY =
  /(?<![\p{L}\d.,:/-])(?:€ ?)?(\d{1,2}[.,]\d{1,2} ?k|\d{1,2} ?k|\d{2,5}(?= ?e(?:u|urek|urków|uro)?(?![\p{L}\d])))( ?(?:e|eu|eur|euro|€|eurek|pln|zł))?(?![\p{L}\d])/giu;
const MONTH_DAY =
  /(?<![\p{L}\d.,:/-])(\d{1,2})[./](\d{1,2})(?![\d%°€]|[.,:/-]\d|\s?(?:t|to|ton\p{L}*|kg|ldm|lm|m|mm|cm|cbm|m3|mb|km|k|e|eur|pln|x)(?!\p{L}))/giu;
const MOST_DAYS_AHEAD = 75;
const MOST_DAYS_BEHIND = 3;

/** Finds amounts in a short note: "k" is a thousand, "e" may stand for euros. */
export function findShortAmounts(text: string, seen: readonly Entity[]): Entity[] {
  return Array.from(text.matchAll(MONEY)).flatMap((match): Entity[] => {
    const [whole, numberText = "", unit = ""] = match;
    const thousands = /k$/iu.test(numberText);
    const number = Number(numberText.replace(/ ?k$/iu, "").replace(",", "."));
    const amount = Math.round(number * (thousands ? 1000 : 1) * 100) / 100;
    const [start, end] = [match.index, match.index + whole.length];
    const isOccupied = seen.some(
      (entity) =>
        entity.score >= scores.occupied && entity.start < end && entity.end > start && entity.type !== "Reference",
    );
    if (isOccupied || amount < 50) return [];
    const currency = /pln|zł/iu.test(unit) ? "PLN" : /\p{L}|€/u.test(unit) || whole.startsWith("€") ? "EUR" : undefined;
    const value = currency ? { amount, currency } : { amount };
    return [
      { type: "Amount", start, end, score: currency ? scores.amount.shortWithCurrency : scores.amount.short, value },
    ];
  });
}

/**
 * Minimum score of an entity that rules out a short date. It is lower than {@link scores.occupied}, because the shape
 * of a short date is the most ambiguous.
 */
const leastScoreBesideDate = 0.45;

/**
 * Finds dates without a year from a few days ago to some weeks ahead ("2.12", "26/11"), unless another entity has the
 * same characters. References and amounts do not count.
 */
export function findShortDates(text: string, written: Day, monthFirst: boolean, seen: readonly Entity[]): Entity[] {
  return Array.from(text.matchAll(MONTH_DAY)).flatMap((match): Entity[] => {
    const turned = monthFirst && match[0].includes("/");
    const [day, month] = turned ? [Number(match[2]), Number(match[1])] : [Number(match[1]), Number(match[2])];
    const [start, end] = [match.index, match.index + match[0].length];
    const isOccupied = seen.some(
      (entity) =>
        entity.score >= leastScoreBesideDate &&
        entity.start < end &&
        entity.end > start &&
        !["Reference", "Amount"].includes(entity.type),
    );
    const year = isOccupied ? undefined : yearNear({ month, day }, written);
    return year === undefined
      ? []
      : [{ type: "Date", start, end, score: scores.date.compact, value: { year, month, day } }];
  });
}

function yearNear(date: { month: number; day: number }, written: Day): number | undefined {
  if (!dayExists(date)) return undefined;
  const day = resolveRelativeDate({ kind: "DayOfYear", ...date }, written)?.from;
  const days = day ? daysBetween(written, day) : Number.NaN;
  return days >= -MOST_DAYS_BEHIND && days <= MOST_DAYS_AHEAD ? day?.year : undefined;
}

const DEGREES =
  /(?<![\p{L}\d.,:/+-])([+-] ?\d{1,2})(?![\d\p{L}%]|[.,:/-]\d| ?(?:t|to|ton\p{L}*|kg|ldm|lm|pal\p{L}*|ep|eur|e|k|h|uhr|%|€)(?!\p{L}))/giu;
const REEFER = "2";

/** Finds temperatures in a text that mentions a reefer: numbers with a sign, such as "frigo -18". */
export function findReeferTemperatures(text: string, seen: readonly Entity[]): Entity[] {
  if (!findTrailers(text).some(({ id }) => id === REEFER) || seen.some(({ type }) => type === "Temperature")) return [];
  return Array.from(text.matchAll(DEGREES)).flatMap((match): Entity[] => {
    const [start, end] = [match.index, match.index + match[0].length];
    const isOccupied = seen.some(
      ({ type, score, start: from, end: to }) =>
        score >= scores.occupied && from < end && to > start && type !== "Amount",
    );
    const degrees = Number(match[1]!.replace(" ", ""));
    return isOccupied
      ? []
      : [
          {
            type: "Temperature",
            start,
            end,
            score: scores.temperature.beforeReefer,
            value: { from: degrees, to: degrees },
          },
        ];
  });
}
