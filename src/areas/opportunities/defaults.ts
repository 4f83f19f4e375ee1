import { distanceKm, type Point } from "../../domain/places/cells.ts";
import { instantOf, shownAt, zoneOf } from "../../domain/places/zones.ts";
import type { FilledOpportunity, OpportunityData, OpportunityEnvelope } from "./model.ts";
import { fittingWindow, shownSpan, transitMilliseconds, type Stay } from "./time-windows.ts";

type Stop = NonNullable<OpportunityData["locations"]>[number];
type Requirements = NonNullable<OpportunityData["requirements"]>;

/** Roads are longer than the flight of a crow by this much. */
const detour = 1.3;
/** A whole lorry, where nobody has said how much it is. */
const [wholeLdm, wholeTonnes] = [13, 20];
const [tent, refrigerator, tautliner] = [1, 2, 3];
/** What freights take at most. */
const [longestNumber, longestComments] = [100, 10_000];

/**
 * Fills up what a request leaves open, so that its data can be posted as a freight: time windows are widened and days that
 * nobody said reckoned from the way, trailers and the like are the usual ones. What was read stays as it is, a loading that
 * is over apart: for that the next working day is taken.
 *
 * @param points where the stops are, as far as that is known
 * @param now ISO 8601, UTC
 */
export function completed(
  { data, missing = [], ...envelope }: OpportunityEnvelope,
  points: readonly (Point | undefined)[],
  now: string,
): FilledOpportunity {
  if (!data) return { ...envelope, missing };
  const defaulted: string[] = [];
  const legs = legsOf(data, points);
  const { locations, transitTime } = planned(data.locations ?? [], points, legs, now, defaulted);
  const requirements = requirementsOf(data.requirements ?? {}, defaulted);
  const distance = data.totalDistance ?? wholeWay(legs);
  if (distance !== undefined && data.totalDistance === undefined) defaulted.push("/totalDistance");
  const payment = data.payment?.from === undefined ? data.payment : paymentOf(data.payment, defaulted);
  return {
    ...envelope,
    data: {
      ...data,
      ...(data.externalNumber && { externalNumber: data.externalNumber.slice(0, longestNumber) }),
      ...(data.comments && { comments: data.comments.slice(0, longestComments) }),
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

/** Kilometres from each stop to the next, as far as both places are known. */
function legsOf({ locations = [], totalDistance }: OpportunityData, points: readonly (Point | undefined)[]) {
  if (locations.length === 2 && totalDistance !== undefined) return [totalDistance];
  return locations.slice(1).map((_, index) => {
    const [from, to] = [points[index], points[index + 1]];
    return from && to ? Math.round(distanceKm(from, to) * detour) : undefined;
  });
}

const wholeWay = (legs: readonly (number | undefined)[]): number | undefined =>
  legs.length > 0 && legs.every((leg) => leg !== undefined) ? legs.reduce((sum, leg) => sum + leg, 0) : undefined;

/** When the lorry is where: each stop after the one before it. */
function planned(
  stops: readonly Stop[],
  points: readonly (Point | undefined)[],
  legs: readonly (number | undefined)[],
  now: string,
  defaulted: string[],
): { locations: Stop[]; transitTime?: string } {
  let before: Stay | undefined;
  let driven: number | undefined = 0;
  const locations = stops.map((stop, index) => {
    const zone = zoneOf({ ...stop.address, ...points[index] }) ?? "UTC";
    const leg = index > 0 ? legs[index - 1] : 0;
    driven = driven === undefined || leg === undefined ? undefined : driven + leg;
    const earliest = before ? new Date(before.from + transitMilliseconds(leg)).toISOString() : now;
    const window = fittingWindow(stop.period, {
      over: before ? before.from : Date.parse(now),
      earliest: shownAt(earliest, zone),
      isFirst: !before,
      instant: (local) => Date.parse(instantOf(local, zone)),
    });
    if (window.startDate !== stop.period?.startDate || window.endDate !== stop.period?.endDate)
      defaulted.push(`/locations/${index}/period`);
    before = { from: Date.parse(instantOf(window.startDate, zone)) };
    return { ...stop, period: window };
  });
  return { locations, ...(driven && { transitTime: shownSpan(transitMilliseconds(driven)) }) };
}

function requirementsOf(read: Requirements, defaulted: string[]): Requirements {
  const { ldm, capacity, pallets, temperature } = read;
  const isWhole = ldm === undefined && capacity === undefined && pallets === undefined;
  const fills: Partial<Requirements> = {
    trailerTypes: temperature ? [refrigerator] : [tent, tautliner],
    loadingSide: "All",
    ftl: isWhole || (ldm ?? 0) >= wholeLdm || (capacity ?? 0) >= wholeTonnes,
  };
  const wanted = Object.entries(fills).filter(([name]) => isAbsent(read[name as keyof Requirements]));
  defaulted.push(...wanted.map(([name]) => `/requirements/${name}`));
  const regime = temperature &&
    !temperature.regime && { temperature: { ...temperature, regime: "Continuous" as const } };
  if (regime) defaulted.push("/requirements/temperature/regime");
  return { ...read, ...Object.fromEntries(wanted), ...regime };
}

const isAbsent = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

function paymentOf(payment: NonNullable<OpportunityData["payment"]>, defaulted: string[]) {
  if (payment.currency) return payment;
  defaulted.push("/payment/currency");
  return { ...payment, currency: "EUR" };
}

type Missing = NonNullable<OpportunityEnvelope["missing"]>[number];

function isFilled(
  name: Missing,
  { locations, requirements }: { locations: Stop[]; requirements: Requirements },
): boolean {
  const dated = (type: Stop["type"]) => locations.some((stop) => stop.type === type && stop.period?.startDate);
  if (name === "loadingDate") return dated("Loading");
  if (name === "unloadingDate") return dated("Unloading");
  return name === "trailerType" && !isAbsent(requirements.trailerTypes);
}
