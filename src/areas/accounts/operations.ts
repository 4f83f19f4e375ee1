import * as z from "zod";
import { refuse } from "../../platform/decision.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { paginate } from "../../http/paginate.ts";
import { listOf } from "../../platform/list-parameters.ts";
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
    summary: "Create an account",
    description:
      "An account is a person who acts for your company, identified by an e-mail address, or a carrier that you know. It owns the freights whose `owner` is that address and everything that its keys create. Each address has at most one account: 409 `invalid_state` returns the existing one in `accountId`.",
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
    async handle({ query }, { caller, send }) {
      const all = await send(commands.all, caller.company, {});
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
      return paginate(wanted, { ...query, list: "accounts", sort: query.sort ?? "-createdAt", id: "accountId" });
    },
  }),

  block: put("/api/v1/accounts/block", {
    summary: "Block an account",
    description:
      "Selects the account by id or address. Within 10 seconds its keys are refused with 403 `account_blocked`. Its freights become `Suspended`: their price stops growing, and neither the board nor links show them. The links of its carrier orders stop working, and its webhooks are paused. Freights are no longer shown to a blocked address. With `until` the account is unblocked automatically. A key cannot block its own account.",
    body: BlockInput,
    ok: AccountView,
    refuses: ["not_found", "invalid_state"],
    example: { body: { email, reason: "Left the company" }, reply: blockedExample },
    decide: (company, { body }, context) => blocked(company, body, context),
  }),

  unblock: put("/api/v1/accounts/unblock", {
    summary: "Unblock an account",
    description:
      "Everything that has not expired continues: freights are published again at the price that their schedule has reached, share tiers that came due meanwhile are sent, links work again, and webhooks receive the waiting events of the last 14 days. An account that is not blocked stays unchanged.",
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
    summary: "Update an account",
    description:
      "Replaces role, name and phone; `metadata` is kept if it is not sent. The permissions of its keys follow the role.",
    body: AccountChange,
    ok: AccountView,
    example: { body: change, reply: example },
    decide: (company, { params, body }, { at }) => changed(company, params.accountId, body, at),
  }),

  remove: del("/api/v1/accounts/:accountId", {
    summary: "Remove an account",
    description:
      "Revokes its keys and stops the webhooks created with them; everything else it created is kept. A blocked account must be unblocked first. A key cannot remove its own account.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    decide: (company, { params }, context) => removed(company, params.accountId, context),
  }),
};
