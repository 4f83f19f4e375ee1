import { stepsOn } from "../../kit/operation.ts";
import { lifeOf } from "../intake/index.ts";
import { reading, viewOf, type Document, type events } from "./document.ts";

export const steps = stepsOn<Document, typeof events>(
  "DOCUMENTS",
  "documents",
)(
  lifeOf({
    work: reading,
    idName: "documentId",
    ended: (now: Document, previousStatus, { id }) => ({
      type: now.status === "Failed" ? ("DocumentFailed" as const) : ("DocumentProcessed" as const),
      status: now.status,
      previousStatus,
      data: viewOf(now, id),
    }),
  }),
);
