import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, searchable, words } from "../../platform/archive/searchable.ts";
import { automationStatuses } from "../../domain/mappings.ts";
import { choice, entryOf, Id } from "../../domain/shapes.ts";
import { countsOf, isOpen, messageOf, metadataOf, nextDue, type Automation, type Item } from "./model.ts";
import { plateKey } from "./plates.ts";
import { matchStatuses, type AutomationRow } from "./views.ts";

type Listed = Automation & { automationId: string };

const ofItems =
  <Value>(valueOf: (item: Item) => Value) =>
  ({ items }: Listed) =>
    items.map(valueOf);

/** How automations are listed and searched. */
export const search = searchable<Listed, AutomationRow>()({
  table: "automations",
  sort: ["createdAt", "updatedAt"],
  columns: {
    dueAt(automation) {
      const due = isOpen(automation) ? Date.parse(automation.updatedAt) : nextDue(automation);
      return due === undefined ? undefined : new Date(due).toISOString();
    },
  },
  fields: {
    status: exact(
      entryOf(automationStatuses).optional().describe("A number of the table `automationStatuses`."),
      ({ status }) => status,
    ),
    matchStatus: exact(
      choice(matchStatuses)
        .optional()
        .describe("Automations with at least one such fine; likewise for the following parameters."),
      ofItems(({ outcome }) => outcome?.matchStatus ?? undefined),
    ),
    licensePlate: exact(
      z.string().max(30).optional().describe("Case, blanks and dashes are ignored."),
      ofItems(({ fine }) => fine.licensePlate),
      plateKey,
    ),
    reference: exact(
      z.string().max(100).optional().describe("The authority's case number."),
      ofItems(({ fine }) => fine.reference),
      normalizeNumber,
    ),
    vehicleId: exact(
      Id.optional(),
      ofItems(({ outcome }) => outcome?.vehicleId),
    ),
    orderId: exact(
      Id.optional(),
      ofItems(({ outcome }) => outcome?.orderId),
    ),
    documentId: exact(
      Id.optional(),
      ofItems(({ documentId }) => documentId),
    ),
    ...createdBetween,
    internalId: exact(
      z.string().max(512).optional(),
      ({ metadata, automationId }) => metadata?.["internalId"] ?? automationId,
    ),
    text: words("Words, such as the driver's name; each matches the beginning of a word."),
  },
  text: ({ items }) =>
    items.flatMap(({ fine, outcome }) => [fine.reference, fine.authority, fine.place, outcome?.driver?.name]),
});

export function automationRow(automation: Automation, company: string, automationId: string): ArchiveRow {
  const { status, items, errorCode, createdAt, updatedAt } = automation;
  const view: AutomationRow = {
    automationId,
    kind: "Fines",
    status,
    errorCode: errorCode ?? null,
    Message: messageOf(automation),
    counts: countsOf(items),
    metadata: metadataOf(automation, automationId),
    createdAt,
    updatedAt,
  };
  return search.row({ ...automation, automationId }, { id: automationId, company, createdAt, updatedAt, view });
}
