import { foldName } from "../../extraction/lexicon/fold.ts";
import { openGazetteer, type GazetteerPlace, type GazetteerShards } from "../../extraction/lexicon/gazetteer.ts";
import { distanceKm, type Point } from "./cells.ts";
import type { Env } from "../../platform/env.ts";

export { cells, cellsWithin, distanceKm, type Point } from "./cells.ts";

/** What is known of a place before it is looked up. The country is ISO 3166-1 alpha-2, capitals. */
export interface NamedPlace {
  countryCode: string;
  /** As printed: blanks, dashes and country letters do not matter. */
  postalCode?: string | undefined;
  city?: string | undefined;
}

/** A town that may stand in for a place. */
export interface Alternative extends Point {
  countryCode: string;
  city: string;
  /** From the place it stands in for, whole kilometres. */
  distanceKm: number;
}

/** Towns that stand in for one place. */
const mostAlternatives = 5;
/** A town so near to a stop is the stop. */
const samePlaceKm = 1;

let gazetteer: GazetteerShards | undefined;
/** Loaded once for each isolate, country by country as they are asked for. */
export function gazetteerOf(env: Env): GazetteerShards {
  return (gazetteer ??= openGazetteer(async (name) => {
    const response = await env.ASSETS.fetch(`https://assets/gazetteer/${name}`);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    // Only what is not there may be remembered as not there.
    if (response.status !== 404) throw new Error(`The gazetteer shard ${name} was answered with ${response.status}.`);
    return undefined;
  }));
}

/** A place as the gazetteer knows it. */
export interface KnownPlace {
  /** The gazetteer's spelling of the town; absent where it does not know the town. */
  city?: string;
  /** Absent where it knows neither the postal code nor the town. */
  coordinates?: Point;
}

/**
 * Looks a place up: by its postal code, else as the largest town of its name in that country. Of a code with several
 * places it is the one of that name, or the middle of them; of several towns of one name the nearest to the code.
 */
export async function lookUpPlace(env: Env, { countryCode, postalCode, city }: NamedPlace): Promise<KnownPlace> {
  const known = await gazetteerOf(env).prepare([countryCode]);
  const bareCode = postalCode?.replace(/^[A-Z]{1,3}[ -](?=\d)/i, "");
  const coded = bareCode ? known.lookupPostal(countryCode, bareCode) : [];
  const codedTown = coded.find(({ name }) => isNamed(name, city));
  const named = city ? [...known.lookupCity(city, countryCode), ...known.lookupCity(city)] : [];
  const towns = named.filter(({ country }) => country === countryCode);
  const coordinates = pointOf(codedTown) ?? (coded.length > 0 ? middleOf(coded) : pointOf(towns[0]));
  const town = codedTown ?? nearest(towns, coordinates) ?? (!city && coded.length === 1 ? coded[0] : undefined);
  return { ...(town?.name && { city: town.name }), ...(coordinates && { coordinates }) };
}

/** Where a place is, see {@link lookUpPlace}. */
export const coordinatesOf = async (env: Env, place: NamedPlace): Promise<Point | undefined> =>
  (await lookUpPlace(env, place)).coordinates;

/**
 * The largest towns of the same country that lie so far from a place, at most five, the largest first. None is one of
 * the stops in `not`: neither of that name nor where one of them lies.
 *
 * @param between inclusive, kilometres as the crow flies
 */
export async function alternativesOf(
  env: Env,
  place: Point & { countryCode: string },
  { fromKm, toKm }: { fromKm: number; toKm: number },
  not: readonly (NamedPlace & Partial<Point>)[],
): Promise<Alternative[]> {
  const known = await gazetteerOf(env).prepare([place.countryCode]);
  const away = (town: Point) => distanceKm(place, town);
  return known
    .largestTowns(place.countryCode, (town) => away(town) >= fromKm && away(town) <= toKm)
    .filter((town) => !not.some((stop) => isSame(town, stop)))
    .take(mostAlternatives)
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
