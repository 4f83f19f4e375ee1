import { readAnyOf } from "../../extraction/extract.ts";
import { checked, readingAt, removingAt } from "../intake/index.ts";
import { folder, reading, type Document, type DocumentEnvelope } from "./document.ts";
import { documentKinds, kindNames, kindOfType } from "./kinds.ts";
import { commands } from "./commands.ts";

/** The work `documents.read`: a file becomes a document of the kind it was sent as, or of the kind it is. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "documentId",
  commands,
  read: ({ asked }: Document, file, context, tools) =>
    readAnyOf(asked ? [kindOfType(asked)] : kindNames, file, context, tools),
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

/** The work `documents.remove`. */
export const remove = removingAt({ folder, commands });
