import type * as z from "zod";
import type { BoardQuery } from "../../areas/freights/index.ts";
import type { Env } from "../../kit/env.ts";
import { coordinatesOf, gazetteerOf, type Point } from "../../kit/places.ts";
import { Country } from "../../kit/shapes.ts";
import type { Wish } from "./wish.ts";

/** Freights of one page. */
const each = "25";

/** The wish as the board is searched by it, or that nobody knows the place. What is wrong with it the shape tells. */
export async function queryOf(env: Env, wish: Wish): Promise<z.input<typeof BoardQuery> | "unknownPlace"> {
  const { country, postalCode, near, km, toCountry, trailer, from, to, cursor } = wish;
  const point = near === undefined ? undefined : await pointOf(env, near, country);
  if (near !== undefined && !point) return "unknownPlace";
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
    limit: each,
  };
}

const degrees = (value: number) => value.toFixed(5);

/** A postal code (`04158`, `PL 53-609`) or a town; without a country the largest town of that name anywhere. */
async function pointOf(env: Env, near: string, country: string | undefined): Promise<Point | undefined> {
  const [, letters, rest = near] = /^([A-Za-z]{1,3})[ -]+(.*\d.*)$/.exec(near) ?? [];
  const countryCode = Country.safeParse(letters ?? country).data;
  if (/\d/.test(rest)) return countryCode ? coordinatesOf(env, { countryCode, postalCode: rest }) : undefined;
  if (countryCode) return coordinatesOf(env, { countryCode, city: near });
  return (await gazetteerOf(env).prepare([])).lookupCity(near)[0];
}
