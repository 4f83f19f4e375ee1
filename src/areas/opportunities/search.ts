import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, internalId, searchable, words } from "../../platform/archive/searchable.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { vatCodeField } from "../../domain/parties.ts";
import { choice, entryOf, processingStatuses } from "../../domain/shapes.ts";
import { routeSearch, viewOfRoute } from "../intake/route-search.ts";
import type { Opportunity, OpportunityData, OpportunityRow } from "./model.ts";

const routeOf = (data: OpportunityData | undefined) =>
  (data?.locations ?? []).map(({ type, address, period }) => ({ type, ...address, startDate: period?.startDate }));

const route = routeSearch(({ envelopes }: Opportunity) => envelopes.map(({ data }) => routeOf(data)));

export const search = searchable<Opportunity, OpportunityRow>()({
  table: "opportunities",
  sort: ["createdAt", "updatedAt", "loadingDate", "unloadingDate"],
  columns: {
    externalNumber: ({ envelopes }) => envelopes[0]?.data?.externalNumber,
    ...route.columns,
  },
  fields: {
    status: exact(choice(processingStatuses).optional(), ({ status }: Opportunity) => status),
    externalNumber: exact(
      z.string().max(200).optional().describe("Case, blanks and dashes are ignored."),
      ({ envelopes }: Opportunity) => envelopes.map(({ data }) => data?.externalNumber),
      normalizeNumber,
    ),
    requestedByVatCode: vatCodeField(({ envelopes }: Opportunity) =>
      envelopes.map(({ requestedBy }) => requestedBy?.vatCode),
    ),
    requestedByEmail: exact(
      z.string().max(254).optional(),
      ({ envelopes }: Opportunity) => envelopes.map(({ requestedBy }) => requestedBy?.contactPerson?.email),
      (email) => email.trim().toLowerCase(),
    ),
    trailerType: exact(entryOf(trailerTypes).optional(), ({ envelopes }: Opportunity) =>
      envelopes.flatMap(({ data }) => data?.requirements?.trailerTypes ?? []),
    ),
    ...route.fields,
    ...createdBetween,
    internalId: internalId(),
    text: words(),
  },
  text: ({ file, envelopes }) => [
    file.name,
    ...envelopes.flatMap(({ data, requestedBy }) => [
      data?.externalNumber,
      requestedBy?.name,
      data?.comments,
      ...(data?.locations ?? []).flatMap(({ address }) => [address?.city, address?.postalCode]),
    ]),
  ],
});

export function opportunityRow(opportunity: Opportunity, company: string, id: string): ArchiveRow {
  if (opportunity.removed) return search.tombstone(company, id);
  const { status, envelopes, metadata, file, createdAt, updatedAt } = opportunity;
  const first = envelopes[0];
  const view: OpportunityRow = {
    opportunityId: id,
    status,
    ...omitUndefined({
      externalNumber: first?.data?.externalNumber,
      requestedBy:
        first?.requestedBy && omitUndefined({ name: first.requestedBy.name, vatCode: first.requestedBy.vatCode }),
      ...viewOfRoute(routeOf(first?.data)),
      price: first?.data?.payment?.from,
      currency: first?.data?.payment?.currency,
      missing: first?.missing,
      errorCode: first?.errorCode,
      metadata,
    }),
    lanes: envelopes.filter(({ data }) => data).length,
    fileName: file.name,
    createdAt,
    updatedAt,
  };
  return search.row(opportunity, { id, company, createdAt, updatedAt, view });
}
