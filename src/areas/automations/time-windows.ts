import { endOfDay } from "../../domain/periods.ts";
import { instantOf, localTimeIn } from "../../domain/places/zones.ts";

/** A period in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export interface Window {
  from: number;
  to: number;
}

/** The possible times of an event whose local time is known. */
export interface Occurred {
  /** One window, or two if clocks were set back and showed that time twice. */
  windows: Window[];
  /**
   * Why the time is uncertain. `Day`: only the day is known. `Gap`: clocks skipped that time. `Fold`: clocks showed it
   * twice.
   */
  doubt?: "Day" | "Gap" | "Fold";
}

const minute = 60_000;
/** All amounts by which clocks are set back anywhere in the world, in milliseconds. */
const foldings = [30 * minute, 60 * minute, 120 * minute];

/**
 * In milliseconds: `2026-11-24T08:00` may be any moment of that minute, `2026-11-24T08:00:30` any moment of that
 * second.
 */
const lengthOf = (moment: string) => (/T\d\d:\d\d:\d\d/.test(moment) ? 1000 : minute);

/**
 * Finds the possible moments of a local time in a time zone. A time that clocks skipped is moved forward by the skipped
 * amount. A time that clocks showed twice gives two windows.
 * @param moment in the format of {@link ../../domain/shapes.ts MomentText}
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

/** Whether the time has an offset, so that it does not depend on a time zone. */
export const isAnchored = (moment: string) => /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(moment);
const withSeconds = (moment: string) => (moment.length === 16 ? `${moment}:00` : moment.slice(0, 19));

export const overlaps = (one: Window, other: Window): boolean => one.from < other.to && other.from < one.to;
export const covers = (one: Window, other: Window): boolean => one.from <= other.from && other.to <= one.to;
