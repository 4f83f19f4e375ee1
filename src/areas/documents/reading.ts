import { kinds } from "../../reading/kinds/kinds.ts";
import { readAnyOf, type DocumentResult } from "../../reading/read.ts";
import { checked, readingAt } from "../intake/index.ts";
import { folder, reading, type Document, type DocumentEnvelope } from "./document.ts";
import { documentKinds, kindNames, kindOfType, type DocumentKind } from "./kinds.ts";
import { steps } from "./steps.ts";

/** Those of the kinds that the engine reads. */
const isRead = (name: DocumentKind): name is DocumentKind & keyof typeof kinds => name in kinds;
const [first, ...others] = kindNames.filter(isRead);

/** The work `documents.read`: a file becomes a document of the kind it was sent as, or of the kind it is. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "documentId",
  steps,
  read({ asked }: Document, file, context, tools) {
    const kind = asked && kindOfType(asked);
    if (kind && !isRead(kind)) return Promise.resolve({ ...none, engine: "lorry-1" });
    return readAnyOf(kind ? [kind] : [first!, ...others], file, context, tools);
  },
  found({ items, kind }): DocumentEnvelope[] {
    const [item] = items;
    if (!item || !kind) return [];
    return [{ sequenceId: 0, kind, ...checked(documentKinds[kind].noun, item.checks), data: { ...item.data } }];
  },
  nothing: {
    reason: "input_not_a_document_of_this_kind",
    message: "The file is no document of a kind that is read here.",
  },
});

const none: Omit<DocumentResult<never>, "engine"> = {
  status: "Failed",
  items: [],
  pages: 0,
  format: "Text",
  warnings: [],
};
