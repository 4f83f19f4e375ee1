import type { Env, AggregateBinding } from "../../platform/env.ts";
import type { LedgerKind } from "../transactions/ledger.ts";

/** A kind of things, as objects, events and folders name it. */
interface Kind {
  binding?: AggregateBinding;
  noun?: string;
  folder?: string;
  onlyWhere?: string;
}

const kinds = {
  orders: { binding: "ORDERS", noun: "Order", folder: "orders" },
  opportunities: { binding: "OPPORTUNITIES", noun: "Opportunity", folder: "opportunities" },
  documents: { binding: "DOCUMENTS", noun: "Document", folder: "documents" },
  driversDocuments: { binding: "DRIVERS_DOCUMENTS", noun: "DriverDocument", folder: "drivers-documents" },
  freights: { binding: "FREIGHTS", noun: "Freight", onlyWhere: "and archivedAt > ''" },
  feedback: { binding: "FEEDBACK", noun: "Feedback" },
  mails: { binding: "MAILS", noun: "Mail", folder: "mails" },
  automations: { binding: "AUTOMATIONS", noun: "Automation", folder: "automations" },
  audit: {},
} as const satisfies Record<string, Kind>;
export type RetainedKind = keyof typeof kinds;

/** Kinds of things that are kept for so long, as tables of the archive; entries of the audit log are rows and nothing else. */
export const retainedKinds: Record<RetainedKind, Kind> = kinds;

/** Kinds of things that a company's ledger keeps for so long. */
export const ledgerKinds = {
  transactions: { kind: "lines", noun: "Transaction" },
  transactionFeeds: { kind: "feeds", noun: "TransactionFeed", folder: "transactions-feed" },
} as const satisfies Record<string, { kind: LedgerKind; noun: string; folder?: string }>;
export type RetainedInLedger = keyof typeof ledgerKinds;

/** Kinds of things that are found by their folders, for those of earlier releases have no row. */
export const folderKinds = {
  quality: { binding: "QUALITY", noun: "Quality", folder: "quality" },
  documentCollections: { binding: "DOCUMENT_COLLECTIONS", noun: "DocumentCollection", folder: "document-collections" },
} as const satisfies Record<string, { binding: AggregateBinding; noun: string; folder: string }>;
export type RetainedInFolders = keyof typeof folderKinds;

/** Logs of what has happened, and of what webhooks were sent: nothing stays there for longer than 30 days. */
export const retainedLogs = ["events", "deliveries"] as const;
export type RetainedLog = (typeof retainedLogs)[number];

/** Days after its last change that a thing of each kind is kept. */
export type Retention = { [Kind in RetainedKind | RetainedInLedger | RetainedInFolders | RetainedLog]?: number };

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
