import { refuse, type Moment } from "../../kit/decision.ts";
import { stepsOn } from "../../kit/operation.ts";
import { wrongField, type ErrorItem } from "../../kit/problem.ts";
import { lifeOf, stillRead } from "../intake/index.ts";
import { documentsOf, splitting, viewOf, type Collection, type events } from "./collection.ts";
import type { Bounds } from "./shapes.ts";

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

  /** Somebody says where its documents begin and end: it is taken apart anew. The same again changes nothing. */
  bound: (now: Collection | undefined, { bounds }: { bounds: Bounds }, { at }: Moment) => {
    if (!now) return refuse("not_found");
    if (now.status === "Processing") return refuse("invalid_state", ...stillRead);
    const before = documentsOf(now).map(({ fileId, pageFrom, pageTo, type }) => ({ fileId, pageFrom, pageTo, type }));
    if (JSON.stringify(now.bounds) === JSON.stringify(bounds)) return { reply: { before } };
    const wrong = wrongIn(bounds, now.envelopes[0]?.data?.pages ?? {});
    if (wrong) return refuse("validation_failed", undefined, { errors: [wrong] });
    const state: Collection = { ...now, bounds, status: "Processing", attempts: 0, faults: 0, updatedAt: at };
    return { state, work: [splitting], reply: { before } };
  },

  /** A document of the pile. */
  document: (now: Collection | undefined, { documentId }: { documentId: string }) => {
    const found = now && documentsOf(now).find((document) => document.documentId === documentId);
    return found ? { reply: found } : refuse("not_found");
  },
});

/** Pages that are not there, or lie in two documents. */
function wrongIn(bounds: Bounds, pages: Record<string, number>): ErrorItem | undefined {
  const taken = new Set<string>();
  for (const { fileId, pageFrom, pageTo } of bounds) {
    const count = pages[fileId] ?? 0;
    if (count === 0)
      return wrongField(["corrections"], "not_found", `The pile has no file ${fileId} that can be opened.`);
    if (pageFrom > pageTo || pageTo > count)
      return wrongField(["corrections"], "invalid", `The file has pages 1 to ${count}, not ${pageFrom} to ${pageTo}.`);
    for (let page = pageFrom; page <= pageTo; page++) {
      if (taken.has(`${fileId}/${page}`))
        return wrongField(["corrections"], "invalid", `Page ${page} lies in two documents.`);
      taken.add(`${fileId}/${page}`);
    }
  }
  return undefined;
}
