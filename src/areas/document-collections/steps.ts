import { refuse } from "../../kit/decision.ts";
import { stepsOn } from "../../kit/operation.ts";
import { lifeOf } from "../intake/index.ts";
import { documentsOf, splitting, viewOf, type Collection, type events } from "./collection.ts";

export const steps = stepsOn<Collection, typeof events>(
  "DOCUMENT_COLLECTIONS",
  "documentCollections",
)({
  ...lifeOf({
    work: splitting,
    idName: "collectionId",
    ended: (now: Collection, previousStatus, { id }) => ({
      type: "DocumentCollectionProcessed" as const,
      status: now.status,
      previousStatus,
      data: viewOf(now, id),
    }),
  }),

  /** A document of the pile. */
  document: (now: Collection | undefined, { documentId }: { documentId: string }) => {
    const found = now && documentsOf(now).find((document) => document.documentId === documentId);
    return found ? { reply: found } : refuse("not_found");
  },
});
