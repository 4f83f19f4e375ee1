import * as z from "zod";
import { tight, tombstone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { given } from "../../platform/omit-undefined.ts";
import { vatCodeTerms } from "../../domain/parties.ts";
import type { Envelope, Intake } from "../intake/index.ts";
import { failedExample, viewExample } from "./examples.ts";
import { indexedFields, kindOfType, typeOfKind, type DocumentKind, type DocumentType } from "./kinds.ts";
import { DocumentView, type DocumentRow } from "./shapes.ts";

// What happens to it

export const events = {
  DocumentProcessed: DocumentView.meta({
    id: "DocumentProcessed",
    description: "A document was read.",
    examples: [viewExample],
  }),
  DocumentFailed: DocumentView.meta({
    id: "DocumentFailed",
    description: "A document could not be read, or is none of its kind.",
    examples: [failedExample],
  }),
  DocumentDeleted: z.object({ documentId: z.string() }).meta({
    id: "DocumentDeleted",
    description: "A document was deleted.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

// What is remembered

/** What was read, and as what. */
export interface DocumentEnvelope extends Envelope {
  kind?: DocumentKind;
  data?: Record<string, unknown>;
}

/** An invoice, a receipt, a CMR note, a fine or a policy. */
export interface Document extends Intake<DocumentEnvelope> {
  /** As what it was sent. */
  asked?: DocumentType;
}

/** The work that reads it. */
export const reading = "documents.read";
/** The work that deletes what is stored of one that was deleted. */
export const removing = "documents.remove";
/** Where its file and its evidence lie in R2. */
export const folder = "documents";

/** What it is, as it was said or as it was read; undefined while nobody knows. */
export const kindOf = ({ asked, envelopes }: Pick<Document, "asked" | "envelopes">): DocumentKind | undefined =>
  asked ? kindOfType(asked) : envelopes[0]?.kind;

/** Status, message, code and data, as they are answered. */
export function envelopeOf({ status, envelopes, metadata }: Document) {
  const { message, errorCode, data } = envelopes[0] ?? {};
  return { status, ...given({ message, errorCode, data, metadata }) };
}

export function viewOf(now: Document, documentId: string): DocumentView {
  const kind = kindOf(now);
  const { createdAt, updatedAt, file } = now;
  return {
    documentId,
    ...(kind && { type: typeOfKind(kind) }),
    fileName: file.name,
    ...envelopeOf(now),
    createdAt,
    updatedAt,
  };
}

/** The archive's row: how it is listed and what it is found by. */
export function documentRow(now: Document, company: string, id: string): ArchiveRow {
  if (now.removed) return tombstone("documents", company, id);
  const { data, ...view } = viewOf(now, id);
  const kind = kindOf(now);
  const {
    number,
    date,
    parties = [],
    licensePlates,
    amount,
    currency,
    words = [],
  } = kind && data ? indexedFields(kind, data) : {};
  const named = parties.map((party) => (typeof party === "string" ? { name: party } : party));
  const known = named.flatMap((party) => (party ? [given({ name: party.name, vatCode: party.vatCode })] : []));
  const plates = licensePlates?.filter((plate) => plate !== undefined) ?? [];
  const row: DocumentRow = {
    ...view,
    ...given({ number, date, amount, currency }),
    ...(known.length > 0 && { parties: known }),
    ...(plates.length > 0 && { licensePlates: plates }),
  };
  const terms: [string, (string | undefined)[]][] = [
    ["status", [now.status]],
    ["type", [view.type]],
    ["number", [number && tight(number)]],
    ["licensePlate", plates.map(tight)],
    ["internalId", [now.metadata?.["internalId"]]],
  ];
  return {
    table: "documents",
    id,
    company,
    createdAt: now.createdAt,
    updatedAt: now.updatedAt,
    terms: [
      ...new Set([
        ...terms.flatMap(([name, values]) => values.flatMap((value) => (value ? [`${name}:${value}`] : []))),
        ...known.flatMap(({ vatCode }) => (vatCode ? vatCodeTerms("partyVatCode", vatCode) : [])),
      ]),
    ],
    text: [now.file.name, number, ...known.map(({ name }) => name), ...words]
      .filter(Boolean)
      .join(" ")
      .slice(0, 20_000),
    columns: { number: number ?? null, numberKey: tight(number ?? ""), documentDate: date ?? null },
    view: row,
  };
}
