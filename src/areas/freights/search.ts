import * as z from "zod";
import { anyOf, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  createdBetween,
  exact,
  internalId,
  numberOrPattern,
  rangeFrom,
  rangeTo,
  searchable,
} from "../../platform/archive/searchable.ts";
import type { Env } from "../../platform/env.ts";
import { choice, queryInteger, QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";
import { boardRow } from "./board/board.ts";
import { isArchived, ownerView, priceNow, type Freight } from "./model.ts";
import { nextDue } from "./lifecycle.ts";
import { openOffers } from "./offers/offer.ts";
import { centsOf } from "./price.ts";
import { exactTrailerType, routeColumns, routeFields, routeWords } from "./route-search.ts";
import { freightStatuses } from "./input.ts";
import type { FreightView, ListedFreight } from "./views.ts";

/** Converted to cents. */
const Money = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,2})?$/, "Not an amount such as 950 or 950.50")
  .transform((text) => centsOf(Number(text)))
  .meta({ type: "number" });

/** Padded with zeros, so that texts sort like numbers. */
const priceKey = (cents: number): string => `${Math.round(cents)}`.padStart(12, "0");

const openOfferCount = (freight: Freight) =>
  isArchived(freight) ? freight.offers.length : openOffers(freight.offers).length;

const search = searchable<Freight, ListedFreight>()({
  table: "freights",
  sort: ["createdAt", "updatedAt", "externalNumber", "loadingDate", "unloadingDate", "price", "archivedAt"],
  columns: {
    externalNumber: ({ said }) => said.externalNumber,
    ...routeColumns,
    price(freight) {
      const price = priceNow(freight, freight.updatedAt);
      return price === undefined ? undefined : priceKey(price);
    },
    archivedAt: ({ archivedAt }) => archivedAt,
    dueAt(freight) {
      const due = nextDue(freight);
      return due === undefined ? undefined : new Date(due).toISOString();
    },
  },
  fields: {
    status: exact(choice(freightStatuses).optional(), ({ status }) => status),
    owner: exact(
      z.string().max(254).optional().describe("E-mail address of its owner."),
      ({ said }) => said.owner,
      (email) => email.toLowerCase(),
    ),
    externalNumber: numberOrPattern(
      z.string().max(200).optional().describe("The number, or a pattern with `*`."),
      ({ said }) => said.externalNumber,
    ),
    source: exact(queryInteger(1, 999_999_999).optional(), ({ said }) => said.sources),
    ...routeFields(exactTrailerType),
    ...createdBetween,
    archivedFrom: rangeFrom("archivedAt", QueryMoment.optional()),
    archivedTo: rangeTo("archivedAt", QueryMomentEnd.optional()),
    priceFrom: rangeFrom("price", Money.optional().describe("The current price."), priceKey),
    priceTo: rangeTo("price", Money.optional(), priceKey),
    hasOffers: exact(
      choice(["true", "false"]).optional().describe("Whether it has open offers; of an archived freight, any offers."),
      (freight) => `${openOfferCount(freight) > 0}`,
    ),
    internalId: internalId(),
  },
  terms: (freight) => [isArchived(freight) ? "place:Archive" : "place:Live"],
  text: (freight) => [freight.said.externalNumber, freight.said.owner, ...routeWords(freight)],
});

export const ListQuery = search.query;

/** Lists one page of live or archived freights. */
export const listFreights = (
  archive: D1Database,
  company: string,
  place: "Live" | "Archive",
  query: z.output<typeof ListQuery>,
) => search.list(archive, company, query, { terms: [anyOf(`place:${place}`)] });

/** Builds the archive row of a freight, with its board row as companion row. */
export function freightRow(freight: Freight, company: string, id: string, version: number): ArchiveRow {
  const { createdAt, updatedAt } = freight;
  const { shares: _, ...view }: FreightView = ownerView(freight, { at: updatedAt, id, version });
  return search.row(freight, { id, company, createdAt, updatedAt, view, beside: boardRow(freight, id) });
}

const pageSize = 500;

/** Lists the ids of all live freights that have a term in the archive, page by page. */
export async function* liveFreights({ ARCHIVE }: Env, company: string, term: string): AsyncGenerator<string[]> {
  const page = ARCHIVE.prepare(
    `select o.row, o.id from freights_postings s cross join freights o on o.row = s.row
     where s.company = ?1 and s.term = ?2 and o.archivedAt = '' and s.row > ?3 order by s.row limit ${pageSize}`,
  );
  for (let after = 0; ;) {
    const { results } = await page.bind(company, term, after).all<{ row: number; id: string }>();
    yield results.map(({ id }) => id);
    if (results.length < pageSize) return;
    after = results.at(-1)!.row;
  }
}
