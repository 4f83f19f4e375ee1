import { isRate, type DayRates } from "./rates.ts";
import { Day } from "./model.ts";

/** Rates by their day. */
export type RatesByDay = Map<string, DayRates>;

const base = "EUR";

/**
 * Reads the files in which the European Central Bank publishes its reference rates: XML of a day, of 90 days or of all of
 * them, and the CSV of all. A day that does not exist is left out, and so is a currency
 * without a rate on a day. A text that is none of these has no days.
 */
export const ratesInFile = (text: string): RatesByDay =>
  text.trimStart().startsWith("<") ? fromXml(text) : fromCsv(text);

/** Attributes must not contain brackets, so that matching takes linear time even in a text full of brackets. */
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
