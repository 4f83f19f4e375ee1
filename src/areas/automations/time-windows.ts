import { endOfDay } from "../../domain/periods.ts";
import { instantOf, localTimeIn } from "../../domain/places/zones.ts";

/** A stretch of time in which something happened, in milliseconds since 1970: `from` is in it, `to` is not. */
export interface Window {
  from: number;
  to: number;
}

/** When something happened that is told by the clock at a place. */
export interface Occurred {
  /** One, or two where the clock showed that time twice. */
  windows: Window[];
  /** What makes it uncertain: only the day is known, or the clock skipped that time, or showed it twice. */
  doubt?: "Day" | "Gap" | "Fold";
}

const minute = 60_000;
/** By so much clocks are set back, wherever they are. */
const foldings = [30 * minute, 60 * minute, 120 * minute];

/** What a text is exact to: `2026-11-24T08:00` may be anywhere in that minute. */
const lengthOf = (moment: string) => (/T\d\d:\d\d:\d\d/.test(moment) ? 1000 : minute);

/**
 * When it was, by the clock of a zone. A time that the clock skipped moves forward by what it skipped; one that it showed
 * twice may have been either.
 * @param moment as {@link ../../kit/shapes.ts MomentText} takes it
 */
export function occurredAt(moment: string, zone: string): Occurred {
  const from = Date.parse(instantOf(moment, zone));
  if (moment.length === 10)
    return { windows: [{ from, to: Date.parse(instantOf(endOfDay(moment), zone)) + 1 }], doubt: "Day" };
  const length = lengthOf(moment);
  const first = { from, to: from + length };
  if (isAnchored(moment)) return { windows: [first] };
  const shows = (instant: number) =>
    localTimeIn(new Date(instant).toISOString(), zone).slice(0, 19) === withSeconds(moment);
  if (!shows(from)) return { windows: [first], doubt: "Gap" };
  const again = foldings.map((later) => from + later).find(shows);
  return again === undefined
    ? { windows: [first] }
    : { windows: [first, { from: again, to: again + length }], doubt: "Fold" };
}

/** With an offset it is the same everywhere. */
export const isAnchored = (moment: string) => /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(moment);
const withSeconds = (moment: string) => (moment.length === 16 ? `${moment}:00` : moment.slice(0, 19));

export const overlaps = (one: Window, other: Window): boolean => one.from < other.to && other.from < one.to;
export const covers = (one: Window, other: Window): boolean => one.from <= other.from && other.to <= one.to;
