import type { Chance } from "../chance.ts";
import type { Window } from "./order.ts";

const DAY = 86_400_000;

/** Returns the ISO day that is the given number of days later. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** Returns the given ISO day, or the next one if it is a Sunday. */
export function workday(day: string): string {
  return new Date(day).getUTCDay() === 0 ? daysAfter(day, 1) : day;
}

/** Generates the time window of a stop on the given day. */
export function window(chance: Chance, day: string): Window {
  const from = chance.stepped(5 * 60, 16 * 60, chance.happens(0.75) ? 60 : 30);
  const to = Math.min(from + chance.pick([60, 120, 180, 240, 360, 480]), 23 * 60);
  const kind = chance.weighted({ Range: 60, Single: 12, Fixed: 8, Until: 7, Day: 9, Days: 4 });
  if (kind === "Range")
    return chance.happens(0.06) ? { day, kind, from, to, lastDay: daysAfter(day, 1) } : { day, kind, from, to };
  if (kind === "Days") return { day, kind, lastDay: daysAfter(day, chance.between(1, 2)) };
  if (kind === "Until") return { day, kind, to };
  return kind === "Day" ? { day, kind } : { day, kind, from };
}
