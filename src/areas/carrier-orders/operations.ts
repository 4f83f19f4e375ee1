import * as z from "zod";
import { fileAnswer } from "../../kit/files.ts";
import { Answer } from "../../kit/http.ts";
import { newId } from "../../kit/ids.ts";
import { operationsOn, type Context } from "../../kit/operation.ts";
import type { Outcome } from "../../kit/operation.ts";
import { invalid, Problem, wrongField } from "../../kit/problem.ts";
import { either } from "../../kit/shapes.ts";
import { documentExample, envelopeExample, inputExample, orderId, shareUrl } from "./example.ts";
import { releaseNumber, renaming, takeNumber } from "./numbers.ts";
import { isSameNumber, type Events } from "./order.ts";
import { query } from "./query.ts";
import { takePaper } from "./hand-in.ts";
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
  type NewCarrierOrder,
} from "./shapes.ts";
import { steps, type Kept, type Said } from "./steps.ts";

/** Orders of one upsert that are made at the same time. */
const atOnce = 8;
/** How often an upsert looks for the order of its number anew. */
const mostAttempts = 5;

const { get, post, put, del } = operationsOn<Kept, Events>({ binding: "ORDERS", param: "orderId", scope: "orders" });

export const operations = {
  update: put("/api/v1/orders/:orderId", {
    summary: "Replace a carrier order",
    description:
      "Replaces what the body names; `metadata` stays when it is not sent. The carrier stays the one it was, told by its VAT code, else by its name. What is sent as it was changes no version and sends no event.",
    body: CarrierOrderInput,
    ok: CarrierOrderEnvelope,
    refuses: ["carrier_change_refused", "duplicate_order_number", "in_progress", "invalid_state"],
    example: { body: inputExample, reply: envelopeExample },
    async handle({ params, body }, context) {
      const { reply, version } = await replace(params.orderId, saidIn(body), context);
      return new Answer(reply, { version });
    },
  }),

  cancel: del("/api/v1/orders/:orderId", {
    summary: "Cancel a carrier order",
    description: "Its link is dead at once, its number is free again, and the archive keeps it. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    async handle({ params }, { env, caller, perform }) {
      const { reply } = await perform(steps.cancel, params.orderId, {});
      await releaseNumber(env, caller.company, reply.orderNumber, params.orderId);
      return {};
    },
  }),

  upsert: post("/api/v1/orders/upsert", {
    summary: "Create or replace carrier orders by their number",
    description:
      "One order, or `items` with up to 100, each answered by itself. Another VAT code of the carrier makes another link; the one before is dead at once, and what came under it no longer counts. `Unchanged` raises no version and sends no event.",
    body: either((given) => "items" in given, UpsertMany, CarrierOrderInput),
    ok: z.union([UpsertResult, UpsertResults]),
    refuses: ["in_progress", "invalid_state"],
    example: { body: inputExample, reply: { orderId, result: "Created", shareUrl } },
    async handle({ body }, context) {
      if ("items" in body) return upsertMany(body.items, context);
      const { reply, version, replayed } = await upsert(body, context.newId, context);
      return new Answer(reply, { version, replayed, headers: { location: `/api/v1/orders/${reply.orderId}` } });
    },
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
      const file = await look(steps.paper, params.orderId, { documentId: params.documentId });
      return fileAnswer(env.FILES, file, request);
    },
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
    async handle({ params, body }, { perform }) {
      const { reply, ...more } = await perform(steps.judge, params.orderId, { ...body, documentId: params.documentId });
      return new Answer(reply, more);
    },
  }),
};

