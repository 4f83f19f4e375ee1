import * as z from "zod";
import { toStoredCard } from "../../domain/payment-cards.ts";
import { readCursor, writeCursor } from "../../platform/cursor.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { Problem } from "../../platform/problem.ts";
import { listOf, listParameters, defaultPageSize } from "../../platform/list-parameters.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, Currency, Id, QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { kinds, types } from "../../extraction/statements/index.ts";
import { latin } from "./normalize-lines.ts";
import {
  changeExample,
  feedExample,
  inputExample,
  reconciledExample,
  reconcileExample,
  totalExample,
  viewExample,
} from "./examples.ts";
import { ledgerOf, type TransactionFilter } from "./ledger.ts";
import { postFile, postItems } from "./post-feed.ts";
import { reconcile } from "./reconcile-invoice.ts";
import {
  anomalyTypes,
  FeedView,
  ReconcileView,
  summaryKinds,
  TotalView,
  TransactionView,
  statuses,
  viewOf,
} from "./model.ts";
import { ChangeInput, FeedInput, ReconcileInput } from "./input.ts";

const { get, post, put } = operationsOn({ binding: "LEDGERS", param: "transactionId", scope: "finance" });

const ListQuery = z.object({
  ...listParameters(["createdAt", "occurredAt"]),
  feedId: Id.optional(),
  provider: z.string().max(60).optional(),
  status: choice(statuses).optional(),
  kind: choice(kinds).optional(),
  type: choice(types).optional(),
  licensePlate: z.string().max(30).optional().describe("Case, blanks and dashes are ignored."),
  vehicleId: Id.optional(),
  driver: z.string().max(200).optional(),
  cardNumber: z.string().max(60).optional().describe("The number, or its last four characters."),
  countryCode: Country.optional(),
  currency: Currency.optional(),
  externalId: z.string().max(100).optional(),
  invoiceNumber: z.string().max(100).optional(),
  anomaly: choice(anomalyTypes).optional(),
  occurredFrom: QueryMoment.optional().describe("A date, or a date and time with offset."),
  occurredTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  summary: choice(summaryKinds)
    .optional()
    .describe("Returns totals of the matching transactions instead of the transactions."),
});
type ListQuery = z.output<typeof ListQuery>;

