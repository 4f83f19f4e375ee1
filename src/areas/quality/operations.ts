import { operationsOn } from "../../http/operation.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { receivedExample, rowExample, viewExample } from "./examples.ts";
import {
  files,
  QualityFields,
  QualityRow,
  QualityView,
  ReceivedQuality,
  variantOf,
  viewOf,
  type events,
  type Quality,
} from "./model.ts";
import { search } from "./search.ts";

const { get, post, del } = operationsOn<Quality, typeof events>({
  binding: "QUALITY",
  param: "documentId",
  scope: "documents",
});

const { receive, read, remove } = fileOperations(files, commands, {
  location: "/api/v1/documents/quality",
  resultOf: (state, id) => ({ status: state.status, quality: viewOf(state, id) }),
});

export const operations = {
  create: post("/api/v1/documents/quality", {
    summary: "Check the quality of a scan or a photograph",
    description:
      "Measures the pixels of pages that are images; pages of text are always readable. If the text is readable, the type of the document, its numbers and missing pages are reported. Returns at once and checks in the background. With `Prefer: wait=N` the response waits up to N seconds, at most 30, and contains the verdict. A damaged image is `Unreadable`; a file that is not a document is refused.",
    takesFile: true,
    takesBase64: true,
    waits: true,
    body: QualityFields,
    ok: ReceivedQuality,
    status: 202,
    orStatus: 200,
    example: { body: { expectedType: "Cmrs", language: "pl" }, reply: receivedExample },
    handle({ body: { expectedType, language, metadata } }, context) {
      const input = {
        ...(expectedType && { expectedType }),
        ...(language && { language }),
        ...(metadata && { metadata }),
      };
      return receive(context, input, { variant: variantOf(input) });
    },
  }),

  read: get("/api/v1/documents/quality/:documentId", {
    summary: "Read a quality check",
    description: "The status is `Processing` until the check ends.",
    ok: QualityView,
    example: { reply: viewExample },
    ...read(viewOf),
  }),

  list: get("/api/v1/documents/quality", {
    summary: "List quality checks",
    description: "Newest first by default. A new check appears in the list after about a second.",
    ...search.listing(QualityRow),
    example: { query: { verdict: "Poor" }, reply: { items: [rowExample] } },
  }),

  remove: del("/api/v1/documents/quality/:documentId", {
    summary: "Delete a quality check",
    description: "Deletes the check and its file. Deleting it again returns 204.",
    ...remove,
  }),
};
