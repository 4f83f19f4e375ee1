import { everyone } from "../../platform/archive/archive.ts";
import { Answer } from "../../http/responses.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { makeKey } from "../../platform/key-format.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { sealable } from "../../platform/seal.ts";
import type { Company, Key } from "../companies/model.ts";
import { example, SuspendInput, TenantKeyInput, TenantKeyView, TenantView } from "./model.ts";
import { deleted, resumed, commands, suspended } from "./commands.ts";
import { search } from "./search.ts";

const { get, post, put, del } = operationsOn<Company, object>({
  binding: "COMPANIES",
  param: "companyId",
  scope: "accounts",
});
const access = "operator" as const;
const suspendedExample: TenantView = {
  ...example,
  status: "Suspended",
  suspendedAt: "2026-11-23T09:00:00.000Z",
  suspendedReason: "Invoices are not paid",
  updatedAt: "2026-11-23T09:00:00.000Z",
};

export const operations = {
  list: get("/api/v1/companies", {
    summary: "List all companies of the deployment",
    description: "Newest first. A company appears about a second after it was created or changed.",
    access,
    query: search.query,
    ok: listOf(TenantView),
    example: { query: { status: "Active" }, reply: { items: [example] } },
    async handle({ query }, context) {
      const { items, ...more } = await search.list(context.env.ARCHIVE, everyone, query);
      return { items: await Promise.all(items.map((item) => withFacts(item, context))), ...more };
    },
  }),

  read: get("/api/v1/companies/:companyId", {
    summary: "Read a company of the deployment",
    access,
    ok: TenantView,
    example: { reply: example },
    command: commands.look,
  }),

  createKey: post("/api/v1/companies/:companyId/keys", {
    summary: "Create an administrator key for a company",
    description:
      "For a company whose keys were lost or compromised. The key is returned only in this response, and again for one day if the request is repeated with its Idempotency-Key and the deployment has `SEAL_KEYS` or `SEAL_KEY`.",
    access,
    body: TenantKeyInput,
    optionalBody: true,
    ok: TenantKeyView,
    status: 201,
    refuses: ["invalid_state"],
    example: {
      body: { revokeOthers: true, description: "After the old ones were lost" },
      reply: {
        companyId: example.companyId,
        keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000009",
        key: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000009.secret",
        createdAt: "2026-11-23T09:00:00.000Z",
        revokedKeys: 1,
      },
    },
    async handle({ params: { companyId }, body: { revokeOthers = false, description } }, context) {
      const { keyId, key: secret, hash } = await makeKey(companyId);
      const key: Key = {
        keyId,
        hash,
        scopes: ["*"],
        description: description ?? "Made by the operator",
        createdAt: new Date().toISOString(),
      };
      const { reply, ...more } = await context.execute(commands.addKey, companyId, {
        key,
        secret: sealable(secret, context.env),
        revokeOthers,
      });
      return new Answer({ companyId, ...reply, ...(!more.replayed && { key: secret }) }, more);
    },
  }),

  suspend: put("/api/v1/companies/:companyId/suspend", {
    summary: "Suspend a company",
    description:
      "Within seconds its keys and tokens are refused with 403 `company_suspended`. Its freights become `Suspended`, links for guests return 404, webhooks keep events for 14 days, and mails to it are rejected. No data is lost.",
    access,
    body: SuspendInput,
    optionalBody: true,
    ok: TenantView,
    refuses: ["invalid_state"],
    example: { body: { reason: "Invoices are not paid" }, reply: suspendedExample },
    decide: (company, { body }, { at, id }) => suspended(company, id, body, at),
  }),

  resume: put("/api/v1/companies/:companyId/resume", {
    summary: "Resume a suspended company",
    description:
      "Its keys and links work again, freights are published again at the price that their schedule has reached, and webhooks receive the waiting events. A company that is not suspended stays unchanged.",
    access,
    ok: TenantView,
    refuses: ["invalid_state"],
    example: { reply: example },
    decide: (company, _, { at, id }) => resumed(company, id, at),
  }),

  remove: del("/api/v1/companies/:companyId", {
    summary: "Delete a company and all its data",
    description:
      "Its keys are refused within seconds. Records, files, events, the audit log, webhooks and learned corrections are deleted in the background; `status` is `Deleting` until nothing is left, then `Deleted`. This cannot be undone. Repeating the request returns the status and, once the company is `Deleted`, also deletes data that was written since; this also happens automatically one day after the deletion.",
    access,
    ok: TenantView,
    status: 202,
    example: {
      reply: { ...suspendedExample, status: "Deleting", deletionRequestedAt: "2026-11-23T09:00:00.000Z" },
    },
    decide: (company, _, { at, id }) => deleted(company, id, at),
  }),
};

/** A row that an earlier release wrote lacks these facts. */
async function withFacts(item: TenantView, { env }: Context): Promise<TenantView> {
  if (item.name !== undefined || item.status === "Deleted") return item;
  const { companyId } = item;
  return executeCommand(env, commands.look, { company: companyId, id: companyId }, {}).then(
    ({ reply }) => reply,
    (error: unknown) => {
      if (error instanceof Problem && error.reason === "not_found") return item;
      throw error;
    },
  );
}
