import { foldName } from "./fold.ts";
import { postalKey } from "./postal-patterns.ts";
import { romanise } from "./romanise.ts";

/**
 * A town or postal code. The data is © GeoNames, CC BY 4.0; the folder of the shards contains the notice.
 *
 * `scripts/gazetteer.ts` builds one shard per country ("DE.tsv") and one with the larger towns of the world
 * ("world.tsv"). A shard is a text of sorted lines. It is searched as bytes, and only matching lines are parsed.
 */
export interface GazetteerPlace {
  country: string;
  name: string;
  /** Code of the US state or Canadian province. */
  region?: string;
  latitude: number;
  longitude: number;
  /** 0 if unknown. */
  population: number;
}

export type Coordinates = Pick<GazetteerPlace, "latitude" | "longitude">;

/** Loads the bytes of a shard; undefined if there is no shard of that name. */
export type ShardLoader = (name: string) => Promise<Uint8Array | undefined>;

const WORLD = "world";
/** A shard has up to 5 MB, and an isolate has 128 MB. */
const MOST_SHARDS = 14;
const NEWLINE = 10;
const POSTAL_MARK = "#".charCodeAt(0);
const AFTER_POSTAL = Uint8Array.of(POSTAL_MARK + 1);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Shard {
  bytes: Uint8Array;
  towns: Map<string, readonly GazetteerPlace[]>;
  bySize?: TownsBySize;
}

/** Line offsets and coordinates of the towns with a known population, largest first. */
interface TownsBySize {
  lines: Uint32Array;
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Names cached per shard. Documents repeat the same few hundred names. */
const MOST_NAMES = 4000;

/** The shards of one isolate, cached across documents. */
export class GazetteerShards {
  readonly #load: ShardLoader;
  /** In order of use, the latest last; `undefined` if a country has no shard. */
  readonly #shards = new Map<string, Shard | undefined>();

  constructor(load: ShardLoader) {
    this.#load = load;
  }

