import { commandsOn } from "../../platform/command.ts";
import { checked, correctionOf, lifeOf, removalOf, type Correctable } from "../intake/index.ts";
import { folder, kindOf, reading, removing, viewOf, type Document, type events } from "./document.ts";
import { documentKinds, type DocumentKind } from "./kinds.ts";

/** How feedback puts a document right. */
export const correctable: Correctable<Document> = {
  kindOf,
  viewOf: ({ data }) => data,
  envelopeOf(data: object, checks, { sequenceId }, name) {
    const kind = name as DocumentKind;
    return { sequenceId, kind, ...checked(documentKinds[kind].noun, checks), data: { ...data } };
  },
};

const life = lifeOf({
  work: reading,
  idName: "documentId",
  ended: (state: Document, previousStatus, { id }) => ({
    type: state.status === "Failed" ? ("DocumentFailed" as const) : ("DocumentProcessed" as const),
    status: state.status,
    previousStatus,
    data: viewOf(state, id),
  }),
});

export const commands = commandsOn<Document, typeof events>(
  "DOCUMENTS",
  "documents",
)({
  ...life,
  ...correctionOf(correctable, (state: Document, previousStatus, { id }) => ({
    type: "DocumentProcessed" as const,
    status: state.status,
    previousStatus,
    data: viewOf(state, id),
  })),
  ...removalOf(life, {
    job: removing,
    reading,
    folder,
    claimedAs: ({ asked }: Document) => asked ?? "any",
    deleted: (documentId, previousStatus) => ({
      type: "DocumentDeleted" as const,
      status: "Deleted",
      previousStatus,
      data: { documentId },
    }),
  }),
});
