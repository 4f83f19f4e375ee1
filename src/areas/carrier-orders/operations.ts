import * as z from "zod";
import { fileResponse } from "../../http/file-response.ts";
import { Answer } from "../../http/responses.ts";
import { releaseNumber } from "../../platform/unique-numbers.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import { listOf, nextCursorAlias } from "../../platform/list-parameters.ts";
import { either } from "../../domain/shapes.ts";
import { commands as orderCommands } from "../orders/commands.ts";
import { commands } from "./commands.ts";
import { DocumentFields, DocumentTypeChoice, OrderDocumentView, Verdict } from "./documents.ts";
import { documentExample, envelopeExample, inputExample, orderId, rowExample, shareUrl } from "./examples.ts";
import { CarrierOrderInput, UpsertMany } from "./input.ts";
import {
  CarrierOrderEnvelope,
  JudgedDocument,
  UpsertResult,
  UpsertResults,
  type Events,
  type StoredOrder,
} from "./model.ts";
import { CarrierOrderRow, queryCarrierOrders, QueryInput } from "./search.ts";
import { uploadDocument } from "./upload-document.ts";
import { orderNumbers, replace, upsert, upsertMany } from "./upsert.ts";

const { get, post, put, del } = operationsOn<StoredOrder, Events>({
  binding: "ORDERS",
  param: "orderId",
  scope: "orders",
});

export const operations = {
  update: put("/api/v1/orders/:orderId", {
    summary: "Replace a carrier order",
    description:
      "Replaces the order; `metadata` is kept if it is not sent. A different carrier is refused with 409: one with another VAT code or, unless both VAT codes are known, with another name. The comparison of VAT codes ignores blanks, punctuation and, if one has none, the country prefix; that of names ignores case, accents, blanks and punctuation. An update without changes does not change the version and sends no event.",
    body: CarrierOrderInput,
    ok: CarrierOrderEnvelope,
    refuses: ["carrier_change_refused", "duplicate_order_number", "in_progress", "invalid_state"],
    example: { body: inputExample, reply: envelopeExample },
    async handle({ params, body }, context) {
      const { reply, version } = await replace(params.orderId, body, context);
      return new Answer(reply, { version });
    },
  }),

  cancel: del("/api/v1/orders/:orderId", {
    summary: "Cancel a carrier order, or delete an extracted order",
    description:
      "Cancelling a carrier order disables its link at once and releases its number; the order stays in lists. An order extracted from a file is deleted with its file and its evidence. Repeating the request returns 204.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, { env, caller, execute, send }) {
      if ((await send(commands.isRead, params.orderId, {})).isRead) {
        await execute(orderCommands.remove, params.orderId, {});
        return {};
      }
      const { reply } = await execute(commands.cancel, params.orderId, {});
      await releaseNumber(env, orderNumbers, caller.company, reply.orderNumber, params.orderId);
      return {};
    },
  }),

  upsert: post("/api/v1/orders/upsert", {
    summary: "Create or replace carrier orders by their number",
    description:
      "Accepts one order, or up to 100 in `items` with a result for each. A different carrier, compared as in `PUT`, gets a new link: the earlier link is disabled at once, and documents uploaded with it no longer count. `If-Match` is supported for a single order only and refuses with 412 to create one. `Unchanged` does not change the version and sends no event.",
    body: either(({ items }) => items !== undefined && items !== null, UpsertMany, CarrierOrderInput),
    ok: z.union([UpsertResult, UpsertResults]),
    refuses: ["in_progress", "invalid_state"],
    example: { body: inputExample, reply: { orderId, result: "Created", shareUrl } },
    handle: async ({ body }, context): Promise<Answer<z.input<typeof UpsertResult> | z.input<typeof UpsertResults>>> =>
      "items" in body ? upsertMany(body.items, context) : upsert(body, context),
  }),

  query: operationsOn<StoredOrder, Events>({ binding: "ORDERS", scope: "orders" }).post("/api/v1/orders/query", {
    summary: "Search carrier orders",
    description: "Newest first by default. A new order appears in the list after about a second.",
    body: QueryInput,
    isReadOnly: true,
    ok: listOf(CarrierOrderRow).extend({ continuationToken: nextCursorAlias }),
    example: {
      body: { statuses: ["AwaitingDocuments", "Rejected"], orderNumber: "CO-2026-*", limit: 20 },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0", continuationToken: "WyItY3JlYXRlZEF0Il0" },
    },
    async handle({ body }, { env, caller }) {
      const page = await queryCarrierOrders(env.ARCHIVE, caller.company, body);
      return { ...page, ...(page.nextCursor && { continuationToken: page.nextCursor }) };
    },
  }),

  upload: post("/api/v1/orders/:orderId/documents", {
    summary: "Upload a document for a carrier order",
    description:
      "The same bytes with the same type again return 200 with the existing document, unless it was superseded. For a raw body, send `documentType` in the query.",
    takesFile: true,
    query: z.object({ documentType: DocumentTypeChoice.optional() }),
    body: DocumentFields,
    ok: OrderDocumentView,
    status: 201,
    orStatus: 200,
    refuses: ["invalid_state"],
    example: { body: { documentType: "cmr" }, reply: documentExample },
    async handle({ params, query, body: { documentType = query.documentType, comment } }, context) {
      const { env, caller, file, newId: documentId } = context;
      if (!documentType) throw invalid([wrongField(["documentType"], "required", "documentType is required.")]);
      const order = { company: caller.company, orderId: params.orderId };
      const document = { documentId, type: documentType, ...(comment && { comment }), uploadedBy: "Company" as const };
      const { reply, ...more } = await uploadDocument(env, order, file!, document, context);
      const location = `/api/v1/orders/${params.orderId}/documents/${reply.documentId}/content`;
      return new Answer(reply, { ...more, headers: { location } });
    },
  }),

  content: get("/api/v1/orders/:orderId/documents/:documentId/content", {
    summary: "Download a document of a carrier order",
    returnsFile: true,
    ok: z.string().describe("The bytes as they were uploaded."),
    refuses: ["invalid_state"],
    async handle({ params }, { env, request, send }) {
      const file = await send(commands.paper, params.orderId, { documentId: params.documentId });
      return fileResponse(env.FILES, file, request);
    },
  }),

  removeDocument: del("/api/v1/orders/:orderId/documents/:documentId", {
    summary: "Delete a document of a carrier order",
    description:
      "Deletes the document with its bytes. The status of the order is derived from the remaining documents, and the page of the carrier no longer shows it. Deleting it again returns 204.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    command: commands.removePaper,
  }),

  judge: post("/api/v1/orders/:orderId/documents/:documentId/status", {
    summary: "Accept or reject a document of a carrier order",
    description:
      "An accepted document supersedes earlier documents of its type. An accepted document may still be rejected, and a rejected one accepted. The same status again changes nothing.",
    body: Verdict,
    ok: JudgedDocument,
    refuses: ["invalid_state"],
    example: {
      body: { status: "Rejected", reason: "The consignee's stamp cannot be read." },
      reply: { ...documentExample, orderStatus: "AwaitingDocuments" },
    },
    command: commands.judge,
  }),
};