  /**
   * Loads the shards of these countries and of the larger towns of the world. A country without a shard is not an
   * error.
   */
  async prepare(countries: Iterable<string>): Promise<Gazetteer> {
    const wanted = [...new Set([WORLD, ...countries])].slice(0, MOST_SHARDS);
    const shards = new Map(await Promise.all(wanted.map(async (name) => [name, await this.#shard(name)] as const)));
    for (const [name, shard] of shards) {
      this.#shards.delete(name);
      this.#shards.set(name, shard);
    }
    for (const name of this.#shards.keys()) {
      if (this.#shards.size <= MOST_SHARDS) break;
      this.#shards.delete(name);
    }
    return new Gazetteer(shards);
  }

  async #shard(name: string): Promise<Shard | undefined> {
    if (this.#shards.has(name)) return this.#shards.get(name);
    const bytes = await this.#load(`${name}.tsv`);
    return bytes && { bytes, towns: new Map() };
  }
}

/** Places of the prepared countries and the larger towns of the world. */
export class Gazetteer {
  readonly #shards: ReadonlyMap<string, Shard | undefined>;

  constructor(shards: ReadonlyMap<string, Shard | undefined>) {
    this.#shards = shards;
  }

  /**
   * Whether the postal codes of the country are known. If they are, an unknown code is evidence against this country.
   */
  hasPostal(country: string): boolean {
    return this.#shards.get(country)?.bytes[0] === POSTAL_MARK;
  }

  /** Finds the places of a printed postal code. Ignores spaces, dashes and country letters. */
  lookupPostal(country: string, code: string): readonly GazetteerPlace[] {
    const shard = this.#shards.get(country);
    return shard ? placesAt(shard, `#${postalKey(country, code)}`) : [];
  }

  /**
   * Finds the places of a name in one country or, without `country`, the larger towns of that name worldwide. The
   * largest comes first.
   */
  lookupCity(name: string, country?: string): readonly GazetteerPlace[] {
    const shard = this.#shards.get(country ?? WORLD);
    if (!shard) return [];
    let towns = shard.towns.get(name);
    if (towns) return towns;
    towns = townsNamed(shard, name);
    if (shard.towns.size >= MOST_NAMES) shard.towns.clear();
    shard.towns.set(name, towns);
    return towns;
  }

  /**
   * Yields the towns of a country whose coordinates pass the test `liesRight`, largest first. Leaves out towns without
   * a known population. If the shard of the country was not prepared, yields only its larger towns.
   */
  *largestTowns(country: string, liesRight: (point: Coordinates) => boolean): Generator<GazetteerPlace> {
    const shard = this.#shards.get(country) ?? this.#shards.get(WORLD);
    if (!shard) return;
    const { lines, latitudes, longitudes } = (shard.bySize ??= townsBySize(shard));
    for (const [index, line] of lines.entries()) {
      if (!liesRight({ latitude: latitudes[index]!, longitude: longitudes[index]! })) continue;
      const town = placeOf(lineAt(shard.bytes, line));
      if (town.country === country) yield town;
    }
  }
}

/** Creates a cache that loads shards on first use. */
export function openGazetteer(load: ShardLoader): GazetteerShards {
  return new GazetteerShards(load);
}

function townsNamed(shard: Shard, name: string): readonly GazetteerPlace[] {
  for (const key of spellings(name)) {
    const found = placesAt(shard, key);
    if (found.length > 0) return found.toSorted((one, other) => other.population - one.population);
  }
  return [];
}

/**
 * Skips postal codes, which sort before all names. A town has one line for each of its names, so duplicates are
 * removed.
 */
function townsBySize({ bytes }: Shard): TownsBySize {
  const towns: { line: number; town: GazetteerPlace }[] = [];
  for (let line = lowerBound(bytes, AFTER_POSTAL); line < bytes.length; line = lineEnd(bytes, line) + 1) {
    const town = placeOf(lineAt(bytes, line));
    if (town.population > 0) towns.push({ line, town });
  }
  const each = towns
    .sort((one, other) => other.town.population - one.town.population || (one.town.name < other.town.name ? -1 : 1))
    .filter(({ town }, index) => !isSamePoint(town, towns[index - 1]?.town));
  return {
    lines: Uint32Array.from(each, ({ line }) => line),
    latitudes: Float64Array.from(each, ({ town }) => town.latitude),
    longitudes: Float64Array.from(each, ({ town }) => town.longitude),
  };
}

const isSamePoint = (one: Coordinates, other: Coordinates | undefined) =>
  one.latitude === other?.latitude && one.longitude === other.longitude;

function placesAt({ bytes }: Shard, key: string): GazetteerPlace[] {
  return rowsOf(bytes, bytesOf(`${key}\t`)).map(placeOf);
}

function bytesOf(key: string): Uint8Array {
  const bytes = new Uint8Array(key.length);
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at);
    if (code > 127) return encoder.encode(key);
    bytes[at] = code;
  }
  return bytes;
}

/**
 * Returns the keys under which a name may be listed: as printed, without the "e" of an umlaut ("Muenchen"), with
 * Cyrillic transliterated, without a district number ("Praha 4"), and with "St" as "Saint".
 */
function spellings(name: string): string[] {
  const key = foldName(name);
  const keys = [
    key,
    key.replace(/([aou])e/g, "$1"),
    romanise(key),
    key.replace(/ \d{1,2}$/, ""),
    key.replace(/^st /, "saint "),
  ];
  return [...new Set(keys)].filter((each) => each !== "");
}

function placeOf(row: string): GazetteerPlace {
  const [, name = "", country = "", region = "", latitude, longitude, population] = row.split("\t");
  const place: GazetteerPlace = {
    country,
    name,
    latitude: Number(latitude),
    longitude: Number(longitude),
    population: Number(population),
  };
  return region === "" ? place : { ...place, region };
}

function lowerBound(bytes: Uint8Array, key: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = lineStart(bytes, (low + high) >> 1);
    if (compareAt(bytes, middle, key) < 0) low = lineEnd(bytes, middle) + 1;
    else high = middle;
  }
  return low;
}

function rowsOf(bytes: Uint8Array, key: Uint8Array): string[] {
  let low = lowerBound(bytes, key);
  const rows: string[] = [];
  while (low < bytes.length && compareAt(bytes, low, key) === 0) {
    rows.push(lineAt(bytes, low));
    low = lineEnd(bytes, low) + 1;
  }
  return rows;
}

const lineAt = (bytes: Uint8Array, start: number) => decoder.decode(bytes.subarray(start, lineEnd(bytes, start)));

function lineStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && bytes[start - 1] !== NEWLINE) start -= 1;
  return start;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end < 0 ? bytes.length : end;
}

/** Returns a negative number, 0 or a positive number if the line sorts before, begins with, or sorts after `key`. */
function compareAt(bytes: Uint8Array, start: number, key: Uint8Array): number {
  for (let index = 0; index < key.length; index += 1) {
    const byte = bytes[start + index] ?? NEWLINE;
    const difference = (byte === NEWLINE ? -1 : byte) - key[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
