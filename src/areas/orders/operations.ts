import * as z from "zod";
import { refuse } from "../../platform/decision.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { either } from "../../domain/shapes.ts";
import { acceptFile } from "../../http/uploads/uploads.ts";
import { responseOf as carrierOrderResponse, type CarrierOrder } from "../carrier-orders/model.ts";
import { create as createCarrierOrder } from "../carrier-orders/upsert.ts";
import { CarrierOrderInput } from "../carrier-orders/input.ts";
import { CarrierOrderRow } from "../carrier-orders/search.ts";
import { SequenceQuery } from "../intake/evidence.ts";
import { envelopesOf, isPresent } from "../intake/model.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { example, extractionExample, receivedExample, rowExample } from "./examples.ts";
import {
  AnyOrder,
  CreatedOrder,
  Extraction,
  files,
  OrderDocument,
  OrderFileFields,
  OrderRow,
  ReceivedOrder,
  type events,
  type Order,
} from "./model.ts";
import { search } from "./search.ts";

const { get, post } = operationsOn<Order | CarrierOrder, typeof events>({
  binding: "ORDERS",
  param: "orderId",
  scope: "orders",
});

const { receive, original, evidence } = fileOperations(files, commands, {
  location: "/api/v2/orders",
  resultOf: (order) => ({ status: order.status, orders: envelopesOf(order) }),
});

/**
 * Whether a body is a document rather than a carrier order: it has a file or a text. If that field is empty, the body
 * is a document unless it has an order number.
 */
const isDocument = ({ file, inputText, ...others }: Record<string, unknown>): boolean =>
  hasValue(file) ||
  hasValue(inputText) ||
  ((file !== undefined || inputText !== undefined) && !hasValue(others["orderNumber"]));

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== "";

export const operations = {
  createFromFile: post("/api/v1/orders/file", {
    summary: "Extract transport orders from a file",
    description:
      "Accepts PDF, DOCX, RTF, XLSX, CSV, TXT, HTML, mails (EML, MSG) with their attachments, and images (JPEG, PNG, TIFF, WebP). " +
      "Returns at once and extracts in the background. With `Prefer: wait=N` the response waits up to N seconds, at most 30, and contains the orders.",
    takesFile: true,
    waits: true,
    body: OrderFileFields,
    ok: ReceivedOrder,
    status: 202,
    example: {
      body: { additionalInfo: "Please confirm by 4 p.m.", metadata: { internalId: "TMS-4711" } },
      reply: receivedExample,
    },
    handle: ({ body }, context) => receive(context, body),
  }),

  create: post("/api/v1/orders", {
    summary: "Create a carrier order, or extract a transport order from base64 or text",
    description:
      "With `file` (base64) or `inputText`, extracts orders from the document like `POST /api/v1/orders/file`, and returns 200. Without them, creates a carrier order and returns 201 with the complete envelope, the id, and in `shareUrl` the page on which the carrier uploads documents.",
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
    description: "Lists orders of both kinds, newest first. A new order appears in the list after about a second.",
    ...search.listing(z.union([OrderRow, CarrierOrderRow])),
    example: {
      query: { status: "Succeeded", loadingCountry: "DE", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
  }),

  read: get("/api/v1/orders/:orderId", {
    summary: "Read an order",
    description:
      "Returns the first order of a document; its status is `Processing` until the extraction ends. A carrier order has its documents and its link in `carrierOrder`.",
    ok: AnyOrder,
    example: { reply: example },
    decide(order, _, context) {
      if (!isPresent(order)) return refuse("not_found");
      if (order.kind === "Carrier") return { reply: carrierOrderResponse(order, context) };
      const { status, metadata } = order;
      return { reply: envelopesOf(order)[0] ?? { sequenceId: 0, status, ...(metadata && { metadata }) } };
    },
  }),

  readAll: get("/api/v2/orders/:orderId", {
    summary: "Read all orders found in a document",
    description:
      "Returns one envelope for each order of the document; a carrier order has exactly one. Until the extraction ends, returns 404 `not_processed_yet` with `Retry-After`; with `Prefer: wait=N` the response waits.",
    ok: z.array(AnyOrder),
    waits: true,
    refuses: ["not_processed_yet"],
    example: { reply: [example] },
    decide(order, _, context) {
      if (!isPresent(order)) return refuse("not_found");
      if (order.kind === "Carrier") return { reply: [carrierOrderResponse(order, context)] };
      return order.status === "Processing"
        ? refuse("not_processed_yet", undefined, { headers: { "retry-after": "1" } })
        : { reply: envelopesOf(order) };
    },
  }),

  file: get("/api/v1/orders/:orderId/file", {
    summary: "Download the file an order was extracted from",
    ...original,
  }),

  extraction: get("/api/v1/orders/:orderId/extraction", {
    summary: "Read the evidence for every field of an order",
    query: SequenceQuery,
    example: { reply: extractionExample },
    ...evidence(Extraction),
  }),
};

async function receiveInline(body: z.output<typeof OrderDocument>, context: Context) {
  const file = await inlineFile(body, context);
  const { additionalInfo, metadata } = body;
  const input = { ...(additionalInfo && { additionalInfo }), ...(metadata && { metadata }) };
  const answer = await receive(context, input, { file });
  return new Answer(answer.body, { ...answer.more, status: 200 });
}

async function inlineFile(
  { file, fileName, inputText }: z.output<typeof OrderDocument>,
  { uploads, filesInJson }: Context,
): Promise<UploadedFile> {
  if (inputText) return acceptFile(fileName ?? "order.txt", new TextEncoder().encode(inputText));
  return uploads.judge(filesInJson![Number(file)]!, fileName ?? "file");
}
