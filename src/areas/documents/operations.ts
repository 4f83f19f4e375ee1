import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { refuse } from "../../platform/decision.ts";
import { fileAnswer } from "../../http/file-response.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { vatCodeSearch } from "../../domain/parties.ts";
import { listOf, listParameters } from "../../platform/lists.ts";
import {
  choice,
  processingStatuses,
  QueryClock,
  QueryClockEnd,
  QueryMoment,
  QueryMomentEnd,
} from "../../domain/shapes.ts";
import { extractionOf, isThere, takeIn } from "../intake/index.ts";
import { envelopeOf, folder, kindOf, viewOf, type Document, type events } from "./document.ts";
import { examples, extractionExample, receivedExample, rowExample, viewExample } from "./examples.ts";
import { documentKinds, documentTypes, type DocumentKind } from "./kinds.ts";
import {
  DocumentExtraction,
  DocumentFields,
  documentOf,
  DocumentRow,
  DocumentView,
  ReceivedDocument,
} from "./shapes.ts";
import { commands } from "./commands.ts";

const { get, post, del } = operationsOn<Document, typeof events>({
  binding: "DOCUMENTS",
  param: "documentId",
  scope: "documents",
});

const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "number", "documentDate"]),
  type: choice(documentTypes).optional(),
  status: choice(processingStatuses).optional(),
  number: z.string().max(200).optional().describe("The number, or a pattern with `*`."),
  partyVatCode: z.string().max(50).optional().describe("Of anyone named in it."),
  licensePlate: z.string().max(20).optional(),
  dateFrom: QueryClock.optional().describe("The document's own date, by the clock there; an offset is left aside."),
  dateTo: QueryClockEnd.optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words; each may be the beginning of one."),
});

/** The operation that reads documents of one kind. */
const readAs = <const Kind extends DocumentKind, View extends z.ZodType>(
  kind: Kind,
  article: string,
  view: View,
  example: z.input<View> | undefined,
) =>
  get(`/api/v1/documents/${kind}/:documentId`, {
    summary: `Read ${article}`,
    description: "While it is being read the status is `Processing`. A document of another kind is not found here.",
    ok: documentOf(`${documentKinds[kind].noun}Document`, view),
    example: { reply: { status: "Succeeded", data: example, metadata: viewExample.metadata } },
    decide(now) {
      if (!isThere(now) || (kindOf(now) ?? kind) !== kind) return refuse("not_found");
      return { reply: envelopeOf(now) as never };
    },
  });

export const operations = {
  create: post("/api/v1/documents", {
    summary: "Read an invoice, a receipt, a CMR note, a fine or an insurance policy",
    description:
      "As a form, as the raw bytes, or in JSON with `file` in base64. Without `type` the kind is found out. Invoices that carry their data (ZUGFeRD, Factur-X, UBL, CII) are read from it. The answer comes at once; with `Prefer: wait=N` it waits up to N seconds (30 at most) and then holds the document. A file that is no document of its kind ends as `Failed` with `input_not_a_document_of_this_kind`.",
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
    handle: ({ body }, context) => receive(context, body),
  }),

  list: get("/api/v1/documents", {
    summary: "List documents",
    description: "Newest first. A document appears about a second after it came.",
    query: ListQuery,
    ok: listOf(DocumentRow),
    example: {
      query: { type: "Invoices", status: "Succeeded", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: async ({ query }, { env, caller }) => listArchive<DocumentRow>(env.ARCHIVE, asked(query, caller.company)),
  }),

  readInvoice: readAs("invoice", "an invoice", documentKinds.invoice.view, examples.invoice.data),
  readReceipt: readAs("receipt", "a receipt", documentKinds.receipt.view, examples.receipt.data),
  readCmr: readAs("cmr", "a CMR note", documentKinds.cmr.view, examples.cmr.data),
  readFine: readAs("fine", "a fine", documentKinds.fine.view, examples.fine.data),
  readInsurance: readAs("insurance", "an insurance policy", documentKinds.insurance.view, examples.insurance.data),

  read: get("/api/v1/documents/:documentId", {
    summary: "Read a document, whatever its kind",
    ok: DocumentView,
    example: { reply: viewExample },
    decide: (state, _, { id }) => (isThere(state) ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  remove: del("/api/v1/documents/:documentId", {
    summary: "Delete a document",
    description:
      "With its file and its evidence. What was handed in for a carrier order, and the pile it came in, stay. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    command: commands.remove,
  }),

  file: get("/api/v1/documents/:documentId/file", {
    summary: "Download the file a document was read from",
    givesFile: true,
    ok: z.string().describe("The original bytes."),
    async handle({ params }, { env, request, look }) {
      const { file } = await look(commands.look, params.documentId, {});
      return fileAnswer(env.FILES, file, request);
    },
  }),

  extraction: get("/api/v1/documents/:documentId/extraction", {
    summary: "Read the evidence for every field of a document",
    description: "Where on the page each value stands, how sure it is, and which checks it passed.",
    ok: DocumentExtraction,
    refuses: ["not_processed_yet"],
    example: { reply: extractionExample },
    async handle({ params: { documentId: id } }, context) {
      const now = await context.look(commands.look, id, {});
      return extractionOf<DocumentExtraction>(context, now, { folder, id });
    },
  }),
};

/** Of the same bytes each type is read by itself: what was no invoice may be a receipt. */
async function receive(
  context: Context,
  { type, metadata }: z.output<typeof DocumentFields>,
): Promise<Answer<z.input<typeof ReceivedDocument>>> {
  const door = { binding: "DOCUMENTS" as const, folder, commands };
  const said = { ...(type && { asked: type }), ...(metadata && { metadata }) };
  const { id, reply, replayed, record } = await takeIn(door, context, context.file!, said, { as: type ?? "any" });
  const headers = { location: `/api/v1/documents/${type ? `${kindOf({ asked: type, envelopes: [] })}/` : ""}${id}` };
  if (!record) return new Answer(reply, { replayed, headers });
  const { status } = record;
  const done = status !== "Processing";
  return new Answer(
    { ...reply, status, ...(done && { document: viewOf(record, id) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

function asked(query: z.output<typeof ListQuery>, company: string): ArchiveQuery {
  const { number, partyVatCode, licensePlate } = query;
  const isPattern = number?.includes("*") ?? false;
  const terms = [
    ...(["type", "status", "internalId"] as const).flatMap((name) => (query[name] ? [`${name}:${query[name]}`] : [])),
    ...(number && !isPattern ? [`number:${tight(number)}`] : []),
    ...(licensePlate ? [`licensePlate:${tight(licensePlate)}`] : []),
  ];
  return {
    table: "documents",
    company,
    terms: [
      ...terms.map((term) => anyOf(term)),
      ...(partyVatCode ? [vatCodeSearch("partyVatCode", partyVatCode)] : []),
    ],
    ranges: [
      { column: "documentDate", from: query.dateFrom, to: query.dateTo },
      { column: "createdAt", from: query.createdFrom, to: query.createdTo },
      { column: "updatedAt", from: query.updatedSince },
    ],
    patterns: isPattern ? [{ column: "numberKey", name: "number", pattern: number! }] : [],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}
