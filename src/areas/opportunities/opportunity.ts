import * as z from "zod";
import { tight, tombstone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { given } from "../../platform/omit-undefined.ts";
import { vatCodeTerms } from "../../domain/parties.ts";
import type { Intake } from "../intake/index.ts";
import { example, failedExample, opportunityId } from "./examples.ts";
import { OpportunityEnvelope, type OpportunityData, type OpportunityRow } from "./shapes.ts";

// What happens to it

export const events = {
  OpportunityProcessed: z.array(OpportunityEnvelope).meta({
    id: "OpportunityProcessed",
    description: "A request for a quote was read: one envelope for each lane.",
    examples: [[example]],
  }),
  OpportunityFailed: z.array(OpportunityEnvelope).meta({
    id: "OpportunityFailed",
    description: "No request for a quote could be read from what was sent.",
    examples: [[failedExample]],
  }),
  OpportunityDeleted: z.object({ opportunityId: z.string() }).meta({
    id: "OpportunityDeleted",
    description: "A request for a quote was deleted.",
    examples: [{ opportunityId }],
  }),
};

// What is remembered

/** A request for a quote. */
export type Opportunity = Intake<OpportunityEnvelope>;

/** The work that reads it. */
export const reading = "opportunities.read";
/** The work that deletes what is stored of one that was deleted. */
export const removing = "opportunities.remove";
/** Where its file and its evidence lie in R2. */
export const folder = "opportunities";

/** The archive's row: how it is listed and what it is found by. */
export function opportunityRow(now: Opportunity, company: string, id: string): ArchiveRow {
  if (now.removed) return tombstone("opportunities", company, id);
  const { status, envelopes, metadata, file, createdAt, updatedAt } = now;
  const lanes = envelopes.flatMap(({ data }) => data ?? []);
  const first = envelopes[0];
  const { loading, unloading } = endsOf(first?.data);
  const view: OpportunityRow = {
    opportunityId: id,
    status,
    ...given({
      externalNumber: first?.data?.externalNumber,
      requestedBy: first?.requestedBy && given({ name: first.requestedBy.name, vatCode: first.requestedBy.vatCode }),
      loading: loading && placeOf(loading),
      unloading: unloading && placeOf(unloading),
      loadingDate: loading?.period?.startDate,
      unloadingDate: unloading?.period?.startDate,
      price: first?.data?.payment?.from,
      currency: first?.data?.payment?.currency,
      missing: first?.missing,
      errorCode: first?.errorCode,
      metadata,
    }),
    lanes: lanes.length,
    fileName: file.name,
    createdAt,
    updatedAt,
  };
  return {
    table: "opportunities",
    id,
    company,
    createdAt,
    updatedAt,
    terms: [
      ...new Set([
        `status:${status}`,
        ...envelopes.flatMap(termsOf),
        ...(metadata?.["internalId"] ? [`internalId:${metadata["internalId"]}`] : []),
      ]),
    ],
    text: [file.name, ...envelopes.flatMap(wordsOf)].join(" ").slice(0, 20_000),
    columns: {
      externalNumber: view.externalNumber ?? null,
      loadingDate: view.loadingDate ?? null,
      unloadingDate: view.unloadingDate ?? null,
    },
    view,
  };
}

type Stop = NonNullable<OpportunityData["locations"]>[number];

const endsOf = (data: OpportunityData | undefined) => ({
  loading: data?.locations?.find(({ type }) => type === "Loading"),
  unloading: data?.locations?.findLast(({ type }) => type === "Unloading"),
});

const placeOf = ({ address = {} }: Stop) =>
  [address.countryCode, address.postalCode, address.city].filter(Boolean).join(" ");

function termsOf({ data, requestedBy }: OpportunityEnvelope): string[] {
  const countries = (type: Stop["type"]) =>
    (data?.locations ?? []).filter((stop) => stop.type === type).map(({ address }) => address?.countryCode);
  const named: [string, (string | number | undefined)[]][] = [
    ["externalNumber", [data?.externalNumber && tight(data.externalNumber)]],
    ["requestedByEmail", [requestedBy?.contactPerson?.email?.toLowerCase()]],
    ["trailerType", data?.requirements?.trailerTypes ?? []],
    ["loadingCountry", countries("Loading")],
    ["unloadingCountry", countries("Unloading")],
  ];
  return [
    ...named.flatMap(([name, values]) => values.flatMap((value) => (value ? [`${name}:${value}`] : []))),
    ...(requestedBy?.vatCode ? vatCodeTerms("requestedByVatCode", requestedBy.vatCode) : []),
  ];
}

const wordsOf = ({ data, requestedBy }: OpportunityEnvelope): string[] =>
  [
    data?.externalNumber,
    requestedBy?.name,
    data?.comments,
    ...(data?.locations ?? []).flatMap(({ address }) => [address?.city, address?.postalCode]),
  ].filter((word): word is string => Boolean(word));