/** A new carrier order: the form of `POST /api/v1/orders` that is no document. @throws Problem `duplicate_order_number` */
export async function create(
  body: CarrierOrderInput,
  context: Context,
): Promise<Answer<z.output<typeof NewCarrierOrder>>> {
  const holder = await orderFor(body, context.newId, context);
  const { reply, ...more } = await context.perform(steps.create, holder, saidIn(body));
  return new Answer(reply, { ...more, status: 201, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

const saidIn = ({ metadata, ...given }: CarrierOrderInput): Said => ({ given, ...(metadata && { metadata }) });

/** The order that has a number. A repeated request is about the one it made, whatever number that has by now. */
async function orderFor(
  { orderNumber }: CarrierOrderInput,
  wanted: string,
  { env, caller, request, newId: repeated, look }: Context,
): Promise<string> {
  const isRepeatable = wanted === repeated && request.headers.has("idempotency-key");
  const { made } = isRepeatable ? await look(steps.number, wanted, {}) : {};
  return made ? wanted : takeNumber(env, caller.company, orderNumber, wanted);
}

type Replaced = Outcome<z.output<typeof CarrierOrderEnvelope>>;

async function replace(id: string, said: Said, context: Context): Promise<Replaced> {
  const { env, caller } = context;
  return (
    (await replaceAsNumbered(id, said, context)) ??
    renaming(
      env,
      caller.company,
      id,
      async () => (await replaceAsNumbered(id, said, context)) ?? rename(id, said, context),
    )
  );
}

/** @returns undefined and changes nothing when the order has another number */
async function replaceAsNumbered(id: string, said: Said, { perform }: Context): Promise<Replaced | undefined> {
  const { reply, ...more } = await perform(steps.replace, id, said);
  return reply === "Renamed" ? undefined : { reply: reply.envelope, ...more };
}

/** The new number is taken first and the old one given back last: no moment leaves the order without one. */
async function rename(id: string, said: Said, { env, caller, perform }: Context): Promise<Replaced> {
  const { orderNumber } = said.given;
  if ((await takeNumber(env, caller.company, orderNumber, id)) !== id)
    throw new Problem("duplicate_order_number", `There is another order ${orderNumber}.`);
  try {
    const { reply, ...more } = await perform(steps.replace, id, { ...said, held: true });
    if (reply === "Renamed") throw new Error("A number that is held is not asked for again.");
    await releaseNumber(env, caller.company, reply.before, id);
    return { reply: reply.envelope, ...more };
  } catch (error) {
    if (error instanceof Problem) await releaseNumber(env, caller.company, orderNumber, id);
    throw error;
  }
}

/** The order that has the number may be cancelled or renamed before it is asked: then the number leads to another. */
async function upsert(body: CarrierOrderInput, wanted: string, context: Context): Promise<Outcome<UpsertResult>> {
  for (let attempt = 1; ; attempt++) {
    const holder = await orderFor(body, wanted, context);
    try {
      return await context.perform(steps.upsert, holder, saidIn(body));
    } catch (error) {
      const isAnother = error instanceof Problem && error.reason === "in_progress";
      if (!isAnother || attempt === mostAttempts) throw error;
    }
  }
}

/** All are looked at before any is written; then each stands by itself. */
async function upsertMany(
  items: CarrierOrderInput[],
  context: Context,
): Promise<Answer<z.input<typeof UpsertResults>>> {
  refuseTwins(items);
  const results: z.input<typeof UpsertResults>["items"] = [];
  let replayed = true;
  for (let start = 0; start < items.length; start += atOnce) {
    const outcomes = await Promise.all(items.slice(start, start + atOnce).map((item) => upsertOne(item, context)));
    results.push(...outcomes.map(({ result }) => result));
    replayed &&= outcomes.every((outcome) => outcome.replayed);
  }
  return new Answer({ items: results }, { replayed });
}

async function upsertOne(item: CarrierOrderInput, context: Context) {
  const { orderNumber } = item;
  try {
    const { reply, replayed } = await upsert(item, newId(), context);
    return { result: { orderNumber, ...reply }, replayed };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { result: { orderNumber, errorCode: error.reason, detail: error.message }, replayed: true };
  }
}

function refuseTwins(items: CarrierOrderInput[]): void {
  const numbers = items.map(({ orderNumber }) => orderNumber);
  const twins = numbers.flatMap((number, index) =>
    numbers.findIndex((one) => isSameNumber(one, number)) < index ? [index] : [],
  );
  if (twins.length > 0)
    throw invalid(
      twins.map((index) =>
        wrongField(["items", index, "orderNumber"], "duplicate", `${numbers[index]} is there twice.`),
      ),
    );
}
