import * as z from "zod";
import { refuse } from "../../platform/decision.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { pageOf } from "../../http/pages.ts";
import { listOf } from "../../platform/lists.ts";
import type { Company } from "../companies/model.ts";
import {
  AccountChange,
  AccountInput,
  AccountView,
  BlockInput,
  type Events,
  ListQuery,
  UnblockInput,
  viewOf,
} from "./model.ts";
import { blockedExample, example, inputExample } from "./examples.ts";
import { accountOf, blocked, changed, removed, commands, unblocked } from "./commands.ts";

const { get, post, put, del } = operationsOn<Company, Events>({ binding: "COMPANIES", scope: "accounts" });

const { email } = inputExample;
const change = { role: "forwarder" as const, name: "Anna Przykładowa" };

export const operations = {
  create: post("/api/v1/accounts", {
    summary: "Make an account",
    description:
      "Somebody who acts for your company, named by an e-mail address, or a carrier you know. Freights whose `owner` is that address are the account's, and so is what its keys make. An address has one account: 409 `invalid_state` names it in `accountId`.",
    body: AccountInput,
    ok: AccountView,
    status: 201,
    refuses: ["invalid_state"],
    example: { body: inputExample, reply: example },
    async handle({ body }, context) {
      const { reply, ...more } = await context.execute(commands.add, context.caller.company, {
        said: body,
        accountId: context.newId,
      });
      return new Answer(reply, { ...more, headers: { location: `/api/v1/accounts/${reply.accountId}` } });
    },
  }),

  list: get("/api/v1/accounts", {
    summary: "List accounts",
    query: ListQuery,
    ok: listOf(AccountView),
    example: { query: { status: "Active" }, reply: { items: [example] } },
    async handle({ query }, { caller, look }) {
      const all = await look(commands.all, caller.company, {});
      const { status, role, updatedSince = "", text } = query;
      const wanted = all.filter(
        (one) =>
          (!status || one.status === status) &&
          (!role || one.role === role) &&
          (!query.email || one.email.toLowerCase() === query.email.trim().toLowerCase()) &&
          (!query.internalId || one.metadata?.["internalId"] === query.internalId) &&
          (!text || `${one.name ?? ""} ${one.email}`.toLowerCase().includes(text.trim().toLowerCase())) &&
          one.updatedAt >= updatedSince,
      );
      return pageOf(wanted, { ...query, list: "accounts", sort: query.sort ?? "-createdAt", id: "accountId" });
    },
  }),

  block: put("/api/v1/accounts/block", {
    summary: "Block an account",
    description:
      "By its id or its address. Its keys are refused everywhere within 10 seconds, with 403 `account_blocked`; its freights are `Suspended`: their price stands still, and neither the board nor a link shows them; the links of its carrier orders lead nowhere, and its webhooks wait. Freights are no longer shown to an address that is blocked. With `until` it is unblocked by itself. Nobody blocks the account of the key that asks.",
    body: BlockInput,
    ok: AccountView,
    refuses: ["not_found", "invalid_state"],
    example: { body: { email, reason: "Left the company" }, reply: blockedExample },
    decide: (company, { body }, context) => blocked(company, body, context),
  }),

  unblock: put("/api/v1/accounts/unblock", {
    summary: "Unblock an account",
    description:
      "What is still in time goes on: freights are published again at the price their schedule has by then, tiers that came due are shown them, links lead where they led, and webhooks get what waited, of the last 14 days. One that is not blocked stays as it is.",
    body: UnblockInput,
    ok: AccountView,
    refuses: ["not_found"],
    example: { body: { email }, reply: example },
    decide: (company, { body }, { at }) => unblocked(company, body, at),
  }),

  read: get("/api/v1/accounts/:accountId", {
    summary: "Read an account",
    ok: AccountView,
    example: { reply: example },
    decide: (company, { params }, { at }) => {
      const account = accountOf(company, params);
      return account ? { reply: viewOf(account, at) } : refuse("not_found");
    },
  }),

  update: put("/api/v1/accounts/:accountId", {
    summary: "Say what an account is",
    description:
      "Role, name and phone are replaced, `metadata` stays when it is not sent. What its keys may do follows the role.",
    body: AccountChange,
    ok: AccountView,
    example: { body: change, reply: example },
    decide: (company, { params, body }, { at }) => changed(company, params.accountId, body, at),
  }),

  remove: del("/api/v1/accounts/:accountId", {
    summary: "Remove an account",
    description:
      "Its keys are revoked, and the webhooks made with them stop; what else it has made stays. One that is blocked is unblocked first. The account of the key that asks is not removed.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    decide: (company, { params }, context) => removed(company, params.accountId, context),
  }),
};
