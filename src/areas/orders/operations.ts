import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { refuse } from "../../platform/decision.ts";
import { fileAnswer } from "../../http/file-response.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { vatCodeSearch } from "../../domain/parties.ts";
import { listOf, listParameters } from "../../platform/lists.ts";
import {
  choice,
  Country,
  either,
  processingStatuses,
  QueryClock,
  QueryClockEnd,
  QueryMoment,
  QueryMomentEnd,
} from "../../domain/shapes.ts";
import { acceptFile } from "../../http/uploads/uploads.ts";
import { type CarrierOrder, read as readCarrierOrder } from "../carrier-orders/order.ts";
import { create as createCarrierOrder } from "../carrier-orders/upsert.ts";
import { CarrierOrderInput, carrierOrderStatuses, CarrierOrderRow } from "../carrier-orders/shapes.ts";
import { extractionOf, isThere, SequenceQuery, takeIn, told, type Received } from "../intake/index.ts";
import { example, extractionExample, receivedExample, rowExample } from "./examples.ts";
import { folder, type events, type Order } from "./order.ts";
import {
  AnyOrder,
  CreatedOrder,
  Extraction,
  OrderDocument,
  OrderFileFields,
  OrderRow,
  ReceivedOrder,
} from "./shapes.ts";
import { commands } from "./commands.ts";

const { get, post } = operationsOn<Order | CarrierOrder, typeof events>({
  binding: "ORDERS",
  param: "orderId",
  scope: "orders",
});

/** A file or a text makes it a document; what is there and empty does so only where no order stands beside it. */
const isDocument = ({ file, inputText, ...others }: Record<string, unknown>): boolean =>
  isGiven(file) ||
  isGiven(inputText) ||
  ((file !== undefined || inputText !== undefined) && !isGiven(others["orderNumber"]));

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";

const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"]),
  kind: choice(["Document", "Carrier"]).optional().describe("Read from a document, or given to a carrier."),
  status: choice([...processingStatuses, ...carrierOrderStatuses]).optional(),
  orderNumber: z.string().max(200).optional().describe("The number, or a pattern with `*`."),
  referenceNumber: z.string().max(200).optional(),
  customerVatCode: z.string().max(50).optional(),
  licensePlate: z.string().max(20).optional(),
  loadingCountry: Country.optional(),
  unloadingCountry: Country.optional(),
  loadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  loadingTo: QueryClockEnd.optional(),
  unloadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  unloadingTo: QueryClockEnd.optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words; each may be the beginning of one."),
});

