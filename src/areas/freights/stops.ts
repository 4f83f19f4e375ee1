import { isDeepStrictEqual } from "node:util";
import type { Env } from "../../platform/env.ts";
import { isStorableInstant, lastSecondOf } from "../../domain/periods.ts";
import { coordinatesOf, type Point } from "../../domain/places/places.ts";
import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import type { FreightInput, StopInput } from "./input.ts";
import type { StopView } from "./views.ts";

/** A stop as it is kept: what was sent, and beside it the instants that it means. */
export interface Stop {
  sequence: number;
  type: StopInput["type"];
  address: { countryCode: string; postalCode?: string; city?: string; coordinates?: Point };
  /** The gazetteer told the coordinates. */
  isLookedUp?: true;
  /** As it was sent. */
  period: { startDate?: string; endDate?: string };
  /** ISO 8601, UTC. */
  startsAt?: string;
  endsAt?: string;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** No stop may end later than this from now. */
const furthestDays = 30;

/** Looks up where stops are that say only an address. Those nobody knows stay without coordinates. */
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

/** The clock of a stop, for times that are told without an offset. */
export const zoneOfStop = ({ address: { countryCode, postalCode, coordinates } }: Stop): string =>
  zoneOf({ countryCode, postalCode, ...coordinates }) ?? "UTC";

/** When to be at a stop, by the clock that hangs there: `2026-11-24 08:00`, or `2026-11-24` where nobody named an hour. */
export function timesAt({ address, period }: Pick<Stop, "address" | "period">): Stop["period"] {
  const zone = zoneOf({ ...address, ...address.coordinates }) ?? "UTC";
  const shown = (text: string) =>
    text.length === 10 ? text : localTimeIn(instantOf(text, zone), zone).slice(0, 16).replace("T", " ");
  const { startDate, endDate } = period;
  return { ...(startDate && { startDate: shown(startDate) }), ...(endDate && { endDate: shown(endDate) }) };
}

/** In the order of the route. */
export const inOrder = (stops: readonly Stop[]): Stop[] => stops.toSorted((a, b) => a.sequence - b.sequence);

/** When the first loading is over, in milliseconds since 1970; a day after its beginning when nobody has said. */
export const loadingEnd = ([first]: readonly Stop[]): number =>
  first!.endsAt ? Date.parse(first!.endsAt) : Date.parse(first!.startsAt!) + dayMilliseconds;

/**
 * What is wrong with the stops of a freight at this moment.
 * @param stops in the order they were sent, so that each fault is said of its place
 */
export function faultsOfStops(stops: readonly Stop[], at: string): ErrorItem[] {
  const placed = stops.map((stop, place) => ({ stop, place })).toSorted((a, b) => a.stop.sequence - b.stop.sequence);
  const [first, last] = [placed[0]!, placed.at(-1)!];
  return [
    ...twins(stops),
    ...(first.stop.type === "Loading"
      ? []
      : [fault(first.place, ["type"], "first_not_loading", "The first stop must be a Loading")]),
    ...(last.stop.type === "Unloading"
      ? []
      : [fault(last.place, ["type"], "last_not_unloading", "The last stop must be an Unloading")]),
    ...(first.stop.startsAt
      ? []
      : [fault(first.place, ["period", "startDate"], "required", "The first loading must have a time")]),
    ...placed.flatMap(({ stop, place }) => faultsOfPeriod(stop, place, at)),
    ...placed.flatMap(({ stop, place }, index) =>
      isTooEarly(
        stop,
        placed.slice(0, index).map((one) => one.stop),
      )
        ? [
            fault(
              place,
              ["period", stop.endsAt ? "endDate" : "startDate"],
              "not_in_order",
              "It ends before the previous stop begins",
            ),
          ]
        : [],
    ),
    ...(first.stop.startsAt && loadingEnd([first.stop]) <= Date.parse(at)
      ? [
          fault(
            first.place,
            ["period", first.stop.endsAt ? "endDate" : "startDate"],
            "in_the_past",
            "The first loading is in the past",
          ),
        ]
      : []),
  ];
}

const fault = (place: number, path: string[], code: string, message: string): ErrorItem =>
  wrongField(["locations", place, ...path], code, `${path.at(-1)!}: ${message}.`);

function twins(stops: readonly Stop[]): ErrorItem[] {
  const numbers = stops.map(({ sequence }) => sequence);
  return numbers.flatMap((number, place) =>
    numbers.indexOf(number) < place
      ? [fault(place, ["sequence"], "duplicate", `Two stops have the sequence ${number}`)]
      : [],
  );
}

function faultsOfPeriod({ startsAt, endsAt }: Stop, place: number, at: string): ErrorItem[] {
  const unkept = Object.entries({ startDate: startsAt, endDate: endsAt }).filter(
    ([, time]) => time && !isStorableInstant(time),
  );
  if (unkept.length > 0)
    return unkept.map(([name]) => fault(place, ["period", name], "invalid", "The year must be between 0000 and 9999"));
  if (startsAt && endsAt && endsAt < startsAt)
    return [fault(place, ["period", "endDate"], "end_before_start", "It is before startDate")];
  const end = endsAt ?? startsAt;
  if (end && Date.parse(end) > Date.parse(at) + furthestDays * dayMilliseconds)
    return [
      fault(
        place,
        ["period", endsAt ? "endDate" : "startDate"],
        "too_far_ahead",
        `It is more than ${furthestDays} days from now`,
      ),
    ];
  return [];
}

/** A stop that is over before one before it has begun cannot come after it. */
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
 * The same stops, of which those that come back with the coordinates the gazetteer had found for them are known to be its:
 * whoever sends a freight as it was read has not said them.
 * @param before as they are kept
 */
export const recognised = (stops: readonly Stop[], before: readonly Stop[]): Stop[] =>
  stops.map((stop) => {
    const isShown = before.some(({ isLookedUp, address }) => isLookedUp && isDeepStrictEqual(address, stop.address));
    return isShown ? { ...stop, isLookedUp: true } : stop;
  });

/** What was sent of a route, by which it is told from another one: the gazetteer may know more the next time. */
export const sentOf = (stops: readonly Stop[]) =>
  stops.map(({ isLookedUp, address: { coordinates, ...address }, ...stop }) => ({
    ...stop,
    address: { ...address, ...(coordinates && !isLookedUp && { coordinates }) },
  }));
