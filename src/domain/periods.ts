import { instantOf, zoneOf, type ZonedPlace } from "./places/zones.ts";

/** An interval between two instants in ISO 8601, UTC. With four-digit years the texts sort by time. */
export interface Span {
  from: string;
  to: string;
}

/** A period in the API: dates, or dates and times. Without an offset they are local to the place. */
export interface Period {
  startDate: string;
  endDate?: string | undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Adds the last millisecond of the day to a date without a time; returns any other text unchanged. */
export const endOfDay = (text: string): string => (text.length === 10 ? `${text}T23:59:59.999` : text);

/** Adds the last second of the day to a date without a time, for the API. */
export const lastSecondOf = (text: string): string => (text.length === 10 ? `${text}T23:59:59` : text);

/** Determines the instants of a period at a place. A period without an end lasts 24 hours. */
export function spanOf({ startDate, endDate }: Period, place: ZonedPlace): Span {
  const zone = zoneOf(place) ?? "UTC";
  const from = instantOf(startDate, zone);
  const to = endDate ? instantOf(endOfDay(endDate), zone) : new Date(Date.parse(from) + dayMilliseconds).toISOString();
  return { from, to };
}

/** Whether the year of an instant has four digits, which stored instants require. */
export const isStorableInstant = (instant: string): boolean => /^\d{4}-/.test(instant);

const maxDays = 62;

/**
 * Lists the days of a period in local time, such as `2026-11-24`; undefined if there are too many. As archive terms,
 * they find overlapping periods: these have a day in common.
 */
export function daysIn(from: string, to: string): string[] | undefined {
  const [first, last] = [Date.parse(from.slice(0, 10)), Date.parse(to.slice(0, 10))];
  const count = (last - first) / dayMilliseconds + 1;
  if (count > maxDays) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, day) =>
    new Date(first + day * dayMilliseconds).toISOString().slice(0, 10),
  );
}
