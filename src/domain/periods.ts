import { instantOf, zoneOf, type Place } from "./places/zones.ts";

/** A time from one instant to another. ISO 8601, UTC; texts of years with four figures compare as the instants do. */
export interface Span {
  from: string;
  to: string;
}

/** A period as it is sent: dates, or dates and times, local to the place where they have no offset. */
export interface Period {
  startDate: string;
  endDate?: string | undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** A date alone is where it ends: the end of that day. */
export const endOfDay = (text: string): string => (text.length === 10 ? `${text}T23:59:59.999` : text);

/** The same to the second, as it is told. */
export const lastSecondOf = (text: string): string => (text.length === 10 ? `${text}T23:59:59` : text);

/** The instants that a period means at its place. One without an end is 24 hours long. */
export function spanOf({ startDate, endDate }: Period, place: Place): Span {
  const zone = zoneOf(place) ?? "UTC";
  const from = instantOf(startDate, zone);
  const to = endDate ? instantOf(endOfDay(endDate), zone) : new Date(Date.parse(from) + dayMilliseconds).toISOString();
  return { from, to };
}

/** Whether an instant lies in a year of four figures, as those that are kept do. */
export const isStorableInstant = (instant: string): boolean => /^\d{4}-/.test(instant);

/** So many days in a row are said one by one. */
const mostDays = 62;

/**
 * Each day from one time by the clock to another, as `2026-11-24`, for terms of the archive: whoever is there at times that
 * overlap shares one. Undefined when they are too many.
 */
export function daysIn(from: string, to: string): string[] | undefined {
  const [first, last] = [Date.parse(from.slice(0, 10)), Date.parse(to.slice(0, 10))];
  const count = (last - first) / dayMilliseconds + 1;
  if (count > mostDays) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, day) =>
    new Date(first + day * dayMilliseconds).toISOString().slice(0, 10),
  );
}
