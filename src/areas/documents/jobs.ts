import { extractAnyOf } from "../../extraction/extract.ts";
import { extractionJob } from "../intake/jobs.ts";
import { statusOfChecks } from "../intake/model.ts";
import { removalJob } from "../intake/removal.ts";
import { commands } from "./commands.ts";
import { documentKinds, kindNames, kindOfType } from "./kinds.ts";
import { files, type Document, type DocumentEnvelope } from "./model.ts";

/** The job `documents.read`: extracts a document of the kind it was sent as, or of the kind that is detected. */
export const extract = extractionJob(files, {
  commands,
  extract: ({ asked }: Document, file, context, tools) =>
    extractAnyOf(asked ? [kindOfType(asked)] : kindNames, file, context, tools),
  envelopesOf({ items, kind }): DocumentEnvelope[] {
    const [item] = items;
    if (!item || !kind) return [];
    const status = statusOfChecks(documentKinds[kind].noun, item.checks);
    return [{ sequenceId: 0, kind, ...status, data: { ...item.data } }];
  },
  nothingFound: {
    reason: "input_not_a_document_of_this_kind",
    message: "The file is not a document of a supported kind.",
  },
});

/** The job `documents.remove`. */
export const remove = removalJob(files, commands);
