import { tight } from "../../platform/archive/archive.ts";
import { cells } from "../../domain/places/places.ts";
import { shownAt } from "../../domain/places/zones.ts";
import { zoneOfStop, type Stop } from "./stops.ts";

/** Letters of a postal code that it may be looked for by. */
const longestBeginning = 10;

/** The first loading of a freight, or its last unloading. */
export type End = "loading" | "unloading";

/** What a freight is found under by where it begins or ends. */
export function placeTerms(end: End, { address: { countryCode, postalCode, coordinates } }: Stop): string[] {
  const code = [...tight(postalCode ?? "")].slice(0, longestBeginning);
  return [
    `${end}Country:${countryCode}`,
    ...code.map((_, last) => `${end}PostalCode:${code.slice(0, last + 1).join("")}`),
    ...(coordinates ? cells(coordinates).map((cell) => `${end}Cell:${cell}`) : []),
  ];
}

/** The degrees of that place, as columns of the archive. */
export function pointOf(end: End, { address: { coordinates } }: Stop): Record<string, number> {
  return coordinates ? { [`${end}Latitude`]: coordinates.latitude, [`${end}Longitude`]: coordinates.longitude } : {};
}

/** When a stop begins by the clock that hangs there. */
export const clockAt = (stop: Stop): string | null => (stop.startsAt ? shownAt(stop.startsAt, zoneOfStop(stop)) : null);
