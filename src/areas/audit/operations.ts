import * as z from "zod";
import { anyOf } from "../../platform/archive/archive.ts";
import { requireScope } from "../../http/caller.ts";
import { holds, type Caller, type Scope } from "../../platform/credential.ts";
import type { RecordType } from "../../platform/registered.ts";
import { records } from "../../records.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { search } from "./search.ts";

const { get } = operationsOn({ binding: "COMPANIES", scope: "accounts" });

const AuditEntryView = z
  .object({
    auditId: z.string(),
    at: z.string(),
    operation: z.string().describe("The operation: `freights.withdraw`."),
    actor: z.object({
      type: z
        .enum(["Key", "Link", "Mail", "Operator"])
        .describe("A key, a link without an account, a received mail, or the operator of the deployment."),
      keyId: z.string().optional(),
      accountId: z.string().optional().describe("The account that owns the key."),
      shareId: z.string().optional().describe("The share whose link was used."),
      mailId: z.string().optional(),
    }),
    resource: z.object({
      type: z.string(),
      id: z.string(),
      version: z.number().int().describe("Version after the change."),
    }),
    about: z.string().optional().describe("The changed part, such as the id of a key or of an account."),
    requestId: z.string().optional().describe("`X-Request-Id` of the response."),
  })
  .meta({ id: "AuditEntry" });
type AuditEntryView = z.output<typeof AuditEntryView>;

const example: AuditEntryView = {
  auditId: "0193a5f3-4c2d-7e10-8f31-0a1b2c3d4e5f",
  at: "2026-11-23T09:00:00.000Z",
  operation: "accounts.block",
  actor: {
    type: "Key",
    keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000001",
    accountId: "0193a5f1-9a2c-7d11-8b3e-4c5d6e7f8090",
  },
  resource: { type: "Company", id: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31", version: 7 },
  about: "0193a5f1-9a2c-7d11-8b3e-4c5d6e7f8091",
  requestId: "0193a5f3-4c2c-7a01-9d2b-5f0c3e1a8b77",
};

const recordTypes = Object.keys(records) as RecordType[];
const scopeOf = (type: RecordType): Scope => `${records[type].scope}:read`;

const readableTypes = (caller: Caller) => recordTypes.filter((type) => holds(caller, scopeOf(type)));

export const operations = {
  list: get("/api/v1/audit", {
    summary: "Search the audit log",
    description:
      "One entry for each requested change, newest first: the key, its account, the operation and the changed resource. The entry is written in the same commit as the change and appears here after one or two seconds. Changes by time or background jobs are reported as events instead. Changes of records that the key may not read are omitted.",
    query: search.query,
    ok: listOf(AuditEntryView),
    example: { query: { operation: "accounts.block" }, reply: { items: [example] } },
    async handle({ query }, { env, caller }) {
      const requestedType = recordTypes.find((type) => type === query.resourceType);
      if (requestedType) requireScope(caller, scopeOf(requestedType));
      const readable = readableTypes(caller);
      return search.list(
        env.ARCHIVE,
        caller.company,
        query,
        readable.length < recordTypes.length
          ? { terms: [anyOf(...readable.map((type) => `resourceType:${type}`))] }
          : undefined,
      );
    },
  }),
};
