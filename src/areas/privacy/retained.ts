import type { RecordType } from "../../platform/registered.ts";
import type { Env } from "../../platform/env.ts";
import { records, storedRecords, type RetainedTable, type StoredRecord } from "../../records.ts";
import type { LedgerKind } from "../transactions/ledger.ts";

/** Kinds of records that are kept for a time, by their tables; entries of the audit log are rows and nothing else. */
export type RetainedKind = RetainedTable | "audit";

/** The record of a retained kind; of entries of the audit log there is none. */
export const retainedRecord = (kind: RetainedKind): StoredRecord | undefined =>
  storedRecords.find(({ table, retention }) => table === kind && retention);

/** Kinds of things that a company's ledger keeps for so long. */
export const ledgerKinds = {
  transactions: { kind: "lines", type: "Transaction" },
  transactionFeeds: { kind: "feeds", type: "TransactionFeed", folder: records.TransactionFeed.folder },
} as const satisfies Record<string, { kind: LedgerKind; type: RecordType; folder?: string }>;
export type RetainedInLedger = keyof typeof ledgerKinds;

/** Logs of what has happened, and of what webhooks were sent: nothing stays there for longer than 30 days. */
export const retainedLogs = ["events", "deliveries"] as const;
export type RetainedLog = (typeof retainedLogs)[number];

/** Days after its last change that a thing of each kind is kept. */
export type Retention = { [Kind in RetainedKind | RetainedInLedger | RetainedLog]?: number };

/**
 * Forgets what has not changed since a moment, some at a time.
 * @param before ISO 8601
 * @param from where it goes on, "" at the beginning
 * @returns after each of them where it goes on
 */
export type Forgetting = (env: Env, company: string, before: string, from: string) => AsyncGenerator<string>;

/** How far it has come that what is older is forgotten. */
export interface RetentionPlace {
  kind: keyof Retention;
  after: string;
}
