import type { Chance } from "../chance.ts";
import { daysAfter } from "../world/calendar.ts";
import { firm, person } from "../world/firms.ts";
import type { Firm } from "../world/firms.ts";
import type { Place, Places } from "../world/places.ts";
import words from "./words.json" with { type: "json" };

export type QuoteWords = (typeof words)["en"];

/** The languages in which requests can be generated. */
export const quoteLanguages = Object.keys(words);

export function quoteWords(language: string): QuoteWords {
  const table = (words as Record<string, QuoteWords>)[language];
  if (!table)
    throw new RangeError(`There are no words for requests in ${language}; known are ${quoteLanguages.join(", ")}.`);
  return table;
}

/** A day at a stop, optionally with times. */
export interface AskedDay {
  day: string;
  from?: number;
  to?: number;
}

/** A synthetic request for a quote. Undefined fields are not printed. */
export interface Quote {
  number?: string;
  /** The day on which the request was written. */
  written: string;
  asker: Firm;
  places: [Place, Place];
  days: [AskedDay, AskedDay];
  trailer: "2" | "3" | "6";
  temperature?: { min: number; max: number };
  tonnes: number;
  pallets?: number;
  ldm?: number;
  full?: boolean;
  price?: number;
  term?: number;
}

const HOMES: Record<string, string> = {
  en: "GB",
  de: "DE",
  pl: "PL",
  fr: "FR",
  es: "ES",
  it: "IT",
  nl: "NL",
  cs: "CZ",
  ro: "RO",
  lt: "LT",
  hu: "HU",
  pt: "PT",
};
const ABROAD = ["DE", "PL", "FR", "IT", "ES", "NL", "BE", "AT", "CZ"];
const WRITTEN = "2026-11-20";
const saturday = 6;

/** Generates a request in the given language. `asker` is its sender; without it, a sender is generated too. */
export function makeQuote(chance: Chance, places: Places, language: string, asker?: Firm): Quote {
  const home = HOMES[language] ?? "DE";
  const abroad = chance.pick(ABROAD.filter((code) => code !== home));
  const by = asker ?? firm(chance, places, home, "shipper");
  const written = daysAfter(WRITTEN, -chance.between(0, 4));
  const loading = working(daysAfter(written, chance.between(2, 9)));
  const unloading = working(daysAfter(loading, chance.between(1, 4)));
  const trailer = chance.weighted<"2" | "3" | "6">({ 3: 60, 2: 20, 6: 20 });
  const cold =
    trailer === "2"
      ? chance.pick([
          { min: 2, max: 6 },
          { min: -20, max: -18 },
          { min: 4, max: 8 },
        ])
      : undefined;
  const route: [Place, Place] = [places.any(chance, home), places.any(chance, abroad)];
  const full = chance.maybe(0.5, () => chance.happens(0.8));
  return {
    ...(chance.happens(0.6) && { number: chance.code(chance.pick(["RQ-####", "A##/####", "Q-2026-###"])) }),
    written,
    asker: by.person ? by : { ...by, person: person(chance, by) },
    places: chance.happens(0.7) ? route : [route[1], route[0]],
    days: [hours(chance, loading), hours(chance, unloading)],
    trailer,
    ...(cold && { temperature: cold }),
    tonnes: full === false ? chance.between(1, 11) : chance.stepped(12, 25, 0.5),
    ...(chance.happens(0.5) && { pallets: chance.between(4, 33) }),
    ...(chance.happens(0.4) && { ldm: chance.stepped(2, 13.5, 0.5) }),
    ...(full !== undefined && { full }),
    ...(chance.happens(0.55) && { price: chance.stepped(350, 2400, 10) }),
    ...(chance.happens(0.55) && { term: chance.pick([14, 30, 45, 60]) }),
  };
}

function working(day: string): string {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 ? daysAfter(day, 1) : weekday === saturday ? daysAfter(day, 2) : day;
}

function hours(chance: Chance, day: string): AskedDay {
  const from = chance.between(6, 12) * 60;
  return chance.happens(0.5) ? { day, from, to: from + chance.pick([120, 240, 360]) } : { day };
}

/**
 * What a layout prints in short form: `codes` prints only the first digits of postal codes, `hours` omits the times.
 */
export interface Shortened {
  codes?: boolean;
  hours?: boolean;
}

/** Returns the expected extraction of a document that prints the request. */
export function quoteTruth(quote: Quote, short: Shortened = {}): Record<string, unknown> {
  const { number, places, days, trailer, temperature, tonnes, pallets, ldm, full, price, term } = quote;
  return {
    ...(number && { externalNumber: number }),
    locations: places.map((place, at) => ({
      sequence: at + 1,
      type: at === 0 ? "Loading" : "Unloading",
      address: short.codes
        ? { countryCode: place.country, postalCode: shortCode(place), city: null }
        : { countryCode: place.country, postalCode: place.postalCode, city: place.city },
      period: periodTruth(days[at] as AskedDay, short),
    })),
    requirements: {
      trailerTypes: [Number(trailer)],
      capacity: tonnes,
      pallets: pallets ?? null,
      ldm: ldm ?? null,
      ...(full !== undefined && { ftl: full }),
      temperature: temperature ?? { min: null, max: null },
    },
    payment: { from: price ?? null, term: term ?? null },
  };
}

function periodTruth({ day, from, to }: AskedDay, { hours: without }: Shortened): Record<string, unknown> {
  const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:00`;
  return without || from === undefined || to === undefined
    ? { startDate: day }
    : { startDate: `${day}T${clock(from)}`, endDate: `${day}T${clock(to)}` };
}

/** Shortens a postal code to its first two digits, or a British one to its letters and the digits after them. */
export const shortCode = ({ postalCode }: Place): string =>
  /^[A-Z]+\d+/.exec(postalCode)?.[0] ?? postalCode.slice(0, 2);
