import { commandsOn } from "../../platform/command.ts";
import { correctionCommands, extractionCommands } from "../intake/commands.ts";
import type { Correctable } from "../intake/corrections.ts";
import { statusOfChecks } from "../intake/model.ts";
import { removalCommands } from "../intake/removal.ts";
import { documentKinds, type DocumentKind } from "./kinds.ts";
import { files, kindOf, variantOf, viewOf, type Document, type events } from "./model.ts";

/** Converts the envelope of a document to the view that feedback corrects, and back. */
export const correctable: Correctable<Document> = {
  kindOf,
  viewOf: ({ data }) => data,
  envelopeOf(data: object, checks, { sequenceId }, name) {
    const kind = name as DocumentKind;
    return { sequenceId, kind, ...statusOfChecks(documentKinds[kind].noun, checks), data: { ...data } };
  },
};

const extraction = extractionCommands(files, (document: Document, { id }) => ({
  type: document.status === "Failed" ? ("DocumentFailed" as const) : ("DocumentProcessed" as const),
  status: document.status,
  data: viewOf(document, id),
}));

export const commands = commandsOn<Document, typeof events>(
  "DOCUMENTS",
  "documents",
)({
  ...extraction,
  ...correctionCommands(correctable, (document: Document, { id }) => ({
    type: "DocumentProcessed" as const,
    status: document.status,
    data: viewOf(document, id),
  })),
  ...removalCommands(extraction, files, { event: "DocumentDeleted", variantOf }),
});
