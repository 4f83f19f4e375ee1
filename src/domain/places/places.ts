import { foldName } from "../../extraction/lexicon/fold.ts";
import { openGazetteer, type GazetteerPlace, type GazetteerShards } from "../../extraction/lexicon/gazetteer.ts";
import { distanceKm, type Point } from "./cells.ts";
import type { Env } from "../../platform/env.ts";

export { cells, cellsWithin, distanceKm, type Point } from "./cells.ts";

/** A place to look up. `countryCode` is ISO 3166-1 alpha-2, upper case. */
export interface NamedPlace {
  countryCode: string;
  /** Whitespace, dashes and country letters are ignored. */
  postalCode?: string | undefined;
  city?: string | undefined;
}

/** A nearby alternative town. */
export interface Alternative extends Point {
  countryCode: string;
  city: string;
  /** Whole kilometres. */
  distanceKm: number;
}

const maxAlternatives = 5;
/** A town within this distance of a stop counts as the stop itself. */
const samePlaceKm = 1;

const opened = new WeakMap<Env["ASSETS"], GazetteerShards>();

/** Returns the gazetteer, which is opened once per isolate. The shards of countries are loaded on demand. */
export function gazetteerOf({ ASSETS }: Env): GazetteerShards {
  const gazetteer = opened.get(ASSETS) ?? openGazetteer((name) => shardOf(ASSETS, name));
  opened.set(ASSETS, gazetteer);
  return gazetteer;
}

async function shardOf(assets: Env["ASSETS"], name: string): Promise<Uint8Array | undefined> {
  const response = await assets.fetch(`https://assets/gazetteer/${name}`);
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  // Only a 404 may be cached as an absent shard.
  if (response.status !== 404) throw new Error(`The gazetteer shard ${name} was answered with ${response.status}.`);
  return undefined;
}

/** A place in the gazetteer. */
export interface KnownPlace {
  /** The gazetteer's spelling of the town; absent if the gazetteer does not contain it. */
  city?: string;
  /** Absent if the gazetteer contains neither the postal code nor the town. */
  coordinates?: Point;
}

/**
 * Looks up a place by its postal code, otherwise by its name. Of several places with the code, the one with the given
 * name is used, otherwise the centre of all. Of several towns with the name, the one nearest to the code is used, or
 * without a known code the largest one.
 */
export async function lookUpPlace(env: Env, { countryCode, postalCode, city }: NamedPlace): Promise<KnownPlace> {
  const gazetteer = await gazetteerOf(env).prepare([countryCode]);
  const bareCode = postalCode?.replace(/^[A-Z]{1,3}[ -](?=\d)/i, "");
  const coded = bareCode ? gazetteer.lookupPostal(countryCode, bareCode) : [];
  const codedTown = coded.find(({ name }) => isNamed(name, city));
  const named = city ? [...gazetteer.lookupCity(city, countryCode), ...gazetteer.lookupCity(city)] : [];
  const towns = named.filter(({ country }) => country === countryCode);
  const coordinates = pointOf(codedTown) ?? (coded.length > 0 ? middleOf(coded) : pointOf(towns[0]));
  const town = codedTown ?? nearest(towns, coordinates) ?? (!city && coded.length === 1 ? coded[0] : undefined);
  return { ...(town?.name && { city: town.name }), ...(coordinates && { coordinates }) };
}

/** Returns the coordinates of a place; see {@link lookUpPlace}. */
export const coordinatesOf = async (env: Env, place: NamedPlace): Promise<Point | undefined> =>
  (await lookUpPlace(env, place)).coordinates;

/**
 * Finds the largest towns of the same country within a range of distances from a place: at most five, the largest
 * first. Towns with the name or the location of a stop in `not` are excluded.
 * @param range inclusive, great-circle distance in kilometres
 */
export async function alternativesOf(
  env: Env,
  place: Point & { countryCode: string },
  { fromKm, toKm }: { fromKm: number; toKm: number },
  not: readonly (NamedPlace & Partial<Point>)[],
): Promise<Alternative[]> {
  const gazetteer = await gazetteerOf(env).prepare([place.countryCode]);
  const away = (town: Point) => distanceKm(place, town);
  return gazetteer
    .largestTowns(place.countryCode, (town) => away(town) >= fromKm && away(town) <= toKm)
    .filter((town) => !not.some((stop) => isSame(town, stop)))
    .take(maxAlternatives)
    .map((town) => ({
      countryCode: town.country,
      city: town.name,
      latitude: town.latitude,
      longitude: town.longitude,
      distanceKm: Math.round(away(town)),
    }))
    .toArray();
}

const isNamed = (name: string, city: string | undefined) => city !== undefined && foldName(name) === foldName(city);

function isSame(
  town: GazetteerPlace,
  { countryCode, city, latitude, longitude }: NamedPlace & Partial<Point>,
): boolean {
  if (countryCode === town.country && isNamed(town.name, city)) return true;
  return latitude !== undefined && longitude !== undefined && distanceKm(town, { latitude, longitude }) < samePlaceKm;
}

const nearest = (towns: readonly GazetteerPlace[], point: Point | undefined): GazetteerPlace | undefined =>
  point && towns.toSorted((one, other) => distanceKm(point, one) - distanceKm(point, other))[0];

const pointOf = (place: GazetteerPlace | undefined): Point | undefined =>
  place && { latitude: place.latitude, longitude: place.longitude };

const middleOf = (places: readonly GazetteerPlace[]): Point => ({
  latitude: mean(places.map(({ latitude }) => latitude)),
  longitude: mean(places.map(({ longitude }) => longitude)),
});

const mean = (values: number[]) => Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4));
