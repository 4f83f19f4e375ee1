import { extractAnyOf } from "../../extraction/extract.ts";
import { fileJobs } from "../intake/jobs.ts";
import { statusOfChecks } from "../intake/model.ts";
import { commands } from "./commands.ts";
import { documentKinds, kindNames, kindOfType } from "./kinds.ts";
import { files, type Document, type DocumentEnvelope } from "./model.ts";

/**
 * Jobs that extract documents and delete their files. A document is extracted as the kind that the caller sent,
 * otherwise as the detected kind.
 */
export const jobs = fileJobs(files, {
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

/** Job that extracts a document. Areas that create documents call it when they need the result at once. */
export const extract = jobs[files.jobs.extract]!;
