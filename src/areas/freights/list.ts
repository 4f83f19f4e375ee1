import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { listParameters } from "../../platform/lists.ts";
import { choice, queryInteger, QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";
import { priceKey } from "./archive.ts";
import { centsOf } from "./price.ts";
import { placesIn, searchFields } from "./searching.ts";
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

export const ListQuery = z.object({
  ...listParameters(columns),
  status: choice(freightStatuses).optional(),
  owner: z.string().max(254).optional().describe("An e-mail address."),
  externalNumber: z.string().max(200).optional().describe("The number, or a pattern with `*`."),
  source: queryInteger(1, 999_999_999).optional(),
  ...searchFields,
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  archivedFrom: QueryMoment.optional(),
  archivedTo: QueryMomentEnd.optional(),
  priceFrom: Money.optional().describe("What it costs now."),
  priceTo: Money.optional(),
  hasOffers: choice(["true", "false"]).optional().describe("Open ones; of an archived freight any."),
  internalId: z.string().max(512).optional(),
});
type ListQuery = z.output<typeof ListQuery>;

/** One page of the live freights, or of those in the archive. */
export const listFreights = (archive: D1Database, company: string, place: "Live" | "Archive", query: ListQuery) =>
  listArchive<ListedFreight>(archive, asked(query, company, place));

/** Terms of the archive that the list asks for as they stand. */
const exact = ["status", "source", "trailerType", "hasOffers", "internalId"] as const;

function asked(query: ListQuery, company: string, place: "Live" | "Archive"): ArchiveQuery {
  const { owner, externalNumber: number } = query;
  const isPattern = number?.includes("*") ?? false;
  const places = placesIn(query);
  const terms: [string, string | number | undefined][] = [
    ...exact.map((name) => [name, query[name]] as [string, string | number | undefined]),
    ["owner", owner?.toLowerCase()],
  ];
  const wanted = terms.filter(([, value]) => value);
  return {
    table: "freights",
    company,
    terms: [
      anyOf(`place:${place}`),
      ...wanted.map(([name, value]) => anyOf(`${name}:${value}`)),
      ...places.terms,
      // One without letters and digits is asked for as well: it is hardly anybody's.
      ...(number && !isPattern ? [anyOf(`externalNumber:${tight(number)}`)] : []),
    ],
    ranges: [
      ...places.ranges,
      { column: "createdAt", from: query.createdFrom, to: query.createdTo },
      { column: "archivedAt", from: query.archivedFrom, to: query.archivedTo },
      { column: "updatedAt", from: query.updatedSince },
      { column: "price", from: keyOf(query.priceFrom), to: keyOf(query.priceTo) },
    ],
    patterns: isPattern ? [{ column: "numberKey", name: "externalNumber", pattern: number! }] : [],
    near: places.near,
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}

const keyOf = (cents: number | undefined) => priceKey(cents) ?? undefined;
