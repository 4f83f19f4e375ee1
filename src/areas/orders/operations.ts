import * as z from "zod";
import { listArchive } from "../../kit/archive.ts";
import { acceptFile, base64Limit } from "../../kit/body.ts";
import { refuse } from "../../kit/decision.ts";
import { fileAnswer, fileKey, storeFile, type StoredFile, type UploadedFile } from "../../kit/files.ts";
import { Answer } from "../../kit/http.ts";
import { operationsOn, stepsOn, type Context } from "../../kit/operation.ts";
import { takeClaim } from "../../kit/owners.ts";
import { invalid, Problem, wrongField } from "../../kit/problem.ts";
import { choice, Country, listOf, listQuery, processingStatuses, queryInteger, QueryMoment } from "../../kit/shapes.ts";
import { example, extractionExample, receivedExample, rowExample } from "./example.ts";
import type { events } from "./order.ts";
import { extractionKey, tight, type Order } from "./order.ts";
import { Extraction, OrderDocument, OrderEnvelope, OrderFileFields, OrderRow, ReceivedOrder } from "./shapes.ts";

/** A file whose reading was begun this often without coming to an end kills its reader. */
export const mostAttempts = 3;
/** Readings that broke off by a fault of ours, a storage that did not answer: with the waits between them some two minutes. */
export const mostFaults = 12;
/** A reading that has not ended by then is thought dead; longer than any reading may take. */
export const leaseMilliseconds = 90_000;
/** The same bytes make the same order this long. */
const duplicateMilliseconds = 180 * 24 * 60 * 60 * 1000;

interface Received {
  file: StoredFile;
  additionalInfo?: string;
  metadata?: Record<string, string>;
}

export const steps = stepsOn<Order, typeof events>(
  "ORDERS",
  "orders",
)({
  /** A file has come. The same file again is the same order. */
  receive: (order, ask: Received, { at, id }) =>
    order
      ? { reply: { orderId: id, duplicateOf: id } }
      : {
          state: { ...ask, status: "Processing" as const, attempts: 0, envelopes: [], createdAt: at, updatedAt: at },
          work: ["orders.read"],
          reply: { orderId: id },
        },

  /** Someone sets about reading. A no is normal: it is read already, or someone is at it. */
  begin: (order, _: object, { at, life }) => {
    if (!order || order.status !== "Processing") return { done: ["orders.read"], reply: { go: "Done" as const } };
    if (order.lease && order.lease.life === life && order.lease.until > at) return { reply: { go: "Busy" as const } };
    const failed = givenUp(order);
    if (failed) return { ...settled(order, [failed], at), reply: { go: "Done" as const } };
    const lease = { life, until: new Date(Date.parse(at) + leaseMilliseconds).toISOString() };
    return { state: { ...order, attempts: order.attempts + 1, lease }, reply: { go: "Read" as const, order } };
  },

  /** The reading has come to an end, good or bad. The first end counts. */
  finish: (order, { envelopes }: { envelopes: OrderEnvelope[] }, { at }) =>
    order?.status === "Processing"
      ? { ...settled(order, envelopes, at), reply: {} }
      : { done: ["orders.read"], reply: {} },

  /** What is known of it now, for the service itself. */
  look: (order) => (order ? { reply: order } : refuse("not_found")),

  /** The reading broke off by a fault of ours and may be tried again: the file has not killed its reader. */
  release: (order) => {
    if (order?.status !== "Processing") return { reply: {} };
    const { lease: _, faults = 0, ...rest } = order;
    return { state: { ...rest, attempts: Math.max(0, order.attempts - 1), faults: faults + 1 }, reply: {} };
  },
});

/** The end of an order that nobody reads once more. */
function givenUp({ attempts, faults = 0 }: Order): OrderEnvelope | undefined {
  const failed = (errorCode: string, message: string) => ({
    sequenceId: 0,
    status: "Failed" as const,
    errorCode,
    message,
  });
  if (attempts >= mostAttempts) return failed("engine_timeout", `Reading was begun ${attempts} times and never ended.`);
  if (faults >= mostFaults)
    return failed("engine_unavailable", `Reading broke off ${faults} times by a fault of ours.`);
  return undefined;
}

