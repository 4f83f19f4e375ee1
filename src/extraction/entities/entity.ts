import type { EntityType } from "../lexicon/entity-type.ts";
import type { Day, PartialDay } from "./calendar.ts";

export type { EntityType };

/** A match of a recogniser. `start` and `end` are offsets into the text that was searched. */
export interface ScoredSpan {
  start: number;
  end: number;
  /** 0..1, without regard to the context. */
  score: number;
}

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

/** Entity types that are never part of a name. */
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

/** A calendar day or a range of days. `year` is undefined if the text omits it. */
export interface DateValue extends PartialDay {
  /** Last day, if this is a range of days: the 26th of "24.-26.11.2026". */
  until?: PartialDay & { anchor?: Day };
  /** ISO week that was printed without a year. The days are those of the week nearest to the day of writing. */
  week?: number;
  /**
   * Day on which the text was written, if it differs from the document's date: in a quoted mail, or in one of several
   * documents.
   */
  anchor?: Day;
  /** Day and month may be swapped ("03/04/2026"); `month` and `day` follow the document's date order. */
  ambiguous?: boolean;
}

/**
 * Minutes after midnight; 24:00 is 1440. A window has `from` and `to` ("08:00-14:00"). A single time has only `from`,
 * or only `to` after a word for "until" ("before 14:00").
 */
export interface TimeValue {
  from?: number;
  to?: number;
}

export type Unit = "kg" | "t" | "lb" | "ldm" | "pallets" | "pieces" | "m3" | "km" | "mi" | "days" | "m" | "cm" | "mm";

/** A place, of which at least the country, postal code or town is printed. */
export interface PlaceValue {
  country?: string;
  postalCode?: string;
  city?: string;
  /** Spelling in the gazetteer. */
  normalizedCity?: string;
  /** US state, Canadian province or similar, if printed. */
  region?: string;
  coordinates?: { latitude: number; longitude: number };
}

/** Properties of the whole document that recognisers need to parse one line. */
export interface DocumentLocale {
  /** Decimal separator, as in "1.234,56" or "1,234.56", by majority over the whole document. */
  decimal: "," | ".";
  dateOrder: "DMY" | "MDY" | "YMD";
  /**
   * The day on which the document was written, or the current day if unknown. It determines the year of dates without
   * one.
   */
  today: Day;
  /** ISO 639-1 codes of the languages whose labels occur in the document, most likely first. */
  languages: string[];
  /** Countries for which the document has evidence (such as VAT prefixes, phone prefixes, names), most likely first. */
  countries: string[];
}
