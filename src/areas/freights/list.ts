import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../kit/archive/archive.ts";
import { nearPlace, QueryNear } from "../../kit/places/near.ts";
import {
  choice,
  Country,
  entryOf,
  listQuery,
  QueryClock,
  QueryClockEnd,
  queryInteger,
  QueryMoment,
  QueryMomentEnd,
} from "../../kit/shapes.ts";
import { trailerTypes } from "../../kit/mappings.ts";
import { priceKey } from "./archive.ts";
import { centsOf } from "./price.ts";
import { freightStatuses } from "./shapes.ts";
import type { ListedFreight } from "./views.ts";

const Money = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,2})?$/, "Not an amount")
  .transform((text) => centsOf(Number(text)))
  .meta({ type: "number" });

const columns = [
  "createdAt",
  "updatedAt",
  "externalNumber",
  "loadingDate",
  "unloadingDate",
  "price",
  "archivedAt",
] as const;
const PostalCode = z.string().max(10);

export const ListQuery = z.object({
  ...listQuery,
  sort: choice([...columns, ...columns.map((column) => `-${column}` as const)]).optional(),
  status: choice(freightStatuses).optional(),
  owner: z.string().max(254).optional().describe("An e-mail address."),
  externalNumber: z.string().max(200).optional().describe("The number, or a pattern with `*`."),
  source: queryInteger(1, 999_999_999).optional(),
  trailerType: entryOf(trailerTypes).optional(),
  loadingCountry: Country.optional(),
  unloadingCountry: Country.optional(),
  loadingPostalCode: PostalCode.optional().describe("How it begins."),
  unloadingPostalCode: PostalCode.optional().describe("How it begins."),
  loadingNear: QueryNear.optional(),
  unloadingNear: QueryNear.optional(),
  loadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  loadingTo: QueryClockEnd.optional(),
  unloadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  unloadingTo: QueryClockEnd.optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  archivedFrom: QueryMoment.optional(),
  archivedTo: QueryMomentEnd.optional(),
  priceFrom: Money.optional().describe("What it costs now."),
  priceTo: Money.optional(),
  hasOffers: choice(["true", "false"]).optional().describe("Open ones; of an archived freight any."),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words; each may be the beginning of one."),
});
type ListQuery = z.output<typeof ListQuery>;

/** One page of the live freights, or of those in the archive. */
export const listFreights = (archive: D1Database, company: string, place: "Live" | "Archive", query: ListQuery) =>
  listArchive<ListedFreight>(archive, asked(query, company, place));

/** Terms of the archive that the list asks for as they stand. */
const exact = [
  "status",
  "source",
  "trailerType",
  "loadingCountry",
  "unloadingCountry",
  "hasOffers",
  "internalId",
] as const;
const tightened = ["externalNumber", "loadingPostalCode", "unloadingPostalCode"] as const;

function asked(query: ListQuery, company: string, place: "Live" | "Archive"): ArchiveQuery {
  const isPattern = query.externalNumber?.includes("*") ?? false;
  const { owner } = query;
  const terms: [string, string | number | undefined][] = [
    ...exact.map((name) => [name, query[name]] as [string, string | number | undefined]),
    ["owner", owner?.toLowerCase()],
  ];
  const wanted = terms.filter(([, value]) => value);
  // One without letters and digits is asked for as well: it is nobody's beginning, and hardly anybody's number.
  const codes = tightened.filter((name) => query[name] && !(isPattern && name === "externalNumber"));
  return {
    table: "freights",
    company,
    terms: [
      anyOf(`place:${place}`),
      ...wanted.map(([name, value]) => anyOf(`${name}:${value}`)),
      ...codes.map((name) => anyOf(`${name}:${tight(query[name]!)}`)),
    ],
    ranges: [
      { column: "loadingDate", from: query.loadingFrom, to: query.loadingTo },
      { column: "unloadingDate", from: query.unloadingFrom, to: query.unloadingTo },
      { column: "createdAt", from: query.createdFrom, to: query.createdTo },
      { column: "archivedAt", from: query.archivedFrom, to: query.archivedTo },
      { column: "updatedAt", from: query.updatedSince },
      { column: "price", from: keyOf(query.priceFrom), to: keyOf(query.priceTo) },
    ],
    patterns: isPattern ? [{ column: "numberKey", name: "externalNumber", pattern: query.externalNumber! }] : [],
    near: (["loading", "unloading"] as const).flatMap((end) => {
      const circle = query[`${end}Near`];
      return circle ? [nearPlace(end, circle)] : [];
    }),
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}

const keyOf = (cents: number | undefined) => priceKey(cents) ?? undefined;
