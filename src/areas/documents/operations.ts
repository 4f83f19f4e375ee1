import { refuse } from "../../platform/decision.ts";
import { operationsOn } from "../../http/operation.ts";
import type { StoredKind } from "../../extraction/kinds/kind.ts";
import type { ViewOf } from "../../extraction/kinds/kinds.ts";
import { isPresent } from "../intake/model.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { extractionExample, receivedExample, rowExample, viewExample } from "./examples.ts";
import { anyKind, documentKinds, kindNames, kindOfType, type DocumentKind } from "./kinds.ts";
import {
  DocumentExtraction,
  DocumentFields,
  documentOf,
  DocumentRow,
  DocumentView,
  envelopeOf,
  files,
  kindOf,
  ReceivedDocument,
  variantOf,
  viewOf,
  type Document,
  type events,
} from "./model.ts";
import { search } from "./search.ts";

const { get, post, del } = operationsOn<Document, typeof events>({
  binding: "DOCUMENTS",
  param: "documentId",
  scope: "documents",
});

const path = "/api/v1/documents";
const { receive, read, remove, original, evidence } = fileOperations(files, commands, {
  location: path,
  resultOf: (document, id) => ({ status: document.status, document: viewOf(document, id) }),
});

function readAs<Kind extends DocumentKind>(kind: Kind) {
  const { noun, phrase, view, example } = documentKinds[kind] as unknown as StoredKind<ViewOf<Kind>>;
  return get(`/api/v1/documents/${kind}/:documentId`, {
    summary: `Read ${phrase}`,
    description: "The status is `Processing` until the extraction ends. Returns 404 for a document of another kind.",
    ok: documentOf(`${noun}Document`, view),
    example: { reply: { status: "Succeeded", data: example as never, metadata: viewExample.metadata } },
    decide(document) {
      if (!isPresent(document) || (kindOf(document) ?? kind) !== kind) return refuse("not_found");
      return { reply: envelopeOf(document) };
    },
  });
}

/** `readInvoice`, `readReceipt`, … */
type ReadOperations = {
  [Kind in DocumentKind as `read${(typeof documentKinds)[Kind]["apiName"]["singular"]}`]: ReturnType<
    typeof readAs<Kind>
  >;
};
const readOperations = Object.fromEntries(
  kindNames.map((kind) => [`read${documentKinds[kind].apiName.singular}`, readAs(kind)]),
) as unknown as ReadOperations;

export const operations = {
  create: post("/api/v1/documents", {
    summary: `Extract ${anyKind}`,
    description:
      "Accepts a form, the raw bytes, or JSON with `file` in base64. Without `type` the kind is detected. The embedded data of electronic invoices (ZUGFeRD, Factur-X, UBL, CII) is used. Returns at once and extracts in the background. With `Prefer: wait=N` the response waits up to N seconds, at most 30, and contains the document. A file of another kind ends as `Failed` with `input_not_a_document_of_this_kind`.",
    takesFile: true,
    takesBase64: true,
    waits: true,
    body: DocumentFields,
    ok: ReceivedDocument,
    status: 202,
    example: {
      body: { type: "Invoices", fileType: "Pdf", metadata: { internalId: "DOC-204" } },
      reply: receivedExample,
    },
    handle({ body: { type, metadata } }, context) {
      const input = { ...(type && { asked: type }), ...(metadata && { metadata }) };
      const location = type ? `${path}/${kindOfType(type)}` : path;
      return receive(context, input, { variant: variantOf(input), location });
    },
  }),

  list: get("/api/v1/documents", {
    summary: "List documents",
    description: "Newest first. A new document appears in the list after about a second.",
    ...search.listing(DocumentRow),
    example: {
      query: { type: "Invoices", status: "Succeeded", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
  }),

  ...readOperations,

  read: get("/api/v1/documents/:documentId", {
    summary: "Read a document of any kind",
    ok: DocumentView,
    example: { reply: viewExample },
    ...read(viewOf),
  }),

  remove: del("/api/v1/documents/:documentId", {
    summary: "Delete a document",
    description:
      "Deletes the document with its file and its evidence. Copies in carrier orders and in document collections remain. Deleting it again returns 204.",
    ...remove,
  }),

  file: get("/api/v1/documents/:documentId/file", {
    summary: "Download the file a document was extracted from",
    ...original,
  }),

  extraction: get("/api/v1/documents/:documentId/extraction", {
    summary: "Read the evidence for every field of a document",
    example: { reply: extractionExample },
    ...evidence(DocumentExtraction),
  }),
};
