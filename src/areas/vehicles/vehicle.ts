import { tight, type ArchiveRow } from "../../platform/archive/archive.ts";
import type { KeptCard } from "../../domain/payment-cards.ts";
import { cells, cellsWithin } from "../../domain/places/cells.ts";
import { daysIn } from "../../domain/periods.ts";
import { shownAt, zoneOf } from "../../domain/places/zones.ts";
import type { VehicleInput, VehicleView } from "./shapes.ts";

// What happens to it: nothing anybody is told of

export const events = {};

// What is remembered

export interface Card extends KeptCard {
  provider: string;
}

/** What the company says of a vehicle. */
export type Given = Omit<VehicleInput, "metadata" | "cards"> & { cards?: Card[] };

/** A vehicle of the company's fleet, or one that it offers. */
export interface Vehicle {
  /** Nothing of one that was removed. */
  given?: Given;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export const viewOf = (now: Vehicle & { given: Given }, vehicleId: string): VehicleView => {
  const { loading, cards, ...given } = now.given;
  return {
    vehicleId,
    ...given,
    ...(loading && { loading: { address: loading.address, ...(loading.period && { period: loading.period }) } }),
    ...(cards && { cards: cards.map(({ provider, last4 }) => ({ provider, last4 })) }),
    ...(now.metadata && { metadata: now.metadata }),
    createdAt: now.createdAt,
    updatedAt: now.updatedAt,
  };
};

/** The archive's row. One that was removed keeps its place there, and is found by nothing. */
export function vehicleRow(now: Vehicle, company: string, id: string): ArchiveRow {
  const { given, createdAt, updatedAt } = now;
  const row = { table: "vehicles" as const, id, company, createdAt, updatedAt };
  if (!given) return { ...row, terms: [], text: "", columns: columnsOf(undefined), view: {} };
  return {
    ...row,
    terms: termsOf(given, now.metadata),
    text: wordsOf(given).join(" ").slice(0, 20_000),
    columns: columnsOf(given),
    view: viewOf({ ...now, given }, id),
  };
}

/** Under this stands every vehicle that is there. */
export const thereTerm = "there:yes";

function termsOf(given: Given, metadata: Vehicle["metadata"]): string[] {
  const { owner, licensePlate, countryCode, vin, requirements, loading, cards = [] } = given;
  const address = loading?.address;
  const named: [string, string | number | undefined][] = [
    ["owner", owner?.toLowerCase()],
    ["licensePlate", licensePlate && tight(licensePlate)],
    ["countryCode", countryCode],
    ["vin", vin],
    ["vehicleType", requirements?.vehicleType],
    ["trailerType", requirements?.trailerType],
    ["loadingCountry", address?.countryCode],
    ["internalId", metadata?.["internalId"]],
    ...cards.map(({ digest }): [string, string] => ["card", digest]),
    ["loadingRegion", address && regionOf(address)],
    ...(address?.coordinates ? cells(address.coordinates) : []).map((cell): [string, string] => ["loadingCell", cell]),
    ...daysOf(loading).map((day): [string, string] => ["free", day]),
    ...reachOf(given).map((cell): [string, string] => ["reach", cell]),
  ];
  return [
    ...new Set([thereTerm, ...named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))]),
  ];
}

/** Under this stands what is free for too many days to name them, or nobody said when. */
const anyDay = "any";

const daysOf = (loading: Given["loading"]): string[] => {
  if (!loading) return [];
  const { availableFrom, availableTo } = clocksOf(loading);
  return (availableFrom && availableTo && daysIn(availableFrom, availableTo)) || [anyDay];
};

/** Terms one of which every vehicle has that may be free between two times by the clock; none when they are too many. */
export const freeTerms = (from: string, to: string): string[] =>
  daysIn(from, to)
    ?.concat(anyDay)
    .map((day) => `free:${day}`) ?? [];

/** How far one goes to a loading that does not say so, in kilometres. */
export const usualRange = 100;

/** The cells a loading may lie in that is within its range. */
const reachOf = ({ loading, range = usualRange }: Given): string[] =>
  loading?.address.coordinates ? cellsWithin(loading.address.coordinates, range) : [];

/** How a postal code begins, for places of which no coordinates are known: `DE-04`. */
export function regionOf({ countryCode, postalCode }: { countryCode: string; postalCode?: string | undefined }) {
  const beginning = tight(postalCode ?? "").slice(0, regionLetters);
  return beginning.length === regionLetters ? `${countryCode}-${beginning}` : undefined;
}

const regionLetters = 2;

function columnsOf(given: Given | undefined): ArchiveRow["columns"] {
  const { loading, licensePlate } = given ?? {};
  const { coordinates } = loading?.address ?? {};
  return {
    licensePlate: licensePlate ?? null,
    ...clocksOf(loading),
    ...(coordinates && { loadingLatitude: coordinates.latitude, loadingLongitude: coordinates.longitude }),
  };
}

/** From when to when it is free, by the clock there. */
function clocksOf(loading: Given["loading"]): { availableFrom: string | null; availableTo: string | null } {
  const clock = (instant: string | undefined) => (loading && instant ? shownAt(instant, zoneAt(loading)) : null);
  return { availableFrom: clock(loading?.from), availableTo: clock(loading?.to) };
}

const zoneAt = ({ address }: NonNullable<Given["loading"]>) => zoneOf({ ...address, ...address.coordinates }) ?? "UTC";

function wordsOf({ licensePlate, vin, comments, owner, loading, unloading, assignments = [] }: Given): string[] {
  return [
    licensePlate,
    vin,
    owner,
    ...[loading?.address, ...(unloading?.address ?? [])].flatMap((address) => [address?.city, address?.postalCode]),
    ...assignments.map(({ driver }) => driver.name),
    comments,
  ].filter((word): word is string => Boolean(word));
}
