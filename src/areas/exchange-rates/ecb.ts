import { isRate, type DayRates } from "./rates.ts";
import { Day } from "./model.ts";

/** Rates by day, such as `2026-11-20`. */
export type RatesByDay = Map<string, DayRates>;

const base = "EUR";

/**
 * Parses reference rates of the European Central Bank: XML with the rates of one day, 90 days or all days, or CSV with
 * all days. Invalid dates and currencies without a rate are omitted; any other text has no rates.
 */
export const ratesInFile = (text: string): RatesByDay =>
  text.trimStart().startsWith("<") ? fromXml(text) : fromCsv(text);

/** Excludes angle brackets from the attributes, so that matching takes linear time in any text. */
const tag = /<(?:\w+:)?Cube\b([^<>]*)>/g;
const attribute = (attributes: string, name: string) => new RegExp(`\\b${name}=["']([^"']*)["']`).exec(attributes)?.[1];

function fromXml(text: string): RatesByDay {
  const days = new Map<string, Record<string, number>>();
  let date = "";
  for (const [, attributes = ""] of text.matchAll(tag)) {
    date = attribute(attributes, "time") ?? date;
    add(days, date, attribute(attributes, "currency"), attribute(attributes, "rate"));
  }
  return days;
}

function fromCsv(text: string): RatesByDay {
  const days = new Map<string, Record<string, number>>();
  const [heading = "", ...lines] = text.split(/\r?\n/);
  const [first, ...currencies] = cellsOf(heading);
  if (first?.toLowerCase() !== "date") return days;
  for (const line of lines) {
    const [date = "", ...rates] = cellsOf(line);
    for (const [at, currency] of currencies.entries()) add(days, date, currency, rates[at]);
  }
  return days;
}

const cellsOf = (line: string) =>
  line
    .replace(/^\ufeff/, "")
    .split(",")
    .map((cell) => cell.trim());

function add(days: Map<string, Record<string, number>>, date: string, currency?: string, text?: string): void {
  const rate = Number(text || Number.NaN);
  if (!/^[A-Z]{3}$/.test(currency ?? "") || currency === base || !isRate(rate) || !Day.safeParse(date).success) return;
  const rates = days.get(date) ?? {};
  rates[`${base}/${currency}`] = rate;
  days.set(date, rates);
}
