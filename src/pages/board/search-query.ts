import type * as z from "zod";
import type { BoardQuery } from "../../areas/freights/board/board.ts";
import type { Env } from "../../platform/env.ts";
import { coordinatesOf, gazetteerOf, type Point } from "../../domain/places/places.ts";
import { Country } from "../../domain/addresses.ts";
import type { SearchFields } from "./search-fields.ts";

const pageSize = "25";

type Nowhere = "unknownPlace" | "whichCountry";

/**
 * Converts search fields to a query. Only places are checked; `BoardQuery` detects other errors.
 * @returns the query, or the reason why a place could not be found
 */
export async function queryOf(env: Env, search: SearchFields): Promise<z.input<typeof BoardQuery> | Nowhere> {
  const { country, postalCode, near, km, toCountry, trailer, from, to, cursor } = search;
  const point = near === undefined ? undefined : await pointOf(env, near, country);
  if (typeof point === "string") return point;
  return {
    ...(country && { loadingCountry: country }),
    ...(postalCode && { loadingPostalCode: postalCode }),
    ...(point && { loadingNear: `${degrees(point.latitude)},${degrees(point.longitude)},${km}` }),
    ...(toCountry && { unloadingCountry: toCountry }),
    ...(trailer && { trailerType: trailer }),
    ...(from && { loadingFrom: from }),
    ...(to && { loadingTo: to }),
    ...(cursor && { cursor }),
    sort: "loadingDate",
    limit: pageSize,
  };
}

const degrees = (value: number) => value.toFixed(5);

/**
 * Accepts a town, a postal code (`PL 53-609`) or both (`04158 Leipzig`). Without a country, the largest town with the
 * name is returned.
 */
async function pointOf(env: Env, near: string, country: string | undefined): Promise<Point | Nowhere> {
  const [, letters, rest = near] = (/\d/.test(near) && /^([A-Za-z]{1,3})[ -]+([^ -].*)$/.exec(near)) || [];
  const countryCode = Country.safeParse(letters ?? country).data;
  const [, postalCode, town] = /^(.*\d[^\s\d]*)(?:\s+([^\s\d]\D*))?$/.exec(rest) ?? [];
  const city = postalCode === undefined ? near : town;
  if (!countryCode && city === undefined) return "whichCountry";
  const place = countryCode
    ? await coordinatesOf(env, { countryCode, postalCode, city })
    : (await gazetteerOf(env).prepare([])).lookupCity(city!)[0];
  return place ?? "unknownPlace";
}
