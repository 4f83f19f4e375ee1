import { distanceKm, type Point } from "../../domain/places/cells.ts";
import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import type { FilledOpportunity, OpportunityData, OpportunityEnvelope } from "./model.ts";
import { timeWindowOf, formatDuration, transitMilliseconds, type Stay } from "./time-windows.ts";

type Stop = NonNullable<OpportunityData["locations"]>[number];
type Requirements = NonNullable<OpportunityData["requirements"]>;

/** Estimated ratio of the road distance to the straight-line distance. */
const detourFactor = 1.3;
/** From this many loading metres or tonnes, a load counts as a full truck load. */
const [fullLdm, fullTonnes] = [13, 20];
/** Numbers in the API's table of trailer types. */
const [tent, refrigerator, tautliner] = [1, 2, 3];
/** Limits of the fields of a freight, in characters. */
const [maxNumberLength, maxCommentsLength] = [100, 10_000];

/**
 * Adds defaults to a request, so that its data can be posted as a freight. Time windows are widened. All other
 * extracted values are kept, with one exception: a time window that is over, or ends too early for the route, is
 * replaced by the working hours of the next possible day.
 *
 * @param points coordinates of the stops; undefined if not known
 * @param now ISO 8601, UTC
 */
export function addDefaults(
  { data, missing = [], ...envelope }: OpportunityEnvelope,
  points: readonly (Point | undefined)[],
  now: string,
): FilledOpportunity {
  if (!data) return { ...envelope, missing };
  const defaulted: string[] = [];
  const legs = legsOf(data, points);
  const { locations, transitTime } = scheduleStops(data.locations ?? [], points, legs, now, defaulted);
  const requirements = requirementsWithDefaults(data.requirements ?? {}, defaulted);
  const distance = data.totalDistance ?? totalDistanceOf(legs);
  if (distance !== undefined && data.totalDistance === undefined) defaulted.push("/totalDistance");
  const payment = data.payment?.from === undefined ? data.payment : paymentWithDefaults(data.payment, defaulted);
  return {
    ...envelope,
    data: {
      ...data,
      ...(data.externalNumber && { externalNumber: data.externalNumber.slice(0, maxNumberLength) }),
      ...(data.comments && { comments: data.comments.slice(0, maxCommentsLength) }),
      locations,
      requirements,
      ...(payment && { payment }),
      ...(distance !== undefined && { totalDistance: distance }),
    },
    missing: missing.filter((name) => !isFilled(name, { locations, requirements })),
    ...(transitTime && { transitTime }),
    defaulted,
  };
}

/**
 * Returns the kilometres from each stop to the next one; undefined if coordinates are unknown. For two stops, the total
 * distance of the request is used, if it has one.
 */
function legsOf({ locations = [], totalDistance }: OpportunityData, points: readonly (Point | undefined)[]) {
  if (locations.length === 2 && totalDistance !== undefined) return [totalDistance];
  return locations.slice(1).map((_, index) => {
    const [from, to] = [points[index], points[index + 1]];
    return from && to ? Math.round(distanceKm(from, to) * detourFactor) : undefined;
  });
}

const totalDistanceOf = (legs: readonly (number | undefined)[]): number | undefined =>
  legs.length > 0 && legs.every((leg) => leg !== undefined) ? legs.reduce((sum, leg) => sum + leg, 0) : undefined;

/** Each time window ends after the start of the previous stop's window. */
function scheduleStops(
  stops: readonly Stop[],
  points: readonly (Point | undefined)[],
  legs: readonly (number | undefined)[],
  now: string,
  defaulted: string[],
): { locations: Stop[]; transitTime?: string } {
  let before: Stay | undefined;
  let drivenKm: number | undefined = 0;
  const locations = stops.map((stop, index) => {
    const zone = zoneOf({ ...stop.address, ...points[index] }) ?? "UTC";
    const leg = index > 0 ? legs[index - 1] : 0;
    drivenKm = drivenKm === undefined || leg === undefined ? undefined : drivenKm + leg;
    const earliest = before ? new Date(before.from + transitMilliseconds(leg)).toISOString() : now;
    const window = timeWindowOf(stop.period, {
      after: before ? before.from : Date.parse(now),
      earliest: localTimeIn(earliest, zone),
      isFirst: !before,
      instant: (local) => Date.parse(instantOf(local, zone)),
    });
    if (window.startDate !== stop.period?.startDate || window.endDate !== stop.period?.endDate)
      defaulted.push(`/locations/${index}/period`);
    before = { from: Date.parse(instantOf(window.startDate, zone)) };
    return { ...stop, period: window };
  });
  return { locations, ...(drivenKm && { transitTime: formatDuration(transitMilliseconds(drivenKm)) }) };
}

function requirementsWithDefaults(requirements: Requirements, defaulted: string[]): Requirements {
  const { ldm, capacity, pallets, temperature } = requirements;
  const hasNoSize = ldm === undefined && capacity === undefined && pallets === undefined;
  const defaults: Partial<Requirements> = {
    trailerTypes: temperature ? [refrigerator] : [tent, tautliner],
    loadingSide: "All",
    ftl: hasNoSize || (ldm ?? 0) >= fullLdm || (capacity ?? 0) >= fullTonnes,
  };
  const added = Object.entries(defaults).filter(([name]) => isAbsent(requirements[name as keyof Requirements]));
  defaulted.push(...added.map(([name]) => `/requirements/${name}`));
  const regime = temperature &&
    !temperature.regime && { temperature: { ...temperature, regime: "Continuous" as const } };
  if (regime) defaulted.push("/requirements/temperature/regime");
  return { ...requirements, ...Object.fromEntries(added), ...regime };
}

const isAbsent = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

function paymentWithDefaults(payment: NonNullable<OpportunityData["payment"]>, defaulted: string[]) {
  if (payment.currency) return payment;
  defaulted.push("/payment/currency");
  return { ...payment, currency: "EUR" };
}

type Missing = NonNullable<OpportunityEnvelope["missing"]>[number];

function isFilled(
  name: Missing,
  { locations, requirements }: { locations: Stop[]; requirements: Requirements },
): boolean {
  const hasDate = (type: Stop["type"]) => locations.some((stop) => stop.type === type && stop.period?.startDate);
  if (name === "loadingDate") return hasDate("Loading");
  if (name === "unloadingDate") return hasDate("Unloading");
  return name === "trailerType" && !isAbsent(requirements.trailerTypes);
}
