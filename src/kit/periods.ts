import { instantOf, zoneOf, type Place } from "./zones.ts";

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

/** The instants that a period means at its place. One without an end is 24 hours long. */
export function spanOf({ startDate, endDate }: Period, place: Place): Span {
  const zone = zoneOf(place) ?? "UTC";
  const from = instantOf(startDate, zone);
  const to = endDate ? instantOf(endOfDay(endDate), zone) : new Date(Date.parse(from) + dayMilliseconds).toISOString();
  return { from, to };
}

/** Whether an instant lies in a year of four figures, as those that are kept do. */
export const isKeepable = (instant: string): boolean => /^\d{4}-/.test(instant);