export const operations = {
  createFromFile: post("/api/v1/orders/file", {
    summary: "Read a transport order from a file",
    description:
      "PDF, DOCX, RTF, XLSX, CSV, TXT, HTML, and mails (EML, MSG) with their attachments; pictures (JPEG, PNG, TIFF, WebP). " +
      "The answer comes at once; the order is read in the background. With `Prefer: wait=N` the answer waits up to N seconds (30 at most) and then holds the orders.",
    takesFile: true,
    waits: true,
    body: OrderFileFields,
    ok: ReceivedOrder,
    status: 202,
    example: {
      body: { additionalInfo: "Please confirm by 4 p.m.", metadata: { internalId: "TMS-4711" } },
      reply: receivedExample,
    },
    handle: ({ body }, context) => receive(context, context.file!, body),
  }),

  create: post("/api/v1/orders", {
    summary: "Create a carrier order, or read a transport order from base64 or text",
    description:
      "With `file` (base64) or `inputText` a document is read: the same as the operation for files, inline, answered with 200. Without them it is an order for a carrier: answered with 201, all seven keys of the envelope, its id, and in `shareUrl` the page on which the carrier hands in the papers.",
    body: either(isDocument, OrderDocument, CarrierOrderInput),
    filesInJson: [["file"]],
    waits: true,
    ok: CreatedOrder,
    orStatus: 201,
    refuses: [
      "duplicate_order_number",
      "in_progress",
      "file_empty",
      "file_encrypted",
      "file_unreadable",
      "unsupported_file_type",
    ],
    example: {
      body: { inputText: "Transport order 4711 ...", metadata: { internalId: "TMS-4711" } },
      reply: receivedExample,
    },
    handle: ({ body }, context) =>
      "orderNumber" in body ? createCarrierOrder(body, context) : receiveInline(body, context),
  }),

  list: get("/api/v1/orders", {
    summary: "List orders",
    description: "Both kinds, newest first. An order appears about a second after it was made.",
    query: ListQuery,
    ok: listOf(z.union([OrderRow, CarrierOrderRow])),
    example: {
      query: { status: "Succeeded", loadingCountry: "DE", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    async handle({ query }, { env, caller }) {
      return listArchive<OrderRow | CarrierOrderRow>(env.ARCHIVE, asked(query, caller.company));
    },
  }),

  read: get("/api/v1/orders/:orderId", {
    summary: "Read an order",
    description:
      "Of a document with several orders the first; while it is being read the status is `Processing`. An order given to a carrier has its papers and its link in `carrierOrder`.",
    ok: AnyOrder,
    example: { reply: example },
    decide(order, _, context) {
      if (!isThere(order)) return refuse("not_found");
      if (order.kind === "Carrier") return { reply: readCarrierOrder(order, context) };
      const { status, metadata } = order;
      return { reply: told(order)[0] ?? { sequenceId: 0, status, ...(metadata && { metadata }) } };
    },
  }),

  readAll: get("/api/v2/orders/:orderId", {
    summary: "Read all orders found in a document",
    description:
      "One envelope for each; an order given to a carrier is the only one. While the file is being read: 404 `not_processed_yet` with `Retry-After`; with `Prefer: wait=N` the answer waits.",
    ok: z.array(AnyOrder),
    waits: true,
    refuses: ["not_processed_yet"],
    example: { reply: [example] },
    decide(order, _, context) {
      if (!isThere(order)) return refuse("not_found");
      if (order.kind === "Carrier") return { reply: [readCarrierOrder(order, context)] };
      return order.status === "Processing"
        ? refuse("not_processed_yet", undefined, { headers: { "retry-after": "1" } })
        : { reply: told(order) };
    },
  }),

  file: get("/api/v1/orders/:orderId/file", {
    summary: "Download the file an order was read from",
    givesFile: true,
    ok: z.string().describe("The original bytes."),
    async handle({ params }, { env, request, look }) {
      const order = await look(commands.look, params.orderId, {});
      return fileAnswer(env.FILES, order.file, request);
    },
  }),

  extraction: get("/api/v1/orders/:orderId/extraction", {
    summary: "Read the evidence for every field",
    description: "Where on the page each value stands, how sure it is, and which checks it passed.",
    query: SequenceQuery,
    ok: Extraction,
    refuses: ["not_processed_yet"],
    example: { reply: extractionExample },
    async handle({ params: { orderId }, query: { sequenceId } }, context) {
      const order = await context.look(commands.look, orderId, {});
      return extractionOf<Extraction>(context, order, { folder, id: orderId, sequenceId });
    },
  }),
};

/** Terms of the archive that the list asks for as they stand. */
const [exact, tightened] = [
  ["kind", "status", "loadingCountry", "unloadingCountry", "internalId"],
  ["orderNumber", "referenceNumber", "licensePlate"],
] as const;

function asked(query: z.output<typeof ListQuery>, company: string): ArchiveQuery {
  const isPattern = query.orderNumber?.includes("*") ?? false;
  const terms = [
    ...exact.map((name) => [name, query[name], query[name]] as const),
    ...tightened.map((name) => [name, query[name], tight(query[name] ?? "")] as const),
  ].filter(([name, given]) => given && !(isPattern && name === "orderNumber"));
  return {
    table: "orders",
    company,
    terms: [
      ...terms.map(([name, , compared]) => anyOf(`${name}:${compared}`)),
      ...(query.customerVatCode ? [vatCodeSearch("customerVatCode", query.customerVatCode)] : []),
    ],
    ranges: [
      { column: "loadingDate", from: query.loadingFrom, to: query.loadingTo },
      { column: "unloadingDate", from: query.unloadingFrom, to: query.unloadingTo },
      { column: "createdAt", from: query.createdFrom, to: query.createdTo },
      { column: "updatedAt", from: query.updatedSince },
    ],
    patterns: isPattern ? [{ column: "numberKey", name: "orderNumber", pattern: query.orderNumber! }] : [],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}

async function receive(
  context: Context,
  file: UploadedFile,
  said: Omit<Received, "file">,
): Promise<Answer<z.input<typeof ReceivedOrder>>> {
  const { reply, replayed, record } = await takeIn({ binding: "ORDERS", folder, commands }, context, file, said);
  const headers = { location: `/api/v2/orders/${reply.orderId}` };
  if (!record) return new Answer(reply, { replayed, headers });
  const done = record.status !== "Processing";
  return new Answer(
    { ...reply, status: record.status, ...(done && { orders: told(record) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

async function receiveInline(body: z.output<typeof OrderDocument>, context: Context) {
  const file = await inlineFile(body, context);
  const { additionalInfo, metadata } = body;
  const answer = await receive(context, file, {
    ...(additionalInfo && { additionalInfo }),
    ...(metadata && { metadata }),
  });
  return new Answer(answer.body, { ...answer.more, status: 200 });
}

/** @throws Problem naming `file` or `inputText` */
async function inlineFile(
  { file, fileName, inputText }: z.output<typeof OrderDocument>,
  { uploads, filesInJson }: Context,
): Promise<UploadedFile> {
  if (inputText) return acceptFile(fileName ?? "order.txt", new TextEncoder().encode(inputText));
  return uploads.judge(filesInJson![Number(file)]!, fileName ?? "file");
}
