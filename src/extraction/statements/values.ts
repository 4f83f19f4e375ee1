import { monthsByLanguage } from "../entities/calendar.ts";
import { foldName } from "../lexicon/fold.ts";
import { currencyOf } from "../entities/amounts.ts";
import { readNumber, type Decimal } from "../entities/numbers.ts";
import { memoize } from "./memoize.ts";

/** Removes separators from a plate, so that it can be compared: "wx 123-ab" becomes "WX123AB". */
export const barePlate = (cell: string) =>
  cell
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a cell may be a licence plate of any country, by its numbers of letters and digits. */
export function looksLikePlate(cell: string): boolean {
  if (cell.length > 14 || /[.,:%€$£]|[-/]{2}/.test(cell)) return false;
  const bare = barePlate(cell);
  const letters = bare.match(/\p{L}/gu)?.length ?? 0;
  const figures = bare.match(/\p{N}/gu)?.length ?? 0;
  return bare.length >= 4 && bare.length <= 10 && letters >= 1 && letters <= 6 && figures >= 1 && figures <= 7;
}

/** The number in a cell, with its unit or currency. */
export interface Figure {
  value: number;
  unit?: string;
  currency?: string;
}

/** A longer cell does not contain a single number. */
const maxFigureLength = 60;

const figure =
  /^(?<before>[^\d(+-]*?) ?(?<open>\(?) ?(?<sign>[-+]?) ?(?<digits>\d[\d .,']*|[.,]\d+) ?(?<close>\)?)(?<minus>-?) ?(?<after>[^\d]*)$/u;

/**
 * Parses the number in a cell such as `1.234,56`, `-12.50 EUR`, `12,50-`, `(12.50)` or `512,4 l`. Returns undefined if
 * there is none, or several.
 */
export function figureIn(cell: string, decimal: Decimal): Figure | undefined {
  const plain = /^[\d.,-]*$/.test(cell) ? cell : plainSigns(cell);
  const parts = plain.length <= maxFigureLength ? figure.exec(plain)?.groups : undefined;
  if (!parts) return undefined;
  const digits = parts["digits"]!.trim()
    .replace(/[.,']$/, "")
    .replace(/^([.,])/, "0$1");
  const { likely } = readNumber(digits, decimal);
  if (!Number.isFinite(likely)) return undefined;
  const isNegative = parts["sign"] === "-" || parts["minus"] === "-" || (parts["open"] !== "" && parts["close"] !== "");
  const words = [parts["before"], parts["after"]].map((word) => word!.trim()).filter(Boolean);
  const currency = words.map((word) => currencyOf(word)).find((code) => code !== undefined);
  const unit = words.find((word) => /^\p{L}{1,6}\.?$/u.test(word) && currencyOf(word) === undefined);
  return { value: isNegative ? -likely : likely, ...(unit && { unit }), ...(currency && { currency }) };
}

const plainSigns = (cell: string) =>
  cell
    .replace(/[\u2212\u2013\u2012]/g, "-")
    .replace(/[\u00a0\u202f\u2009]/g, " ")
    .replace(/[\u2019\u02bc]/g, "'")
    .replace(/\s+/g, " ")
    .trim();

/** Detects the decimal separator from the unambiguous numbers in these cells. "1.234" is ambiguous. */
export function decimalOf(cells: readonly string[], otherwise: Decimal): Decimal {
  let [points, commas] = [0, 0];
  for (const cell of cells) {
    if (cell.length > maxFigureLength) continue;
    const [, digits] = /^[^\d]*(\d[\d .,']*)[^\d]*$/.exec(cell.trim()) ?? [];
    const signs = digits?.match(/[.,]/g);
    if (!digits || !signs) continue;
    const last = signs.at(-1)!;
    const behind = digits.length - digits.lastIndexOf(last) - 1;
    const isClear = new Set(signs).size === 2 || (signs.length === 1 && behind !== 3) || /^0[.,]/.test(digits);
    if (!isClear) continue;
    if (last === ".") points += 1;
    else commas += 1;
  }
  return points === commas ? otherwise : points > commas ? "." : ",";
}

export type DayOrder = "DayFirst" | "MonthFirst";

/** A date (`2026-10-17`), with its time (`05:42:00`) and offset (`+02:00`) if they are printed. */
export interface ParsedMoment {
  day: string;
  time?: string;
  offset?: string;
}

const clock =
  "(?<hour>\\d{1,2})[:.h](?<minute>\\d{2})(?:[:.](?<second>\\d{2})(?:[.,]\\d{1,9})?)?\\s*(?<half>[ap]\\.?m\\.?)?";
const behind = `(?:(?:\\s*[T,]\\s*|\\s+(?:-\\s+)?)${clock}\\s*(?<offset>Z|[+-](?:0\\d|1[0-4]):?[0-5]\\d)?)?`;
const yearFirst = new RegExp(`^(?<year>\\d{4})[-./](?<month>\\d{1,2})[-./](?<day>\\d{1,2})\\.?${behind}$`, "i");
const yearLast = new RegExp(
  `^(?<one>\\d{1,2})\\s?[-./ ]\\s?(?<other>\\d{1,2})\\s?[-./ ]\\s?(?<year>\\d{4}|\\d{2})\\.?${behind}$`,
  "i",
);
const named = new RegExp(
  `^(?<day>\\d{1,2})[-./ ]{0,2}(?<name>\\p{L}{3,12})[-./ ]{0,2}(?<year>\\d{4}|\\d{2})${behind}$`,
  "iu",
);
const compact =
  /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?:[T ]?(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?)?$/;
const compactYearLast = /^(?<day>\d{2})(?<month>\d{2})(?<year>(?:19|20)\d{2})$/;

const monthNames = new Map(
  Object.values(monthsByLanguage)
    .toReversed()
    .flatMap((names) => names.flatMap((words, at) => words.map((word) => [foldName(word), at + 1] as const))),
);

/**
 * Parses the date in a cell, and its time if there is one.
 * @param order applies only to dates such as 05/06/2026
 */
export const dayIn = (cell: string, order: DayOrder): ParsedMoment | undefined =>
  order === "DayFirst" ? dayFirstIn(cell.trim()) : monthFirstIn(cell.trim());

const dayFirstIn = memoize((text) => dayOf(text, "DayFirst"));
const monthFirstIn = memoize((text) => dayOf(text, "MonthFirst"));

function dayOf(text: string, order: DayOrder): ParsedMoment | undefined {
  if (text.length < 6 || text.length > 40) return undefined;
  const parts = (yearFirst.exec(text) ?? compact.exec(text) ?? compactYearLast.exec(text))?.groups;
  if (parts) return momentFrom(parts, Number(parts["month"]), Number(parts["day"]));
  const numbered = yearLast.exec(text)?.groups;
  if (numbered) {
    const [one, other] = [Number(numbered["one"]), Number(numbered["other"])];
    const monthFirst = other > 12 || (order === "MonthFirst" && one <= 12);
    return monthFirst ? momentFrom(numbered, one, other) : momentFrom(numbered, other, one);
  }
  const worded = named.exec(text)?.groups;
  const month = worded && monthNames.get(foldName(worded["name"]!));
  return month ? momentFrom(worded, month, Number(worded["day"])) : undefined;
}

const [firstYear, lastYear] = [1990, 2199];

type Parts = Record<string, string | undefined>;

function momentFrom(parts: Parts, month: number, day: number): ParsedMoment | undefined {
  const digits = parts["year"]!;
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits);
  const iso = `${year}-${two(month)}-${two(day)}`;
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso) return undefined;
  if (year < firstYear || year > lastYear) return undefined;
  if (parts["hour"] === undefined) return { day: iso };
  const time = clockOf(parts);
  if (!time) return undefined;
  const offset = parts["offset"]?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  return { ...atTime(iso, time), ...(offset && { offset }) };
}

/** Combines a date and a time. 24:00 becomes midnight of the next day. */
export function atTime(day: string, time: string): { day: string; time: string } {
  if (time !== endOfDay) return { day, time };
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMilliseconds);
  return { day: next.toISOString().slice(0, 10), time: "00:00:00" };
}

const endOfDay = "24:00:00";
const dayMilliseconds = 24 * 60 * 60 * 1000;

const timeOnly = new RegExp(`^${clock}$`, "i");
const timeCompact = /^(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?$/;

/**
 * Parses the time in a cell such as `05:42`, `5.42`, `0542` or `5:42 PM`. Ignores the first date of the calendar, which
 * some spreadsheets write before a time.
 */
export function timeIn(cell: string): string | undefined {
  const text = cell.trim().replace(/^(?:1899-12-3[01]|1900-01-00)[T ]/, "");
  const parts = (timeOnly.exec(text) ?? timeCompact.exec(text.padStart(text.length === 3 ? 4 : text.length, "0")))
    ?.groups;
  return parts && clockOf(parts);
}

function clockOf({ hour, minute, second = "00", half }: Parts): string | undefined {
  const isAfternoon = /^p/i.test(half ?? "");
  const isHalf = half !== undefined;
  const hours = isHalf ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour);
  const time = `${two(hours)}:${minute}:${second}`;
  if (!isHalf && time === endOfDay) return time;
  return hours > 23 || Number(minute) > 59 || Number(second) > 59 ? undefined : time;
}

const two = (number: number) => String(number).padStart(2, "0");

/** Detects the order of day and month from numbers above 12 and from times with AM or PM. */
export function dayOrderOf(cells: readonly string[]): DayOrder {
  let [first, second] = [0, 0];
  for (const cell of cells) {
    const parts = yearLast.exec(cell.trim())?.groups;
    if (!parts) continue;
    if (Number(parts["one"]) > 12) first += 1;
    if (Number(parts["other"]) > 12) second += 1;
    if (parts["half"] !== undefined && cell.includes("/")) second += 0.1;
  }
  return second > first ? "MonthFirst" : "DayFirst";
}
