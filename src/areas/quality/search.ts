import type { ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, internalId, searchable, words } from "../../platform/archive/searchable.ts";
import { choice, processingStatuses } from "../../domain/shapes.ts";
import { verdicts } from "../../extraction/quality/verdict.ts";
import { documentTypes } from "../documents/kinds.ts";
import { viewOf, type Quality, type QualityRow } from "./model.ts";

export const search = searchable<Quality, QualityRow>()({
  table: "quality",
  sort: ["createdAt", "updatedAt"],
  fields: {
    status: exact(choice(processingStatuses).optional(), ({ status }: Quality) => status),
    verdict: exact(choice(verdicts).optional(), ({ envelopes }: Quality) => envelopes[0]?.data?.verdict),
    expectedType: exact(choice(documentTypes).optional(), ({ expectedType }: Quality) => expectedType),
    ...createdBetween,
    internalId: internalId(),
    text: words("Words of the file name; each matches the beginning of a word."),
  },
  text: ({ file }) => [file.name],
});

export function qualityRow(state: Quality, company: string, id: string): ArchiveRow {
  if (state.removed) return search.tombstone(company, id);
  const { pages: _, ...view } = viewOf(state, id);
  return search.row(state, { id, company, createdAt: state.createdAt, updatedAt: state.updatedAt, view });
}
