import { distanceKm, type Point } from "../../domain/places/cells.ts";
import { endOfDay } from "../../domain/periods.ts";
import { instantOf, zoneOf } from "../../domain/places/zones.ts";
import type { OrderLocation, OrderView } from "../../extraction/kinds/order/view.ts";
import { covers, overlaps, type Occurred, type Window } from "./time-windows.ts";

/** A stop of an order. `point` is absent if the location is unknown. */
export interface RoadStop {
  sequence: number;
  name: string;
  point?: Point | undefined;
}

/** An order of a vehicle, with the time from the start of its first stop to the end of its last stop. */
export interface Road {
  orderId: string;
  orderNumber?: string | undefined;
  window: Window;
  stops: RoadStop[];
}

/** The leg of an order that is nearest to a place. */
export interface Leg {
  from: RoadStop;
  to: RoadStop;
  /** Distance of the place from the straight line between the two stops. */
  km: number;
}

/** An order that was on the road at the time of the offence. */
export interface OnRoad {
  road: Road;
  /**
   * Whether the offence happened between the first and the last stop. Otherwise it happened up to `margin` before or
   * after.
   */
  isWithin: boolean;
  leg?: Leg | undefined;
}

const hour = 3_600_000;
/** An order counts as on the road from this time before its first stop until this time after its last stop. */
export const margin = 12 * hour;
/**
 * Of several orders, the one nearest to the place is chosen only if the next nearest is more than this many times as
 * far away.
 */
const clearlyNearer = 2;
const leastNear = 30;

/** Converts an order. Returns undefined if none of its stops has a valid time. */
export function roadOf(orderId: string, view: OrderView): Road | undefined {
  const stops = view.locations ?? [];
  const spans = stops.flatMap((stop) => spanAt(stop) ?? []);
  if (spans.length === 0) return undefined;
  return {
    orderId,
    ...(view.orderNumber && { orderNumber: view.orderNumber }),
    window: { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) },
    stops: stops.map(stopOf),
  };
}

function spanAt({ startDate, endDate, countryCode, postalCode, coordinates }: OrderLocation): Window | undefined {
  if (!startDate) return undefined;
  const zone = zoneOf({ countryCode, postalCode, ...coordinates }) ?? "UTC";
  try {
    const from = Date.parse(instantOf(startDate, zone));
    const end = endDate ?? (/T00:00(:00)?$/.test(startDate) ? startDate.slice(0, 10) : startDate);
    return { from, to: Math.max(from, Date.parse(instantOf(endOfDay(end), zone))) };
  } catch {
    // A date that was extracted from a document may not exist in the calendar.
    return undefined;
  }
}

const stopOf = ({ sequence, city, name, postalCode, coordinates }: OrderLocation, index: number): RoadStop => ({
  sequence: sequence ?? index + 1,
  name: city ?? postalCode ?? name ?? "",
  ...(coordinates?.latitude !== undefined &&
    coordinates.longitude !== undefined && {
      point: { latitude: coordinates.latitude, longitude: coordinates.longitude },
    }),
});

/**
 * Finds the orders that were on the road at the time of the offence.
 * @param place the place of the offence, if it is known
 */
export function onRoadAt(roads: readonly Road[], { windows }: Occurred, place: Point | undefined): OnRoad[] {
  return roads.flatMap((road) => {
    const { from, to } = road.window;
    const wide = { from: from - margin, to: to + margin };
    if (!windows.some((window) => overlaps(wide, window))) return [];
    const isWithin = windows.every((window) => covers({ from, to: to + 1 }, window));
    return [{ road, isWithin, leg: place && legNear(road.stops, place) }];
  });
}

/**
 * Chooses the order to which the fine is assigned. If there are several orders, it chooses the only one that was
 * between its first and last stop at that time. If there is no such order, or more than one, it chooses the order that
 * passes clearly nearest to the place. Returns undefined if no choice is clear.
 */
export function meantOf(found: readonly OnRoad[]): OnRoad | undefined {
  if (found.length <= 1) return found[0];
  const within = found.filter(({ isWithin }) => isWithin);
  if (within.length === 1) return within[0];
  const among = within.length > 0 ? within : found;
  const [nearest, next] = among.filter(({ leg }) => leg).sort((a, b) => a.leg!.km - b.leg!.km);
  const isClear = nearest && next && next.leg!.km > Math.max(leastNear, nearest.leg!.km) * clearlyNearer;
  return isClear && among.every(({ leg }) => leg) ? nearest : undefined;
}

function legNear(stops: readonly RoadStop[], place: Point): Leg | undefined {
  const known = stops.filter(({ point }) => point);
  const legs = known.slice(1).map((to, at) => {
    const from = known[at]!;
    return { from, to, km: Math.round(distanceToLine(place, from.point!, to.point!)) };
  });
  return legs.sort((a, b) => a.km - b.km)[0];
}

/**
 * Computes the distance in kilometres from a place to the line between two other places, approximated on a plane that
 * touches the globe at the place.
 */
function distanceToLine(place: Point, one: Point, other: Point): number {
  const wide = Math.cos((place.latitude * Math.PI) / 180);
  const [ax, ay] = [(one.longitude - place.longitude) * wide, one.latitude - place.latitude];
  const [bx, by] = [(other.longitude - place.longitude) * wide, other.latitude - place.latitude];
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  return distanceKm(place, {
    latitude: one.latitude + along * (other.latitude - one.latitude),
    longitude: one.longitude + along * (other.longitude - one.longitude),
  });
}
