import * as z from "zod";
import { fileAnswer } from "../../http/file-response.ts";
import { Answer } from "../../http/responses.ts";
import { releaseNumber } from "../../platform/unique-numbers.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import { either } from "../../domain/shapes.ts";
import { commands as orderCommands } from "../orders/commands.ts";
import { documentExample, envelopeExample, inputExample, orderId, shareUrl } from "./examples.ts";
import { takePaper } from "./upload-document.ts";
import { orderNumbers } from "./numbers.ts";
import type { Events } from "./order.ts";
import { query } from "./query.ts";
import {
  CarrierOrderEnvelope,
  CarrierOrderInput,
  DocumentFields,
  DocumentTypeChoice,
  JudgedDocument,
  OrderDocumentView,
  UpsertMany,
  UpsertResult,
  UpsertResults,
  Verdict,
} from "./shapes.ts";
import { commands, type Kept } from "./commands.ts";
import { replace, upsert, upsertMany } from "./upsert.ts";

const { get, post, put, del } = operationsOn<Kept, Events>({ binding: "ORDERS", param: "orderId", scope: "orders" });

export const operations = {
  update: put("/api/v1/orders/:orderId", {
    summary: "Replace a carrier order",
    description:
      "Replaces what the body names; `metadata` stays when it is not sent. Another carrier is refused (409): one with another VAT code or, unless both VAT codes are known, with another name. VAT codes are compared without country prefix (where one has none), blanks and punctuation, names without case, accents, blanks and punctuation. What is sent as it was changes no version and sends no event.",
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
    summary: "Cancel a carrier order, or delete one that was read from a file",
    description:
      "Of a carrier order the link is dead at once, the number is free again, and the archive keeps it. An order that was read from a file is deleted with its file and its evidence. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, { env, caller, execute, look }) {
      if ((await look(commands.isRead, params.orderId, {})).isRead) {
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
      "One order, or `items` with up to 100, each answered by itself. Another carrier, compared as by `PUT`, gets another link. The link before is dead at once, and what came under it no longer counts. `If-Match` goes with one order only, and refuses (412) to make one. `Unchanged` raises no version and sends no event.",
    body: either(({ items }) => items !== undefined && items !== null, UpsertMany, CarrierOrderInput),
    ok: z.union([UpsertResult, UpsertResults]),
    refuses: ["in_progress", "invalid_state"],
    example: { body: inputExample, reply: { orderId, result: "Created", shareUrl } },
    handle: async ({ body }, context): Promise<Answer<z.input<typeof UpsertResult> | z.input<typeof UpsertResults>>> =>
      "items" in body ? upsertMany(body.items, context) : upsert(body, context),
  }),

  query,

  upload: post("/api/v1/orders/:orderId/documents", {
    summary: "Hand in a document of a carrier order",
    description:
      "The same bytes of the same type again answer 200 with the document that is there, unless it was superseded. What is sent as the raw body has its `documentType` in the query.",
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
      const place = { company: caller.company, orderId: params.orderId };
      const said = { documentId, type: documentType, ...(comment && { comment }), uploadedBy: "Company" as const };
      const { reply, ...more } = await takePaper(env, place, file!, said, context);
      const location = `/api/v1/orders/${params.orderId}/documents/${reply.documentId}/content`;
      return new Answer(reply, { ...more, headers: { location } });
    },
  }),

  content: get("/api/v1/orders/:orderId/documents/:documentId/content", {
    summary: "Download a document of a carrier order",
    givesFile: true,
    ok: z.string().describe("The bytes as they were handed in."),
    refuses: ["invalid_state"],
    async handle({ params }, { env, request, look }) {
      const file = await look(commands.paper, params.orderId, { documentId: params.documentId });
      return fileAnswer(env.FILES, file, request);
    },
  }),

  removeDocument: del("/api/v1/orders/:orderId/documents/:documentId", {
    summary: "Delete a document of a carrier order",
    description:
      "With its bytes; the status of the order follows from the documents that are left. The link of the carrier shows it no more. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    command: commands.removePaper,
  }),

  judge: post("/api/v1/orders/:orderId/documents/:documentId/status", {
    summary: "Accept or reject a document of a carrier order",
    description:
      "An accepted document supersedes earlier ones of its type. An accepted one may still be rejected and the other way round. The same status again changes nothing.",
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
