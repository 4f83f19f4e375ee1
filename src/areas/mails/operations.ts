import * as z from "zod";
import { anyOf, listArchive } from "../../platform/archive/archive.ts";
import { fileResponse } from "../../http/file-response.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/lists.ts";
import { refuse } from "../../platform/decision.ts";
import { viewOf, type events, type Mail } from "./mail.ts";
import { settingsOperations } from "./settings.ts";
import { ListQuery, MailView } from "./shapes.ts";
import { commands } from "./commands.ts";

const { get } = operationsOn<Mail, typeof events>({ binding: "MAILS", param: "mailId", scope: "documents" });

/** A mail holds whatever can be made of it: orders, requests, documents, fines and statements. */
const ofAnyMail = ["orders:read", "freights:read", "finance:read"] as const;

const example: MailView = {
  mailId: "0193a5f2-9e40-4c1d-8a77-1b2c3d4e5f60",
  status: "Routed",
  from: "spedition@beispiel.de",
  subject: "Transport order BS-26-04711",
  messageId: "<4711@beispiel.de>",
  label: "Order",
  kind: "order",
  routed: [{ path: "/api/v1/orders/file", attachment: "BS-26-04711.pdf", id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77" }],
  answer: { status: "Sent", at: "2026-11-20T09:30:02.000Z" },
  sizeBytes: 48_211,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:02.000Z",
};

const exact = ["status", "label", "kind"] as const;

export const operations = {
  ...settingsOperations,

  list: get("/api/v1/mails", {
    summary: "List incoming mails",
    description:
      "Newest first. Each mail is classified, and its files, or the mail itself, are posted to the operation that extracts them: orders, requests for quotes, documents, card statements, and fines, which are assigned to drivers if the company has vehicles.",
    additionalScopes: ofAnyMail,
    query: ListQuery,
    ok: listOf(MailView),
    example: { query: { label: "Order" }, reply: { items: [example] } },
    handle: async ({ query }, { env, caller }) =>
      listArchive<MailView>(env.ARCHIVE, {
        table: "mails",
        company: caller.company,
        terms: [
          ...exact.flatMap((name) => (query[name] === undefined ? [] : [anyOf(`${name}:${query[name]}`)])),
          ...(query.from ? [anyOf(`from:${query.from.trim().toLowerCase()}`)] : []),
        ],
        ranges: [
          { column: "createdAt", from: query.createdFrom, to: query.createdTo },
          { column: "updatedAt", from: query.updatedSince },
        ],
        text: query.text,
        sort: query.sort ?? "-createdAt",
        limit: query.limit ?? 50,
        cursor: query.cursor,
      }),
  }),

  read: get("/api/v1/mails/:mailId", {
    summary: "Read an incoming mail",
    additionalScopes: ofAnyMail,
    ok: MailView,
    example: { reply: example },
    decide: (state, _, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  file: get("/api/v1/mails/:mailId/file", {
    summary: "Download an incoming mail",
    additionalScopes: ofAnyMail,
    returnsFile: true,
    ok: z.string().describe("The original bytes, `message/rfc822`."),
    async handle({ params }, { env, request, send }) {
      const { file } = await send(commands.look, params.mailId, {});
      return fileResponse(env.FILES, file, request);
    },
  }),
};
