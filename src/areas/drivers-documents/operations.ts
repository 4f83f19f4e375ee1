import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { extractionExample, inputExample, receivedExample, viewExample } from "./examples.ts";
import {
  DriverDocumentExtraction,
  DriverDocumentFields,
  DriverDocumentInput,
  DriverDocumentView,
  files,
  ReceivedDriverDocument,
  viewOf,
  type DriverDocument,
  type events,
} from "./model.ts";
import { ListQuery, listDriverDocuments } from "./search.ts";

const { get, post, put, del } = operationsOn<DriverDocument, typeof events>({
  binding: "DRIVERS_DOCUMENTS",
  param: "documentId",
  scope: "documents",
});

const { receive, remove, original, evidence } = fileOperations(files, commands, {
  location: "/api/v1/drivers-documents",
  resultOf(state, id) {
    const document = viewOf(state, id, new Date().toISOString());
    return { status: document.status, document };
  },
});

export const operations = {
  create: post("/api/v1/drivers-documents", {
    summary: "Extract a document of a driver",
    description:
      "Accepts driving licences, driver cards, code 95, ADR certificates, identity cards, passports, residence permits, A1 and medical certificates as a form, as raw bytes, or in JSON with `file` in base64. Returns at once and extracts in the background; with `Prefer: wait=N` the response waits and contains the document. A document of the same driver and type with a later expiry date replaces the earlier one. `DriverDocumentExpiring` is sent several times from 60 days before the expiry, and `DriverDocumentExpired` after it.",
    takesFile: true,
    takesBase64: true,
    waits: true,
    body: DriverDocumentFields,
    ok: ReceivedDriverDocument,
    status: 202,
    refuses: ["in_progress"],
    example: { body: { driver: "Jan Przykładowy", type: "DrivingLicence" }, reply: receivedExample },
    handle({ body: { metadata, ...fields } }, context) {
      const said = withoutUndefined(fields);
      return receive(context, { ...(Object.keys(said).length > 0 && { said }), ...(metadata && { metadata }) });
    },
  }),

  list: get("/api/v1/drivers-documents", {
    summary: "List drivers' documents",
    description:
      "Newest first; with `sort=expiresAt` the earliest expiry date first. A new document appears in the list after about a second.",
    query: ListQuery,
    ok: listOf(DriverDocumentView),
    example: { query: { status: "ExpiringSoon", sort: "expiresAt" }, reply: { items: [viewExample] } },
    handle: ({ query }, { env, caller }) => listDriverDocuments(env.ARCHIVE, caller.company, query),
  }),

  read: get("/api/v1/drivers-documents/:documentId", {
    summary: "Read a document of a driver",
    ok: DriverDocumentView,
    example: { reply: viewExample },
    command: commands.view,
  }),

  update: put("/api/v1/drivers-documents/:documentId", {
    summary: "Update a document of a driver",
    description:
      "Values that are sent take precedence over the extracted ones; omitted fields have the extracted values. `metadata` is kept if it is not sent. A new expiry date restarts the reminders. An update without changes does not change the version.",
    body: DriverDocumentInput,
    ok: DriverDocumentView,
    example: { body: inputExample, reply: viewExample },
    async handle({ params, body: { metadata, ...said } }, { execute }) {
      const input = { said: withoutUndefined(said), ...(metadata && { metadata }) };
      const { reply, ...more } = await execute(commands.say, params.documentId, input);
      return new Answer(reply, more);
    },
  }),

  remove: del("/api/v1/drivers-documents/:documentId", {
    summary: "Delete a document of a driver",
    description: "Deletes the document and its file. Deleting it again returns 204.",
    ...remove,
  }),

  file: get("/api/v1/drivers-documents/:documentId/file", {
    summary: "Download the file a document of a driver was extracted from",
    ...original,
  }),

  extraction: get("/api/v1/drivers-documents/:documentId/extraction", {
    summary: "Read the evidence for every field of a document of a driver",
    example: { reply: extractionExample },
    ...evidence(DriverDocumentExtraction),
  }),
};

/** Also in nested objects. */
const withoutUndefined = <T extends object>(fields: T): T => JSON.parse(JSON.stringify(fields)) as T;
