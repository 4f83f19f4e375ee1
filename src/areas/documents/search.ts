import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  createdBetween,
  exact,
  internalId,
  numberOrPattern,
  rangeFrom,
  rangeTo,
  searchable,
  words,
} from "../../platform/archive/searchable.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { vatCodeField } from "../../domain/parties.ts";
import { choice, processingStatuses, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { documentTypes, indexedFields, typeOfKind } from "./kinds.ts";
import { kindOf, viewOf, type Document, type DocumentRow } from "./model.ts";

interface SearchedDocument {
  document: Document;
  metadata: Document["metadata"];
  number?: string;
  date?: string;
  parties: { name?: string; vatCode?: string }[];
  plates: string[];
  amount?: number;
  currency?: string;
  words: (string | undefined)[];
}

export const search = searchable<SearchedDocument, DocumentRow>()({
  table: "documents",
  sort: ["createdAt", "updatedAt", "number", "documentDate"],
  columns: { number: ({ number }) => number, documentDate: ({ date }) => date },
  fields: {
    type: exact(choice(documentTypes).optional(), ({ document }: SearchedDocument) => {
      const kind = kindOf(document);
      return kind && typeOfKind(kind);
    }),
    status: exact(choice(processingStatuses).optional(), ({ document }: SearchedDocument) => document.status),
    number: numberOrPattern(
      z.string().max(200).optional().describe("The number, or a pattern with `*`."),
      ({ number }: SearchedDocument) => number,
    ),
    partyVatCode: vatCodeField(
      ({ parties }: SearchedDocument) => parties.map(({ vatCode }) => vatCode),
      "VAT code of any party named in the document.",
    ),
    licensePlate: exact(
      z.string().max(20).optional(),
      ({ plates }: SearchedDocument) => plates.map(normalizeNumber),
      normalizeNumber,
    ),
    dateFrom: rangeFrom(
      "documentDate",
      QueryClock.optional().describe("Date of the document, local time; an offset is ignored."),
    ),
    dateTo: rangeTo("documentDate", QueryClockEnd.optional()),
    ...createdBetween,
    internalId: internalId(),
    text: words(),
  },
  text: ({ document, number, parties, words: others }) => [
    document.file.name,
    number,
    ...parties.map(({ name }) => name),
    ...others,
  ],
});

export function documentRow(document: Document, company: string, id: string): ArchiveRow {
  if (document.removed) return search.tombstone(company, id);
  const { data: _, ...view } = viewOf(document, id);
  const searched = searchedDocument(document);
  const { number, date, amount, currency, parties, plates } = searched;
  const { createdAt, updatedAt } = document;
  const row: DocumentRow = {
    ...view,
    ...omitUndefined({ number, date, amount, currency }),
    ...(parties.length > 0 && { parties }),
    ...(plates.length > 0 && { licensePlates: plates }),
  };
  return search.row(searched, { id, company, createdAt, updatedAt, view: row });
}

function searchedDocument(document: Document): SearchedDocument {
  const kind = kindOf(document);
  const data = document.envelopes[0]?.data;
  const { parties = [], licensePlates = [], words = [], ...facts } = kind && data ? indexedFields(kind, data) : {};
  return {
    document,
    metadata: document.metadata,
    ...facts,
    parties: parties
      .map((party) => (typeof party === "string" ? { name: party } : party))
      .flatMap((party) => (party ? [omitUndefined({ name: party.name, vatCode: party.vatCode })] : [])),
    plates: licensePlates.filter((plate) => plate !== undefined),
    words,
  };
}
