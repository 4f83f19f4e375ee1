import { anyOf, listArchive, normalizeNumber, type AnyOf, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { cells, cellsWithin } from "../../domain/places/cells.ts";
import { spanOf } from "../../domain/periods.ts";
import { localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import type { FreightView } from "../freights/views.ts";
import { availabilityTerms, regionOf, defaultRange } from "../vehicles/search.ts";
import type { VehicleView } from "../vehicles/model.ts";
import { scoreOf, type Address, type Score, type Free, type Load } from "./score.ts";

/** If there are more candidates, only the newest are compared. */
const mostCandidates = 1000;
const dayMilliseconds = 24 * 60 * 60 * 1000;

export interface Match<Thing> extends Score {
  thing: Thing;
}

export interface Matching {
  archive: D1Database;
  company: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** Finds the company's vehicles that fit a freight, best first. Vehicles with equal scores are sorted by id. */
export async function vehiclesFor(load: Load, { archive, company, at }: Matching): Promise<Match<VehicleView>[]> {
  const { address, period } = load.locations[0]!;
  const near = ways(
    address.coordinates ? cells(address.coordinates).map((cell) => `reach:${cell}`) : [],
    regionWay(address, (region) => [`loadingRegion:${region}`]),
  );
  const span = period.startDate ? clocksOf({ ...period, startDate: period.startDate }, address) : undefined;
  const candidates = await findCandidates<VehicleView>(archive, near, {
    table: "vehicles",
    company,
    terms: span ? [anyOf(...availabilityTerms(span.from, span.to))] : [],
    ranges: [],
  });
  return ranked(
    candidates,
    (vehicle) => scoreOf(load, vehicle, at),
    ({ vehicleId }) => vehicleId,
  );
}

/** Finds the company's live freights that fit a vehicle, best first. Freights with equal scores are sorted by id. */
export async function freightsFor(free: Free, { archive, company, at }: Matching): Promise<Match<FreightView>[]> {
  if (!free.loading) return [];
  const { address, period } = free.loading;
  const near = ways(
    address.coordinates
      ? cellsWithin(address.coordinates, free.range ?? defaultRange).map((cell) => `loadingCell:${cell}`)
      : [],
    regionWay(address, () => [
      `loadingCountry:${address.countryCode}`,
      `loadingPostalCode:${normalizeNumber(address.postalCode!).slice(0, 2)}`,
    ]),
  );
  const span = period && clocksOf(period, address);
  const candidates = await findCandidates<FreightView>(archive, near, {
    table: "freights",
    company,
    terms: [anyOf("status:Published", "status:Draft")],
    ranges: span ? [{ column: "loadingDate", to: span.to }] : [],
  });
  const live = candidates.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > at);
  return ranked(
    live,
    (freight) => scoreOf(freight, free, at),
    ({ freightId }) => freightId,
  );
}

const ways = (near: string[], region: AnyOf): AnyOf => [...anyOf(...near), ...region];

/** Candidates without coordinates match by the country and the beginning of the postal code. */
function regionWay(address: Address, terms: (region: string) => string[]): AnyOf {
  const region = regionOf(address);
  return region ? [terms(region)] : [];
}

/** Converts a period to local time, extended by a day at both ends, because candidates may be in other time zones. */
function clocksOf(period: { startDate: string; endDate?: string | undefined }, address: Address) {
  const place = { ...address, ...address.coordinates };
  const { from, to } = spanOf(period, place);
  const shown = (instant: number) => localTimeIn(new Date(instant).toISOString(), zoneOf(place) ?? "UTC");
  return { from: shown(Date.parse(from) - dayMilliseconds), to: shown(Date.parse(to) + dayMilliseconds) };
}

async function findCandidates<View>(
  archive: D1Database,
  near: AnyOf,
  wanted: Pick<ArchiveQuery, "table" | "company" | "terms" | "ranges">,
): Promise<View[]> {
  if (near.length === 0) return [];
  const query = { ...wanted, terms: [near, ...wanted.terms], sort: "-createdAt", limit: mostCandidates };
  return (await listArchive<View>(archive, query)).items;
}

/** Sorts matches by their score, best first. Candidates that do not fit are omitted. */
export function ranked<Thing>(
  things: Thing[],
  fit: (thing: Thing) => Score | undefined,
  idOf: (thing: Thing) => string,
): Match<Thing>[] {
  return things
    .flatMap((thing) => {
      const result = fit(thing);
      return result ? [{ thing, ...result }] : [];
    })
    .sort((one, other) => other.score - one.score || (idOf(one.thing) < idOf(other.thing) ? -1 : 1));
}
