import * as z from "zod";
import { anyOf, normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  exact,
  internalId,
  rangeFrom,
  rangeTo,
  searchable,
  words,
  type Conditions,
} from "../../platform/archive/searchable.ts";
import { trailerTypes, vehicleTypes } from "../../domain/mappings.ts";
import { daysIn } from "../../domain/periods.ts";
import { cellsWithin } from "../../domain/places/cells.ts";
import { QueryNear, withinCircle } from "../../domain/places/near.ts";
import { localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import { Country } from "../../domain/addresses.ts";
import { entryOf, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { type VehicleDetails, type PresentVehicle, type Vehicle, type VehicleView, viewOf } from "./model.ts";

const normalizeEmail = (email: string) => email.trim().toLowerCase();

const search = searchable<PresentVehicle, VehicleView>()({
  table: "vehicles",
  sort: ["createdAt", "updatedAt", "licensePlate", "availableFrom"],
  presence: "there:yes",
  columns: {
    licensePlate: ({ given }) => given.licensePlate,
    availableFrom: ({ given }) => availabilityOf(given.loading).from,
    availableTo: ({ given }) => availabilityOf(given.loading).to,
  },
  fields: {
    owner: exact(
      z.string().max(254).optional().describe("E-mail address of its owner."),
      ({ given }) => given.owner,
      normalizeEmail,
    ),
    licensePlate: exact(
      z.string().max(30).optional().describe("Case, blanks and dashes are ignored."),
      ({ given }) => given.licensePlate,
      normalizeNumber,
    ),
    countryCode: exact(Country.optional().describe("Country of registration."), ({ given }) => given.countryCode),
    loadingCountry: exact(
      Country.optional().describe("Country in which it is available."),
      ({ given }) => given.loading?.address.countryCode,
    ),
    vehicleType: exact(entryOf(vehicleTypes).optional(), ({ given }) => given.requirements?.vehicleType),
    trailerType: exact(
      entryOf(trailerTypes).optional().describe("Vehicles of type 10 (Any) are found only by that number."),
      ({ given }) => given.requirements?.trailerType,
    ),
    availableFrom: rangeFrom(
      "availableTo",
      QueryClock.optional().describe("Available at or after this local time; an offset is ignored."),
    ),
    availableTo: rangeTo("availableFrom", QueryClockEnd.optional().describe("Available at or before this local time.")),
    near: withinCircle(
      "loading",
      ({ given }) => given.loading?.address.coordinates,
      QueryNear.optional().describe(
        "Available within this circle: latitude, longitude and radius in kilometres as the crow flies, at most 1000.",
      ),
    ),
    internalId: internalId(),
    text: words(),
  },
  terms: ({ given }) => [
    ...(given.vin ? [`vin:${given.vin}`] : []),
    ...(given.cards ?? []).map(({ digest }) => `card:${digest}`),
    ...regionTerms(given),
    ...availableDays(given.loading).map((day) => `free:${day}`),
    ...reachableCells(given).map((cell) => `reach:${cell}`),
  ],
  text: ({ given: { licensePlate, vin, comments, owner, loading, unloading, assignments = [] } }) => [
    licensePlate,
    vin,
    owner,
    ...[loading?.address, ...(unloading?.address ?? [])].flatMap((address) => [address?.city, address?.postalCode]),
    ...assignments.map(({ driver }) => driver.name),
    comments,
  ],
});

export const ListQuery = search.query;

export const listVehicles = (archive: D1Database, company: string, query: z.output<typeof ListQuery>) =>
  search.list(archive, company, query, availableBetween(query));

export function vehicleRow(vehicle: Vehicle, company: string, id: string): ArchiveRow {
  const { given, createdAt, updatedAt } = vehicle;
  if (!given) return search.tombstone(company, id);
  const present = { ...vehicle, given };
  return search.row(present, { id, company, createdAt, updatedAt, view: viewOf(present, id) });
}

/** For a period with a start and an end, a search by its days is faster than one by two ranges. */
function availableBetween({ availableFrom, availableTo }: z.output<typeof ListQuery>): Conditions {
  return availableFrom && availableTo ? { terms: [anyOf(...availabilityTerms(availableFrom, availableTo))] } : {};
}

/** Term of vehicles that are available without dates, or on too many days to list them. */
const anyDay = "any";

const availableDays = (loading: VehicleDetails["loading"]): string[] => {
  if (!loading) return [];
  const { from, to } = availabilityOf(loading);
  return (from && to && daysIn(from, to)) || [anyDay];
};

/**
 * Returns the search terms for a period: every vehicle that may be available in it has at least one of them. Empty if
 * the period has too many days.
 */
export const availabilityTerms = (from: string, to: string): string[] =>
  daysIn(from, to)
    ?.concat(anyDay)
    .map((day) => `free:${day}`) ?? [];

/** Local time at the place where the vehicle is available. */
function availabilityOf(loading: VehicleDetails["loading"]): { from: string | undefined; to: string | undefined } {
  const localTime = (instant: string | undefined) =>
    loading && instant ? localTimeIn(instant, zoneAt(loading)) : undefined;
  return { from: localTime(loading?.from), to: localTime(loading?.to) };
}

const zoneAt = ({ address }: NonNullable<VehicleDetails["loading"]>) =>
  zoneOf({ ...address, ...address.coordinates }) ?? "UTC";

/** Default range of a vehicle: the kilometres that it drives empty to a loading. */
export const defaultRange = 100;

const reachableCells = ({ loading, range = defaultRange }: VehicleDetails): string[] =>
  loading?.address.coordinates ? cellsWithin(loading.address.coordinates, range) : [];

function regionTerms({ loading }: VehicleDetails): string[] {
  const region = loading && regionOf(loading.address);
  return region ? [`loadingRegion:${region}`] : [];
}

/** Returns the region by which places without coordinates are compared, such as `DE-04` for the postal code 04103. */
export function regionOf({ countryCode, postalCode }: { countryCode: string; postalCode?: string | undefined }) {
  const beginning = normalizeNumber(postalCode ?? "").slice(0, regionLetters);
  return beginning.length === regionLetters ? `${countryCode}-${beginning}` : undefined;
}

const regionLetters = 2;