export const operations = {
  post: post("/api/v1/transactions-feed", {
    summary: "Import transactions of fuel and toll cards",
    description:
      "As JSON, up to 1000 at once; or a statement as a file: CSV (any delimiter, decimal separator, heading language and code page), XLSX, XLS, ODS or XML, in a form or as the raw body. Text files may have 512 MiB, workbooks 25 MiB. A short file is imported before the response. For a long file the response reports the progress, `status` is `Importing`, and `TransactionFeedImported` is sent at the end. A transaction that was imported before counts as a duplicate; it is identified by provider and number, otherwise by card, time, product and amount. A `Void` cancels its purchase, and so does a full refund within 30 days. Rows that cannot be imported are listed with their errors; totals and headings are skipped.",
    query: z.object({ provider: z.string().max(60).optional().describe("For a file sent as the raw body.") }),
    body: FeedInput,
    orFile: true,
    ok: FeedView,
    status: 202,
    waits: true,
    refuses: ["in_progress"],
    example: { body: inputExample, reply: feedExample },
    handle: async ({ query, body }, context) => (body ? postItems(body, context) : postFile(query, context)),
  }),

  list: get("/api/v1/transactions-feed", {
    summary: "List or summarise transactions",
    description:
      "Newest first. With `summary`, returns totals by vehicle, driver, country or month, for each currency, of the transactions that match the other parameters; voided and ignored transactions are not counted. Totals are not paged.",
    query: ListQuery,
    ok: listOf(z.union([TransactionView, TotalView])),
    example: { query: { status: "Flagged", licensePlate: "WGM 12345" }, reply: { items: [viewExample, totalExample] } },
    async handle({ query }, context) {
      const ledger = ledgerOf(context.env, context.caller.company);
      const wanted = toFilter(query, context);
      if (query.summary) return { items: await ledger.summary(query.summary, wanted) };
      const sort = query.sort ?? "-createdAt";
      const after =
        query.cursor === undefined
          ? undefined
          : readCursor(query.cursor, { list: "transactions", sort }, ["number", "number"]);
      const { items, next } = await ledger.list({ ...wanted, sort, limit: query.limit ?? 50, ...(after && { after }) });
      return {
        items: items.map(viewOf),
        ...(next && { nextCursor: writeCursor({ list: "transactions", sort }, next) }),
      };
    },
  }),

  feeds: get("/api/v1/transactions-feed/feeds", {
    summary: "List feeds",
    description: "Newest first.",
    query: z.object(listParameters(["createdAt"])),
    ok: listOf(FeedView),
    example: { reply: { items: [feedExample] } },
    async handle({ query }, { env, caller }) {
      const { sort = "-createdAt", limit = defaultPageSize, cursor, updatedSince } = query;
      const [after] = cursor === undefined ? [] : readCursor(cursor, { list: "feeds", sort }, ["string"]);
      const selection = { sort, limit: limit + 1, ...(after && { after }), ...(updatedSince && { updatedSince }) };
      const feeds = await ledgerOf(env, caller.company).feeds(selection);
      const items = feeds.slice(0, limit);
      return {
        items,
        ...(feeds.length > limit && { nextCursor: writeCursor({ list: "feeds", sort }, [items.at(-1)!.feedId]) }),
      };
    },
  }),

  readFeed: get("/api/v1/transactions-feed/feeds/:feedId", {
    summary: "Read a feed",
    ok: FeedView,
    example: { reply: feedExample },
    async handle({ params }, { env, caller }) {
      const feed = await ledgerOf(env, caller.company).feed(params.feedId);
      if (!feed) throw new Problem("not_found");
      return feed;
    },
  }),

  reconcile: post("/api/v1/transactions-feed/reconcile", {
    summary: "Reconcile transactions with an invoice",
    additionalScopes: ["documents:read"],
    description:
      "The invoice is an extracted document. If the transactions add up to its amount to the cent, those that are `Matched` become `Reconciled`; otherwise the response lists the lines missing on either side. Without `feedId` and period, the transactions with the invoice's number are used.",
    body: ReconcileInput,
    selects: true,
    ok: ReconcileView,
    refuses: ["not_found", "invalid_state"],
    example: { body: reconcileExample, reply: reconciledExample },
    handle: async ({ body }, context) => reconcile(body, context),
  }),

  read: get("/api/v1/transactions-feed/:transactionId", {
    summary: "Read a transaction",
    ok: TransactionView,
    example: { reply: viewExample },
    async handle({ params }, { env, caller }) {
      const transaction = await ledgerOf(env, caller.company).read(params.transactionId);
      if (!transaction) throw new Problem("not_found");
      return new Answer(viewOf(transaction), { version: transaction.version });
    },
  }),

  change: put("/api/v1/transactions-feed/:transactionId", {
    summary: "Update a transaction",
    description:
      "Changes only the fields that are sent. A vehicle makes an `Unmatched` or `Flagged` transaction `Matched`; another plate repeats the matching. `Flagged` and `Unmatched` can become `Matched` or `Ignored`, `Matched` can become `Reconciled` or `Flagged`, and all of these can become `Voided`. Identical values do not change the version.",
    body: ChangeInput,
    ok: TransactionView,
    refuses: ["invalid_state"],
    example: { body: changeExample, reply: { ...viewExample, ...changeExample } },
    async handle({ params, body }, { env, caller, request, by }) {
      const ifMatch = request.headers.get("if-match") ?? undefined;
      const outcome = await ledgerOf(env, caller.company).change(params.transactionId, body, ifMatch, by);
      if ("refused" in outcome) throw new Problem(outcome.refused, outcome.detail, outcome);
      return new Answer(viewOf(outcome.reply), { version: outcome.version });
    },
  }),
};

function toFilter(query: ListQuery, { env, caller }: Context): TransactionFilter {
  const { feedId, provider, status, kind, type, vehicleId, driver, countryCode, currency, externalId, invoiceNumber } =
    query;
  const { licensePlate, cardNumber, anomaly, occurredFrom, occurredTo, updatedSince, internalId } = query;
  const terms = {
    feedId,
    provider,
    status,
    kind,
    type,
    vehicleId,
    driver,
    country: countryCode,
    currency,
    externalId,
    invoiceNumber,
    internalId,
    licensePlate: licensePlate && latin(barePlate(licensePlate)),
  };
  const number = cardNumber?.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return {
    terms: Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)),
    ...(number && {
      card: number.length > 4 ? { digest: toStoredCard(env, caller.company, number).digest } : { last4: number },
    }),
    ...(anomaly && { anomaly }),
    ...(occurredFrom && { from: occurredFrom }),
    ...(occurredTo && { to: occurredTo }),
    ...(updatedSince && { updatedSince }),
  };
}
