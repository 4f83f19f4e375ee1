import type { ScopeArea } from "./platform/credential.ts";

/** Properties of a kind of record. */
export interface RecordFacts {
  /** Binding of its Durable Object in `wrangler.toml`; absent for a part of another record. */
  binding?: string;
  scope: ScopeArea;
  table?: string;
  /** Folder of its files in R2, within the folder of the company. */
  folder?: string;
  /** Records of earlier releases have no row in the archive and are found by their folders. */
  isFoundByFolder?: true;
  /** A company may configure the retention of these records. */
  retention?: { description?: string; onlyWhere?: string };
  /**
   * A record may be overdue if its archive row has this status, or its column `dueAt` has passed. Its alarm may have
   * been lost, so `src/reconcile.ts` calls the record.
   */
  overdue?: { status: string } | "dueAt";
}

/**
 * Every kind of record, by its type in events and in the audit log. Bindings, scopes, files, retention, reconciliation,
 * erasure and the deletion of a company are derived from it. The event catalogue has the same order.
 */
export const records = {
  Order: {
    binding: "ORDERS",
    scope: "orders",
    table: "orders",
    folder: "orders",
    retention: { description: "Orders of both kinds, with their files, evidence and uploaded documents." },
    overdue: { status: "Processing" },
  },
  Opportunity: {
    binding: "OPPORTUNITIES",
    scope: "freights",
    table: "opportunities",
    folder: "opportunities",
    retention: {},
    overdue: { status: "Processing" },
  },
  Document: {
    binding: "DOCUMENTS",
    scope: "documents",
    table: "documents",
    folder: "documents",
    retention: {},
    overdue: { status: "Processing" },
  },
  DocumentCollection: {
    binding: "DOCUMENT_COLLECTIONS",
    scope: "documents",
    table: "documentCollections",
    folder: "document-collections",
    isFoundByFolder: true,
    retention: { description: "Uploaded collections; documents that were extracted from them are kept." },
    overdue: { status: "Processing" },
  },
  Quality: {
    binding: "QUALITY",
    scope: "documents",
    table: "quality",
    folder: "quality",
    isFoundByFolder: true,
    retention: { description: "Files whose readability was assessed." },
    overdue: { status: "Processing" },
  },
  DriverDocument: {
    binding: "DRIVERS_DOCUMENTS",
    scope: "documents",
    table: "driversDocuments",
    folder: "drivers-documents",
    retention: {},
    overdue: "dueAt",
  },
  Freight: {
    binding: "FREIGHTS",
    scope: "freights",
    table: "freights",
    retention: {
      description: "Archived freights with their offers; live freights are kept.",
      onlyWhere: "and archivedAt > ''",
    },
    overdue: "dueAt",
  },
  Company: { binding: "COMPANIES", scope: "accounts" },
  Transactions: { binding: "LEDGERS", scope: "finance" },
  Transaction: { scope: "finance" },
  TransactionFeed: { scope: "finance", folder: "transactions-feed" },
  Automation: {
    binding: "AUTOMATIONS",
    scope: "finance",
    table: "automations",
    folder: "automations",
    retention: {},
    overdue: "dueAt",
  },
  Subscription: { binding: "SUBSCRIPTIONS", scope: "webhooks" },
  Feedback: {
    binding: "FEEDBACK",
    scope: "documents",
    table: "feedback",
    retention: { description: "Feedback as it was sent; what was learned from it is kept." },
  },
  Mail: {
    binding: "MAILS",
    scope: "documents",
    table: "mails",
    folder: "mails",
    retention: {},
    overdue: { status: "Received" },
  },
  Vehicle: { binding: "VEHICLES", scope: "fleet", table: "vehicles" },
  Sender: { binding: "SENDERS", scope: "documents" },
  PrivacyRequest: { binding: "PRIVACY", scope: "accounts" },
} as const satisfies Record<string, RecordFacts>;

type Records = typeof records;
type FactsOf<Facts> = { [Type in keyof Records]: Records[Type] extends Facts ? Records[Type] : never }[keyof Records];

declare module "./platform/registered.ts" {
  interface Registered {
    recordType: keyof Records;
    binding: FactsOf<{ binding: string }>["binding"];
  }
}

/** Tables of the records whose retention a company may configure. A table is also the name of its setting. */
export type RetainedTable = FactsOf<{ retention: object }>["table"];
/** Bindings of records that are found by their folders. */
export type BindingFoundByFolder = FactsOf<{ isFoundByFolder: true }>["binding"];

/** Types of records that have their own Durable Object. */
export type StoredType = {
  [Type in keyof Records]: Records[Type] extends { binding: string } ? Type : never;
}[keyof Records];

export interface StoredRecord extends RecordFacts {
  type: StoredType;
  binding: FactsOf<{ binding: string }>["binding"];
}

export const storedRecords = Object.entries<RecordFacts>(records)
  .filter(([, { binding }]) => binding)
  .map(([type, facts]) => ({ ...facts, type }) as StoredRecord);
