import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import { exact, internalId, rangeFrom, rangeTo, searchable, words } from "../../platform/archive/searchable.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { driverDocumentTypes } from "../../extraction/kinds/driver-document/view.ts";
import {
  driverDocumentStatuses,
  factsOf,
  nextDue,
  statusAt,
  viewOf,
  type DriverDocument,
  type DriverDocumentView,
} from "./model.ts";
import { daysLeft, validityStatus } from "./expiry.ts";

const dateOf = (text: string) => text.slice(0, 10);

const search = searchable<DriverDocument, DriverDocumentView>()({
  table: "driversDocuments",
  sort: ["createdAt", "updatedAt", "expiresAt"],
  presence: "there:yes",
  columns: {
    expiresAt: (document) => factsOf(document).expiresAt,
    dueAt(document) {
      const due = document.status === "Processing" ? Date.parse(document.updatedAt) : nextDue(document);
      return due === undefined ? undefined : new Date(due).toISOString();
    },
  },
  fields: {
    type: exact(choice(driverDocumentTypes).optional(), (document: DriverDocument) => factsOf(document).type),
    status: exact(choice(driverDocumentStatuses).optional(), (document: DriverDocument) =>
      statusAt(document, document.updatedAt),
    ),
    number: exact(
      z.string().max(100).optional().describe("Case, blanks and dashes are ignored."),
      (document: DriverDocument) => factsOf(document).number,
      normalizeNumber,
    ),
    issuingCountry: exact(Country.optional(), (document: DriverDocument) => factsOf(document).issuingCountry),
    driverEmail: exact(
      z.string().max(254).optional(),
      (document: DriverDocument) => factsOf(document).driver?.email,
      (email) => email.trim().toLowerCase(),
    ),
    expiresFrom: rangeFrom("expiresAt", QueryClock.optional().describe("A date; a time is ignored."), dateOf),
    expiresTo: rangeTo("expiresAt", QueryClockEnd.optional(), dateOf),
    internalId: internalId(),
    text: words("Words, such as the driver's name; each matches the beginning of a word."),
  },
  text(document) {
    const { number, driver, holder } = factsOf(document);
    return [document.file.name, number, driver?.name, driver?.phone, holder?.name];
  },
});

export const ListQuery = search.query;

/** Lists one page of drivers' documents, each with its current status. */
export async function listDriverDocuments(
  archive: D1Database,
  company: string,
  query: z.output<typeof ListQuery>,
): Promise<{ items: DriverDocumentView[]; nextCursor?: string }> {
  const at = new Date().toISOString();
  const page = await search.list(archive, company, query);
  return { ...page, items: page.items.map((item) => currentView(item, at)) };
}

export function driverDocumentRow(document: DriverDocument, company: string, id: string): ArchiveRow {
  if (document.removed) return search.tombstone(company, id);
  const { createdAt, updatedAt } = document;
  return search.row(document, { id, company, createdAt, updatedAt, view: viewOf(document, id, updatedAt) });
}

/**
 * Updates the fields of a stored view that change with time.
 * @param at ISO 8601, UTC
 */
function currentView(item: DriverDocumentView, at: string): DriverDocumentView {
  const dependsOnTime = ["Valid", "ExpiringSoon", "Expired"].includes(item.status);
  const left = daysLeft(item, at);
  return {
    ...item,
    ...(dependsOnTime && { status: validityStatus(item, at) }),
    ...(left !== undefined && { daysLeft: left }),
  };
}
