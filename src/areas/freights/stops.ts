import { isDeepStrictEqual } from "node:util";
import type { Env } from "../../platform/env.ts";
import { isStorableInstant, lastSecondOf } from "../../domain/periods.ts";
import { coordinatesOf, type Point } from "../../domain/places/places.ts";
import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import type { FreightInput, StopInput } from "./input.ts";
import type { StopView } from "./views.ts";

export interface Stop {
  sequence: number;
  type: StopInput["type"];
  address: { countryCode: string; postalCode?: string; city?: string; coordinates?: Point };
  /** The coordinates are from the gazetteer. */
  isLookedUp?: true;
  /** As it was sent. */
  period: { startDate?: string; endDate?: string };
  /** ISO 8601, UTC. */
  startsAt?: string;
  endsAt?: string;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const maxDaysAhead = 30;

/** Converts stops to their stored form. Missing coordinates are those of the gazetteer, if it has the address. */
export async function locate(env: Env, { locations }: FreightInput): Promise<Stop[]> {
  const points = await Promise.all(
    locations.map(async ({ address }) => address.coordinates ?? coordinatesOf(env, address)),
  );
  return locations.map((stop, index) => stopOf(stop, index, points[index]));
}

function stopOf(stop: StopInput, index: number, coordinates: Point | undefined): Stop {
  const { countryCode, postalCode, city } = stop.address;
  const zone = zoneOf({ countryCode, postalCode, ...coordinates }) ?? "UTC";
  const { startDate, endDate } = stop.period ?? {};
  return {
    sequence: stop.sequence ?? index + 1,
    type: stop.type,
    address: {
      countryCode,
      ...(postalCode && { postalCode }),
      ...(city && { city }),
      ...(coordinates && { coordinates }),
    },
    ...(coordinates && !stop.address.coordinates && { isLookedUp: true }),
    period: { ...(startDate && { startDate }), ...(endDate && { endDate }) },
    ...(startDate && { startsAt: instantOf(startDate, zone) }),
    ...(endDate && { endsAt: instantOf(lastSecondOf(endDate), zone) }),
  };
}

/** Returns the time zone of a stop, for times without an offset. */
export const zoneOfStop = ({ address: { countryCode, postalCode, coordinates } }: Stop): string =>
  zoneOf({ countryCode, postalCode, ...coordinates }) ?? "UTC";

/** Returns the local times of a stop: `2026-11-24 08:00`, or `2026-11-24` if only a date was sent. */
export function timesAt({ address, period }: Pick<Stop, "address" | "period">): Stop["period"] {
  const zone = zoneOf({ ...address, ...address.coordinates }) ?? "UTC";
  const shown = (text: string) =>
    text.length === 10 ? text : localTimeIn(instantOf(text, zone), zone).slice(0, 16).replace("T", " ");
  const { startDate, endDate } = period;
  return { ...(startDate && { startDate: shown(startDate) }), ...(endDate && { endDate: shown(endDate) }) };
}
export const inOrder = (stops: readonly Stop[]): Stop[] => stops.toSorted((a, b) => a.sequence - b.sequence);

/** Returns the end of the first loading, in milliseconds since 1970; a day after its start if no end was sent. */
export const loadingEnd = ([first]: readonly Stop[]): number =>
  first!.endsAt ? Date.parse(first!.endsAt) : Date.parse(first!.startsAt!) + dayMilliseconds;

/**
 * @param stops in the order in which they were sent, because each error names the position of its stop
 * @param at the current time
 */
export function errorsInStops(stops: readonly Stop[], at: string): ErrorItem[] {
  const sorted = stops
    .map((stop, position) => ({ stop, position }))
    .toSorted((a, b) => a.stop.sequence - b.stop.sequence);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  return [
    ...duplicateNumbers(stops),
    ...(first.stop.type === "Loading"
      ? []
      : [stopError(first.position, ["type"], "first_not_loading", "The first stop must be a Loading")]),
    ...(last.stop.type === "Unloading"
      ? []
      : [stopError(last.position, ["type"], "last_not_unloading", "The last stop must be an Unloading")]),
    ...(first.stop.startsAt
      ? []
      : [stopError(first.position, ["period", "startDate"], "required", "It is required for the first loading")]),
    ...sorted.flatMap(({ stop, position }) => errorsInPeriod(stop, position, at)),
    ...sorted.flatMap(({ stop, position }, index) =>
      isTooEarly(
        stop,
        sorted.slice(0, index).map((one) => one.stop),
      )
        ? [
            stopError(
              position,
              ["period", stop.endsAt ? "endDate" : "startDate"],
              "not_in_order",
              "The stop must not end before an earlier stop of the route begins",
            ),
          ]
        : [],
    ),
    ...(first.stop.startsAt && loadingEnd([first.stop]) <= Date.parse(at)
      ? [
          stopError(
            first.position,
            ["period", first.stop.endsAt ? "endDate" : "startDate"],
            "in_the_past",
            "The first loading must end in the future",
          ),
        ]
      : []),
  ];
}

const stopError = (position: number, path: string[], code: string, message: string): ErrorItem =>
  wrongField(["locations", position, ...path], code, `${path.at(-1)!}: ${message}.`);

function duplicateNumbers(stops: readonly Stop[]): ErrorItem[] {
  const numbers = stops.map(({ sequence }) => sequence);
  return numbers.flatMap((number, position) =>
    numbers.indexOf(number) < position
      ? [
          stopError(
            position,
            ["sequence"],
            "duplicate",
            `Another stop has the sequence ${number}. Sequences must be unique`,
          ),
        ]
      : [],
  );
}

function errorsInPeriod({ startsAt, endsAt }: Stop, position: number, at: string): ErrorItem[] {
  const unkept = Object.entries({ startDate: startsAt, endDate: endsAt }).filter(
    ([, time]) => time && !isStorableInstant(time),
  );
  if (unkept.length > 0)
    return unkept.map(([name]) =>
      stopError(position, ["period", name], "invalid", "The year (in UTC) must be between 0000 and 9999"),
    );
  if (startsAt && endsAt && endsAt < startsAt)
    return [stopError(position, ["period", "endDate"], "end_before_start", "It must not be before startDate")];
  const end = endsAt ?? startsAt;
  if (end && Date.parse(end) > Date.parse(at) + maxDaysAhead * dayMilliseconds)
    return [
      stopError(
        position,
        ["period", endsAt ? "endDate" : "startDate"],
        "too_far_ahead",
        `It must be at most ${maxDaysAhead} days from now`,
      ),
    ];
  return [];
}

function isTooEarly(stop: Stop, before: readonly Stop[]): boolean {
  const end = stop.endsAt ?? stop.startsAt;
  return end !== undefined && before.some(({ startsAt }) => startsAt !== undefined && end < startsAt);
}

export function viewOfStop({ sequence, type, address, period }: Stop): StopView {
  const { coordinates, ...rest } = address;
  const point = coordinates && { ...coordinates, lattitude: coordinates.latitude };
  return { sequence, type, address: { ...rest, ...(point && { coordinates: point }) }, period };
}

/**
 * Marks stops whose coordinates the client read from this freight and sent back: they are still those of the gazetteer.
 * @param before the stored stops
 */
export const markLookedUp = (stops: readonly Stop[], before: readonly Stop[]): Stop[] =>
  stops.map((stop) => {
    const isShown = before.some(({ isLookedUp, address }) => isLookedUp && isDeepStrictEqual(address, stop.address));
    return isShown ? { ...stop, isLookedUp: true } : stop;
  });

/** Omits coordinates from the gazetteer, so that stops can be compared: a newer gazetteer may have others. */
export const sentOf = (stops: readonly Stop[]) =>
  stops.map(({ isLookedUp, address: { coordinates, ...address }, ...stop }) => ({
    ...stop,
    address: { ...address, ...(coordinates && !isLookedUp && { coordinates }) },
  }));