function settled(order: Order, found: OrderEnvelope[], at: string) {
  const status = statusOf(found);
  const envelopes = found.map((envelope) => ({ ...envelope, ...(order.metadata && { metadata: order.metadata }) }));
  const { lease: _, ...rest } = order;
  return {
    state: { ...rest, status, envelopes, updatedAt: at },
    events: [
      {
        type: status === "Failed" ? ("OrderFailed" as const) : ("OrderProcessed" as const),
        status,
        previousStatus: order.status,
        data: envelopes,
      },
    ],
    done: ["orders.read"],
  };
}

/** Of several orders in one file the best one that is not whole speaks for all. */
function statusOf(envelopes: OrderEnvelope[]): Order["status"] {
  if (envelopes.every(({ status }) => status === "Succeeded")) return "Succeeded";
  return envelopes.some(({ status }) => status !== "Failed") ? "Partial" : "Failed";
}

const { get, post } = operationsOn<Order, typeof events>({ binding: "ORDERS", param: "orderId", scope: "orders" });

export const operations = {
  createFromFile: post("/api/v1/orders/file", {
    summary: "Read a transport order from a file",
    description:
      "PDF, DOCX, RTF, XLSX, CSV, TXT, HTML, and mails (EML, MSG) with their attachments; pictures and scans once the OCR Worker is there. " +
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
    summary: "Read a transport order from base64 or from text",
    description: "With `file` (base64) or `inputText`. The same as the operation for files, inline.",
    body: OrderDocument,
    bodyLimit: base64Limit,
    waits: true,
    ok: ReceivedOrder,
    refuses: ["file_empty", "file_encrypted", "file_unreadable", "unsupported_file_type"],
    example: {
      body: { inputText: "Transport order 4711 ...", metadata: { internalId: "TMS-4711" } },
      reply: receivedExample,
    },
    async handle({ body }, context) {
      const file = await inlineFile(body);
      const { additionalInfo, metadata } = body;
      const answer = await receive(context, file, {
        ...(additionalInfo && { additionalInfo }),
        ...(metadata && { metadata }),
      });
      return new Answer(answer.body, { ...answer.more, status: 200 });
    },
  }),

  list: get("/api/v1/orders", {
    summary: "List orders",
    description: "Newest first. An order appears about a second after its file was taken.",
    query: z.object({
      ...listQuery,
      sort: choice([
        "-createdAt",
        "createdAt",
        "-updatedAt",
        "updatedAt",
        "-orderNumber",
        "orderNumber",
        "-loadingDate",
        "loadingDate",
        "-unloadingDate",
        "unloadingDate",
      ]).optional(),
      status: choice(processingStatuses).optional(),
      orderNumber: z.string().max(200).optional(),
      referenceNumber: z.string().max(200).optional(),
      customerVatCode: z.string().max(50).optional(),
      licensePlate: z.string().max(20).optional(),
      loadingCountry: Country.optional(),
      unloadingCountry: Country.optional(),
      loadingFrom: z.iso.date().optional(),
      loadingTo: z.iso.date().optional(),
      unloadingFrom: z.iso.date().optional(),
      unloadingTo: z.iso.date().optional(),
      createdFrom: QueryMoment.optional(),
      createdTo: QueryMoment.optional(),
      internalId: z.string().max(512).optional(),
      text: z.string().max(200).optional().describe("Words; each may be the beginning of one."),
    }),
    ok: listOf(OrderRow),
    example: {
      query: { status: "Succeeded", loadingCountry: "DE", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    async handle({ query }, { env, caller }) {
      const endOfDay = (date?: string) => date && `${date}T23:59:59`;
      return listArchive<z.output<typeof OrderRow>>(env.ARCHIVE, {
        table: "orders",
        company: caller.company,
        terms: (
          [
            "status",
            "orderNumber",
            "referenceNumber",
            "customerVatCode",
            "licensePlate",
            "loadingCountry",
            "unloadingCountry",
            "internalId",
          ] as const
        ).flatMap((name) => (query[name] ? [`${name}:${exact.has(name) ? query[name] : tight(query[name])}`] : [])),
        ranges: [
          { column: "loadingDate", from: query.loadingFrom, to: endOfDay(query.loadingTo) },
          { column: "unloadingDate", from: query.unloadingFrom, to: endOfDay(query.unloadingTo) },
          { column: "createdAt", from: query.createdFrom, to: query.createdTo },
          { column: "updatedAt", from: query.updatedSince },
        ],
        text: query.text,
        sort: query.sort ?? "-createdAt",
        limit: query.limit ?? 50,
        cursor: query.cursor,
      });
    },
  }),

  read: get("/api/v1/orders/:orderId", {
    summary: "Read an order",
    description: "The first order of the document. While the file is being read the status is `Processing`.",
    ok: OrderEnvelope,
    example: { reply: example },
    decide: (order) =>
      order
        ? {
            reply: order.envelopes[0] ?? {
              sequenceId: 0,
              status: order.status,
              ...(order.metadata && { metadata: order.metadata }),
            },
          }
        : refuse("not_found"),
  }),

  readAll: get("/api/v2/orders/:orderId", {
    summary: "Read all orders found in a document",
    description:
      "One envelope for each. While the file is being read: 404 `not_processed_yet` with `Retry-After`; with `Prefer: wait=N` the answer waits.",
    ok: z.array(OrderEnvelope),
    waits: true,
    refuses: ["not_processed_yet"],
    example: { reply: [example] },
    decide(order) {
      if (!order) return refuse("not_found");
      return order.status === "Processing"
        ? refuse("not_processed_yet", undefined, { headers: { "retry-after": "1" } })
        : { reply: order.envelopes };
    },
  }),

  file: get("/api/v1/orders/:orderId/file", {
    summary: "Download the file an order was read from",
    givesFile: true,
    ok: z.string().describe("The original bytes."),
    async handle({ params }, { env, request, look }) {
      const order = await look(steps.look, params.orderId, {});
      return fileAnswer(env.FILES, order.file, request);
    },
  }),

  extraction: get("/api/v1/orders/:orderId/extraction", {
    summary: "Read the evidence for every field",
    description: "Where on the page each value stands, how sure it is, and which checks it passed.",
    query: z.object({
      sequenceId: queryInteger(0, 9999).optional().describe("Which order of the document, 0 when not said."),
    }),
    ok: Extraction,
    refuses: ["not_processed_yet"],
    example: { reply: extractionExample },
    async handle({ params, query }, { env, caller, look }) {
      const order = await look(steps.look, params.orderId, {});
      if (order.status === "Processing")
        throw new Problem("not_processed_yet", undefined, { headers: { "retry-after": "1" } });
      const stored = await env.FILES.get(extractionKey(caller.company, params.orderId));
      const found = (await stored?.json<Extraction[]>())?.[query.sequenceId ?? 0];
      if (!found)
        throw new Problem("not_found", `The document has ${order.envelopes.length} orders, and this is none of them.`);
      return found;
    },
  }),
};

const exact = new Set<string>(["status", "internalId"]);

/** Takes in a file: who sent these bytes first has the order, and only then is anything stored. */
async function receive(
  context: Context,
  file: UploadedFile,
  said: Omit<Received, "file">,
): Promise<Answer<z.input<typeof ReceivedOrder>>> {
  const { env, caller, look } = context;
  const until = Date.now() + duplicateMilliseconds;
  const claim = await takeClaim(env, caller.company, `orders/file/${file.sha256}`, { holder: context.newId, until });
  const orderId = claim.holder;
  const known = claim.fresh ? undefined : await look(steps.look, orderId, {}).catch(() => undefined);
  const stored =
    known?.file ?? (await storeFile(env.FILES, fileKey(caller.company, "orders", orderId, "original"), file));
  const { reply, replayed } = await context.perform(steps.receive, orderId, { file: stored, ...said });
  const headers = { location: `/api/v2/orders/${orderId}` };
  if (context.waitSeconds === 0) return new Answer(reply, { replayed, headers });
  await context.settled("ORDERS", orderId);
  const { status, envelopes } = await look(steps.look, orderId, {});
  const done = status !== "Processing";
  return new Answer(
    { ...reply, status, ...(done && { orders: envelopes }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

/** @throws Problem naming `file` or `inputText` */
async function inlineFile({ file, fileName, inputText }: z.output<typeof OrderDocument>): Promise<UploadedFile> {
  if (inputText) return acceptFile(fileName ?? "order.txt", new TextEncoder().encode(inputText));
  return acceptFile(fileName ?? "file", bytesOf(file!));
}

/** Base64, with or without the head of a data URL. */
function bytesOf(file: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(file.replace(/^data:[^,]{0,100},/, ""));
  } catch {
    throw invalid([wrongField(["file"], "invalid_format", "file is not base64.")]);
  }
}
