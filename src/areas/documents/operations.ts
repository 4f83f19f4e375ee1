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
import type { StoredKind } from "../../extraction/kinds/kind.ts";
import type { ViewOf } from "../../extraction/kinds/kinds.ts";
import { extractionOf, isThere, takeIn } from "../intake/index.ts";
import { envelopeOf, folder, kindOf, viewOf, type Document, type events } from "./document.ts";
import { extractionExample, receivedExample, rowExample, viewExample } from "./examples.ts";
import { anyKind, documentKinds, documentTypes, kindNames, type DocumentKind } from "./kinds.ts";
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

/** The operation that returns documents of one kind. */
function readAs<Kind extends DocumentKind>(kind: Kind) {
  const { noun, phrase, view, example } = documentKinds[kind] as unknown as StoredKind<ViewOf<Kind>>;
  return get(`/api/v1/documents/${kind}/:documentId`, {
    summary: `Read ${phrase}`,
    description: "While it is being read the status is `Processing`. A document of another kind is not found here.",
    ok: documentOf(`${noun}Document`, view),
    example: { reply: { status: "Succeeded", data: example as never, metadata: viewExample.metadata } },
    decide(now) {
      if (!isThere(now) || (kindOf(now) ?? kind) !== kind) return refuse("not_found");
      return { reply: envelopeOf(now) };
    },
  });
}

/** One operation for each kind: `readInvoice`, `readReceipt`, … */
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
    summary: `Read ${anyKind}`,
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

  ...readOperations,

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
