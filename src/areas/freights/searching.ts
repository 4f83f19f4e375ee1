import type * as z from "zod";
import { anyOf, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { nearPlace, QueryNear } from "../../domain/places/near.ts";
import { Country, entryOf, LineText, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";

const PostalCode = LineText(10).optional().describe("How it begins.");
const Clock = QueryClock.optional().describe("By the clock at the stop; an offset is left aside.");

/** What freights are searched by, on the board and in a list: the loading is the first of a freight, the unloading its last. */
export const searchFields = {
  trailerType: entryOf(trailerTypes).optional(),
  loadingCountry: Country.optional(),
  unloadingCountry: Country.optional(),
  loadingPostalCode: PostalCode,
  unloadingPostalCode: PostalCode,
  loadingNear: QueryNear.optional(),
  unloadingNear: QueryNear.optional(),
  loadingFrom: Clock,
  loadingTo: QueryClockEnd.optional(),
  unloadingFrom: Clock,
  unloadingTo: QueryClockEnd.optional(),
  text: LineText(200).optional().describe("Words; each may be the beginning of one."),
};
type Search = z.output<z.ZodObject<typeof searchFields>>;

const ends = ["loading", "unloading"] as const;

/**
 * Where and when, as the archive is asked for it. A code without letters and digits is asked for as well: it is nobody's
 * beginning.
 */
export const placesIn = (query: Search): Required<Pick<ArchiveQuery, "terms" | "ranges" | "near">> => ({
  terms: ends.flatMap((end) => [
    ...(query[`${end}Country`] ? [anyOf(`${end}Country:${query[`${end}Country`]}`)] : []),
    ...(query[`${end}PostalCode`] ? [anyOf(`${end}PostalCode:${tight(query[`${end}PostalCode`]!)}`)] : []),
  ]),
  ranges: ends.map((end) => ({ column: `${end}Date`, from: query[`${end}From`], to: query[`${end}To`] })),
  near: ends.flatMap((end) => (query[`${end}Near`] ? [nearPlace(end, query[`${end}Near`]!)] : [])),
});
