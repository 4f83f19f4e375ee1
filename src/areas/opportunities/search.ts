import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  createdBetween,
  exact,
  internalId,
  rangeFrom,
  rangeTo,
  searchable,
  termsBy,
  words,
} from "../../platform/archive/searchable.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { vatCodeSearch, vatCodeTerms } from "../../domain/parties.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, entryOf, processingStatuses, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import type { Opportunity, OpportunityData, OpportunityRow } from "./model.ts";

type Stop = NonNullable<OpportunityData["locations"]>[number];

const LocalTime = QueryClock.optional().describe("Local time at the stop; an offset is ignored.");

const search = searchable<Opportunity, OpportunityRow>()({
  table: "opportunities",
  sort: ["createdAt", "updatedAt", "loadingDate", "unloadingDate"],
  columns: {
    externalNumber: ({ envelopes }) => envelopes[0]?.data?.externalNumber,
    loadingDate: ({ envelopes }) => stopsOf(envelopes[0]?.data).loading?.period?.startDate,
    unloadingDate: ({ envelopes }) => stopsOf(envelopes[0]?.data).unloading?.period?.startDate,
  },
  fields: {
    status: exact(choice(processingStatuses).optional(), ({ status }: Opportunity) => status),
    externalNumber: exact(
      z.string().max(200).optional().describe("Case, blanks and dashes are ignored."),
      ({ envelopes }: Opportunity) => envelopes.map(({ data }) => data?.externalNumber),
      normalizeNumber,
    ),
    requestedByVatCode: termsBy(
      z.string().max(50).optional(),
      ({ envelopes }: Opportunity, name) =>
        envelopes.flatMap(({ requestedBy }) => (requestedBy?.vatCode ? vatCodeTerms(name, requestedBy.vatCode) : [])),
      (code, name) => vatCodeSearch(name, code),
    ),
    requestedByEmail: exact(
      z.string().max(254).optional(),
      ({ envelopes }: Opportunity) => envelopes.map(({ requestedBy }) => requestedBy?.contactPerson?.email),
      (email) => email.trim().toLowerCase(),
    ),
    trailerType: exact(entryOf(trailerTypes).optional(), ({ envelopes }: Opportunity) =>
      envelopes.flatMap(({ data }) => data?.requirements?.trailerTypes ?? []),
    ),
    loadingCountry: exact(Country.optional(), (opportunity: Opportunity) => countriesOf(opportunity, "Loading")),
    unloadingCountry: exact(Country.optional(), (opportunity: Opportunity) => countriesOf(opportunity, "Unloading")),
    loadingFrom: rangeFrom("loadingDate", LocalTime),
    loadingTo: rangeTo("loadingDate", QueryClockEnd.optional()),
    unloadingFrom: rangeFrom("unloadingDate", LocalTime),
    unloadingTo: rangeTo("unloadingDate", QueryClockEnd.optional()),
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

export const ListQuery = search.query;

export const listOpportunities = (archive: D1Database, company: string, query: z.output<typeof ListQuery>) =>
  search.list(archive, company, query);

export function opportunityRow(opportunity: Opportunity, company: string, id: string): ArchiveRow {
  if (opportunity.removed) return search.tombstone(company, id);
  const { status, envelopes, metadata, file, createdAt, updatedAt } = opportunity;
  const first = envelopes[0];
  const { loading, unloading } = stopsOf(first?.data);
  const view: OpportunityRow = {
    opportunityId: id,
    status,
    ...omitUndefined({
      externalNumber: first?.data?.externalNumber,
      requestedBy:
        first?.requestedBy && omitUndefined({ name: first.requestedBy.name, vatCode: first.requestedBy.vatCode }),
      loading: loading && placeText(loading),
      unloading: unloading && placeText(unloading),
      loadingDate: loading?.period?.startDate,
      unloadingDate: unloading?.period?.startDate,
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

const stopsOf = (data: OpportunityData | undefined) => ({
  loading: data?.locations?.find(({ type }) => type === "Loading"),
  unloading: data?.locations?.findLast(({ type }) => type === "Unloading"),
});

const countriesOf = ({ envelopes }: Opportunity, stopType: Stop["type"]) =>
  envelopes.flatMap(({ data }) =>
    (data?.locations ?? []).filter(({ type }) => type === stopType).map(({ address }) => address?.countryCode),
  );

const placeText = ({ address = {} }: Stop) =>
  [address.countryCode, address.postalCode, address.city].filter(Boolean).join(" ");
