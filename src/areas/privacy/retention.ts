import * as z from "zod";
import type { RecordType } from "../../platform/registered.ts";
import type { Env } from "../../platform/env.ts";
import { type RetainedTable, type StoredRecord, records, storedRecords } from "../../records.ts";
import type { LedgerKind } from "../transactions/ledger.ts";
import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { commandsOn } from "../../platform/command.ts";
import { operationsOn } from "../../http/operation.ts";
import { type Company, localCompany } from "../companies/model.ts";

/** Names of the archive tables with a retention period. The entries of `audit` are not records. */
export type RetainedKind = RetainedTable | "audit";

/** Returns the declaration of a kind of record; undefined for the audit log. */
export const retainedRecord = (kind: RetainedKind): StoredRecord | undefined =>
  storedRecords.find(({ table, retention }) => table === kind && retention);

/** Kinds of ledger records with a retention period. */
export const ledgerKinds = {
  transactions: { kind: "lines", type: "Transaction" },
  transactionFeeds: { kind: "feeds", type: "TransactionFeed", folder: records.TransactionFeed.folder },
} as const satisfies Record<string, { kind: LedgerKind; type: RecordType; folder?: string }>;
export type RetainedInLedger = keyof typeof ledgerKinds;

/** The event log and the delivery logs of webhooks. Their entries are kept for at most 30 days. */
export const retainedLogs = ["events", "deliveries"] as const;
export type RetainedLog = (typeof retainedLogs)[number];

/** Retention period of each kind, in days after the last change. */
export type Retention = { [Kind in RetainedKind | RetainedInLedger | RetainedLog]?: number };

/**
 * Deletes the records that have not changed since `before`, batch by batch.
 * @param before ISO 8601
 * @param from position from which to continue; "" at the beginning
 * @returns the position after each batch
 */
export type Forgetting = (env: Env, company: string, before: string, from: string) => AsyncGenerator<string>;

/** Progress of the deletion of expired records: the kind of record, and the position within this kind. */
export interface RetentionPosition {
  kind: keyof Retention;
  after: string;
}

// Retention periods are part of the state of a company.

const { get, put } = operationsOn<Company, object>({ binding: "COMPANIES", scope: "accounts" });

const logDays = z.number().int().min(1).max(30).optional();
const days = z.number().int().min(1).max(3650).optional();

export const RetentionSettings = z
  .object({
    ...(Object.fromEntries(
      storedRecords.flatMap(({ table, retention }) =>
        table && retention ? [[table, retention.description ? days.describe(retention.description) : days]] : [],
      ),
    ) as Record<RetainedTable, typeof days>),
    transactions: days.describe("Transactions of fuel and toll cards; they are removed from the totals."),
    transactionFeeds: days.describe("Statements with their import results; their transactions are kept."),
    audit: days,
    events: logDays.describe("Events of `GET /api/v1/events` and of webhook replays; at most 30 days."),
    deliveries: logDays.describe("Completed deliveries in webhook logs; at most 30 days."),
  } satisfies Record<keyof Retention, unknown>)
  .meta({
    id: "RetentionSettings",
    description: "Number of days after the last change for which records of each kind are kept. Default: unlimited.",
  });

const kindNames = Object.keys(RetentionSettings.shape);

/** Refuses a body with only unknown kinds, so that a typing error does not remove all retention periods. */
const SomeRetention = z.preprocess((given, context) => {
  const names = Object.keys(z.record(z.string(), z.unknown()).safeParse(given).data ?? {});
  if (!names.some((name) => kindNames.includes(name)))
    for (const name of names)
      context.issues.push({
        code: "custom",
        input: given,
        path: [name],
        message: `Unknown kind of record. The kinds are ${kindNames.join(", ")}`,
        params: { code: "unknown_value" },
      });
  return given;
}, RetentionSettings) as unknown as typeof RetentionSettings;

const example: Retention = { mails: 90, documents: 730, audit: 365 };
const aDay = 24 * 60 * 60 * 1000;
const retaining = "privacy.retain";

const dueAfter = (at: string) => new Date(Date.parse(at) + aDay).toISOString();

/** Returns when expired records are deleted next, in milliseconds since 1970. */
export const nextRetention = ({ retentionDueAt }: Company): number | undefined =>
  retentionDueAt === undefined ? undefined : Date.parse(retentionDueAt);

/** Requests the job that deletes expired records, once a day. */
export function retentionDue(company: Company, at: string): { state: Company; jobs: string[] } {
  const { retentionDueAt, ...rest } = company;
  if (retentionDueAt === undefined || retentionDueAt > at) return { state: company, jobs: [] };
  return { state: { ...rest, retentionDueAt: dueAfter(at) }, jobs: [retaining] };
}

export const retentionCommands = commandsOn<Company, object>(
  "COMPANIES",
  "retention",
)({
  look: (company) => ({
    reply: { retention: company?.retention ?? {}, ...omitUndefined({ from: company?.retentionAt }) },
  }),

  /**
   * Records the progress of a run; without `to`, the deletion is complete. If two runs started at the same position,
   * only the progress of the first one counts.
   */
  came: (company, { from, to }: { from?: RetentionPosition; to?: RetentionPosition }) => {
    if (!company || !isDeepStrictEqual(company.retentionAt, from)) return { reply: {} };
    const { retentionAt: _, ...state } = company;
    if (to) return { state: { ...state, retentionAt: to }, jobs: [retaining], reply: {} };
    return { ...(from && { state }), completedJobs: [retaining], reply: {} };
  },
});

export const retentionOperations = {
  readRetention: get("/api/v1/privacy/retention", {
    summary: "Read the retention periods",
    ok: RetentionSettings,
    example: { reply: example },
    decide: (company) => ({ reply: company?.retention ?? {} }),
  }),

  updateRetention: put("/api/v1/privacy/retention", {
    summary: "Set the retention periods",
    description:
      "Replaces all settings: kinds that are not sent are kept without limit. Unknown kinds are ignored, unless there are no others (400). Immediately, and then every day, records that have not changed for that many days are deleted with their files and evidence, their events and their deliveries in webhook logs. This cannot be undone.",
    body: SomeRetention,
    ok: RetentionSettings,
    example: { body: example, reply: example },
    decide: (company, { body }, { at }) => {
      const { retention: _, retentionDueAt: __, retentionAt: ___, ...now } = company ?? localCompany(at);
      const retention: Retention = Object.fromEntries(Object.entries(body).filter(([, count]) => count !== undefined));
      if (Object.keys(retention).length === 0) return { state: now, reply: {} };
      return { state: { ...now, retention, retentionDueAt: dueAfter(at) }, jobs: [retaining], reply: retention };
    },
  }),
};
