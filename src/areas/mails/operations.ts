import * as z from "zod";
import { fileResponse } from "../../http/file-response.ts";
import { operationsOn } from "../../http/operation.ts";
import { refuse } from "../../platform/decision.ts";
import { commands } from "./commands.ts";
import { MailView, viewOf, type events, type Mail } from "./model.ts";
import { search } from "./search.ts";
import { settingsOperations } from "./settings.ts";

const { get } = operationsOn<Mail, typeof events>({ binding: "MAILS", param: "mailId", scope: "documents" });

/** Also required to read mails, because they may contain orders, requests for quotes, fines and statements. */
const otherScopes = ["orders:read", "freights:read", "finance:read"] as const;

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

export const operations = {
  ...settingsOperations,

  list: get("/api/v1/mails", {
    summary: "List incoming mails",
    description:
      "Newest first. Each mail is classified, and its files, or the mail itself, are posted to the operation that extracts them: orders, requests for quotes, documents, card statements, and fines, which are assigned to drivers if the company has vehicles.",
    additionalScopes: otherScopes,
    ...search.listing(MailView),
    example: { query: { label: "Order" }, reply: { items: [example] } },
  }),

  read: get("/api/v1/mails/:mailId", {
    summary: "Read an incoming mail",
    additionalScopes: otherScopes,
    ok: MailView,
    example: { reply: example },
    decide: (state, _, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  file: get("/api/v1/mails/:mailId/file", {
    summary: "Download an incoming mail",
    additionalScopes: otherScopes,
    returnsFile: true,
    ok: z.string().describe("The original bytes, `message/rfc822`."),
    async handle({ params }, { env, request, send }) {
      const { file } = await send(commands.look, params.mailId, {});
      return fileResponse(env.FILES, file, request);
    },
  }),
};
