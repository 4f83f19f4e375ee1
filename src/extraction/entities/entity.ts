import type { EntityType } from "../lexicon/entity-type.ts";
import type { Day, PartialDay } from "./calendar.ts";

export type { EntityType };

/**
 * What a recogniser sees in a run of text: where it stands, what it means, how sure the recogniser is of it alone.
 * `start` and `end` are offsets into the text that was given.
 */
export interface ScoredSpan {
  start: number;
  end: number;
  /** 0..1, from the recogniser alone; what stands around it is weighed later. */
  score: number;
}

/** What the entities of each type say. */
interface Values {
  Date: DateValue;
  Time: TimeValue;
  Amount: { amount: number; currency?: string };
  Quantity: { amount: number; unit: Unit };
  Temperature: { from: number; to: number };
  Dimensions: { length: number; width: number; height?: number; units: "mm" | "cm" | "m" };
  Percent: number;
  Vat: { code: string; country: string; checked: boolean };
  Iban: string;
  Phone: string;
  Email: string;
  Link: string;
  Plate: { plate: string; country?: string; trailer?: boolean };
  Container: string;
  Vin: string;
  Reference: string;
  UnNumber: string;
  Incoterm: string;
  Company: string;
  Street: string;
  Place: PlaceValue;
}

export type Entity = { [T in EntityType]: ScoredSpan & { type: T; value: Values[T] } }[EntityType];

/** What is in nobody's name. */
export const typesThatAreNoNames: ReadonlySet<EntityType> = new Set([
  "Date",
  "Time",
  "Phone",
  "Email",
  "Link",
  "Vat",
  "Iban",
  "Amount",
  "Quantity",
]);
export type EntityOf<T extends EntityType> = Extract<Entity, { type: T }>;

/** Local wall time, no zone: documents speak of the place. `year` is missing where the text gives none. */
export interface DateValue extends PartialDay {
  /** A range of days: "24.-26.11.2026". */
  until?: PartialDay & { anchor?: Day };
  /** The ISO week, where it is told without its year: the days are those of the one nearest to the day of writing. */
  week?: number;
  /** The day the words were written, where it is not the document's: of an older mail, of one of several papers. */
  anchor?: Day;
  /** Day and month could be the other way round ("03/04/2026"); `month` and `day` hold the context's preferred reading. */
  ambiguous?: boolean;
}

/** Minutes after midnight; 24:00 is 1440. `to` for windows: "08:00-14:00", "von 8 bis 14 Uhr", "before 14:00" has only `to`. */
export interface TimeValue {
  from?: number;
  to?: number;
}

export type Unit = "kg" | "t" | "lb" | "ldm" | "pallets" | "pieces" | "m3" | "km" | "mi" | "days" | "m" | "cm" | "mm";

/** A postcode and town as printed and as the gazetteer knows them. */
export interface PlaceValue {
  country?: string;
  postalCode?: string;
  city?: string;
  /** The gazetteer's own spelling. */
  normalizedCity?: string;
  /** US state, Canadian province and the like, where printed. */
  region?: string;
  coordinates?: { latitude: number; longitude: number };
}

/** What a recogniser may know of the whole document before it looks at one line. */
export interface DocumentLocale {
  /** "1.234,56" or "1,234.56", by a vote over the whole document. */
  decimal: "," | ".";
  /** Order of day and month in all-figure dates. */
  dateOrder: "DMY" | "MDY" | "YMD";
  /** The day the document was written, as far as it is known, else the day it is read: dates without a year are told from it. */
  today: Day;
  /** Languages by lexicon hits, most likely first, ISO 639-1. */
  languages: string[];
  /** Countries seen for sure in the document (VAT prefixes, phone prefixes, names), most frequent first. */
  countries: string[];
}
