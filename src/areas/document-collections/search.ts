import type { ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, internalId, searchable, words } from "../../platform/archive/searchable.ts";
import { choice, processingStatuses } from "../../domain/shapes.ts";
import { foundTypes } from "../quality/model.ts";
import { documentsOf, viewOf, type Collection, type CollectionRow } from "./model.ts";

export const search = searchable<Collection, CollectionRow>()({
  table: "documentCollections",
  sort: ["createdAt", "updatedAt"],
  fields: {
    status: exact(choice(processingStatuses).optional(), ({ status }: Collection) => status),
    type: exact(
      choice(foundTypes).optional().describe("Type of any document found in the collection."),
      (collection: Collection) => documentsOf(collection).map(({ type }) => type),
    ),
    ...createdBetween,
    internalId: internalId(),
    text: words("Words of the file names; each matches the beginning of a word."),
  },
  text: ({ files }) => files.map(({ name }) => name),
});

export function collectionRow(collection: Collection, company: string, id: string): ArchiveRow {
  if (collection.removed) return search.tombstone(company, id);
  const { files, documents, ...rest } = viewOf(collection, id);
  const { createdAt, updatedAt } = collection;
  const view = { ...rest, fileNames: files.map(({ fileName }) => fileName), documentCount: documents.length };
  return search.row(collection, { id, company, createdAt, updatedAt, view });
}
