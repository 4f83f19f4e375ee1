import type { Actor } from "../../platform/audit.ts";
import type { Env } from "../../platform/env.ts";
import type { Refusal } from "../../platform/decision.ts";
import { objectOf, type Mentioned, type Told } from "../../platform/aggregates.ts";
import type { Person } from "../../domain/person.ts";
import type { Carried, Dialect, Layout } from "../../extraction/statements/index.ts";
import type { FleetVehicle } from "./anomalies.ts";
import type { ChangeInput, FeedView, TotalView, summaryKinds } from "./shapes.ts";
import type { AnomalyType, Entry, Status, Transaction } from "./model.ts";
import type { InvoiceLine } from "./reconciliation-diff.ts";

/** A file whose lines are taken in. */
export interface FeedFile {
  key: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  /** As the reading engine calls it. */
  format: string;
}

export interface NewFeed {
  feedId: string;
  provider?: string | undefined;
  metadata?: Record<string, string> | undefined;
  file?: FeedFile | undefined;
  /** What repeated it with the same idempotency key must be the same as. */
  fingerprint: string;
}

/** A feed as it is handed over, as JSON. */
export interface PostedFeed {
  company: string;
  feed: NewFeed;
  /** All of its lines, where there is no file. */
  portion?: LineBatch;
  /** The token of the lease under which whoever hands it over reads it at once. */
  reader?: string;
  by?: Actor | undefined;
}

/** How far the file of a feed has been read, and how the rest of it is. Plain data. */
export interface Cursor {
  /** The rows as text, when the file itself is none. */
  staged?: { key: string; sizeBytes: number };
  dialect?: Dialect;
  layout?: Layout;
  codePage?: string;
  /** The heading's row, -1 where there is none. */
  headingAt?: number;
  /** Where the next piece begins, in bytes, and the row it begins with. */
  offset: number;
  row: number;
  carried: Carried;
}

export type Rejected = FeedView["rejected"][number];

/** Lines read together, and how far that was. */
export interface LineBatch {
  entries: Entry[];
  rejected: Rejected[];
  cursor?: Cursor;
  /** Nothing comes after it. */
  isLast: boolean;
}

/** What is to be read next; without a cursor it is read, and only its rows as text still lie there. */
export interface Task {
  feedId: string;
  provider?: string | undefined;
  file: FeedFile;
  cursor?: Cursor | undefined;
}

export interface TransactionFilter {
  terms: Partial<
    Record<
      | "feedId"
      | "provider"
      | "status"
      | "kind"
      | "type"
      | "licensePlate"
      | "vehicleId"
      | "driver"
      | "country"
      | "currency"
      | "externalId"
      | "invoiceNumber"
      | "internalId",
      string
    >
  >;
  /** Cards by their digest, or by their last four. */
  card?: { digest?: string; last4?: string };
  anomaly?: AnomalyType;
  from?: string;
  to?: string;
  updatedSince?: string;
}

export interface TransactionListQuery extends TransactionFilter {
  sort: "-createdAt" | "createdAt" | "-occurredAt" | "occurredAt";
  limit: number;
  /** The place after which the page begins. */
  after?: [value: number, n: number];
}

/** A page of feeds. */
export interface FeedListQuery {
  sort: "-createdAt" | "createdAt";
  limit: number;
  /** The feed after which the page begins. */
  after?: string;
  /** ISO 8601. */
  updatedSince?: string;
}

export type SummaryKind = (typeof summaryKinds)[number];

/** Lines of an invoice that are compared. */
export interface ReconciliationRequest {
  documentId: string;
  wanted: TransactionFilter;
  /** Local days, both counted. */
  days?: { from: string; to: string };
  currency?: string;
  net?: number;
  gross?: number;
  /** Of the invoice, those that tell an amount. */
  lines: InvoiceLine[];
}

export interface Reconciliation {
  count: number;
  net: number;
  vat: number;
  gross: number;
  /** Which amount was held against the invoice. */
  by: "net" | "gross";
  /** In how many currencies they are. */
  currencies: number;
  isEqual: boolean;
  reconciled: number;
  unsettled: number;
  /** Lines of the invoice that no transaction is for, and transactions that no line is for: the first hundred of each. */
  missing: InvoiceLine[];
  extra: Transaction[];
}

export type LedgerReply<Reply> = { reply: Reply; version: number } | Refusal;

/** What is kept in a ledger for so long. */
export type LedgerKind = "lines" | "feeds";

export interface UnchangedRecord {
  id: string;
  /** Whether anything was told of it. */
  hasEvents: boolean;
}

/**
 * Why somebody stops reading a file: others go on at once; it broke off, as the file does to whoever begins with it; it broke
 * off by a fault of ours, which is not the file's. After both it is begun again when the work is sent again.
 */
export type ImportInterruption = "Others" | "File" | "Fault";

/** A feed, and the token of the lease under which it is read: what comes under another one is ignored. */
export interface ReadFeed {
  feedId: string;
  reader: string;
}

/** A company's ledger of transactions: the one writer and the one reader of them. */
export interface Ledger extends Told {
  /** Puts down a feed (`PostedFeed`), with its lines when there is no file. The same feed again is answered as it is. */
  post(asked: string): Promise<{ feed: FeedView; isNew: boolean; fingerprint: string }>;
  feed(feedId: string): Promise<FeedView | undefined>;
  feeds(asked: FeedListQuery): Promise<FeedView[]>;
  /**
   * Takes the next feed for which something is left to do, but none that others read. A file whose reading broke off three
   * times and came no further is given up, and so is one where it broke off twelve times by faults of ours.
   * @param asked of which feed `only`, or of which not
   */
  next(reader: string, asked?: { but?: string[]; only?: string }): Promise<Task | undefined>;
  /** Renews its lease. @returns whether that is still its reader's */
  hold(read: ReadFeed): Promise<boolean>;
  /** Takes what was read from `offset` on. Undefined when somebody else has: nothing is taken twice. */
  take(read: ReadFeed, offset: number, portion: string): Promise<Cursor | undefined>;
  /** It is known how the file is to be read from its beginning on, and its rows are set out as text where it is none. */
  staged(read: ReadFeed, cursor: Cursor): Promise<void>;
  fail(read: ReadFeed, errorCode: string, message: string): Promise<void>;
  /** Its rows do not lie there any more. */
  tidied(read: ReadFeed): Promise<void>;
  /** The reader stops before the end. */
  leave(read: ReadFeed, why: ImportInterruption): Promise<void>;
  /** What is left is read by whoever comes next. @returns whether anything is left */
  takeUp(): Promise<boolean>;
  read(transactionId: string): Promise<Transaction | undefined>;
  list(asked: TransactionListQuery): Promise<{ items: Transaction[]; next?: [number, number] }>;
  summary(by: SummaryKind, wanted: TransactionFilter): Promise<TotalView[]>;
  change(
    transactionId: string,
    change: ChangeInput,
    ifMatch: string | undefined,
    by: Actor | undefined,
  ): Promise<LedgerReply<Transaction>>;
  /** @param repeat what the request is known by when it comes again */
  settle(
    asked: ReconciliationRequest,
    repeat: string | undefined,
    by: Actor | undefined,
  ): Promise<{ settled: Reconciliation; isNew: boolean }>;
  /** Transactions, or feeds that came to their end, that have not changed since a moment. @param before ISO 8601 */
  unchanged(kind: LedgerKind, before: string, limit: number): Promise<UnchangedRecord[]>;
  /** They are kept no longer; totals are less by the transactions. */
  forgetThese(kind: LedgerKind, ids: string[]): Promise<void>;
  /** What is looked through together behind a part, the first where none is said; undefined where nothing is left. */
  nextPart(part?: string): Promise<string | undefined>;
  /** Where a part names somebody. */
  mentions(person: Person, part: string): Promise<Mentioned | undefined>;
  /** Takes somebody out of a part. @returns whether there was anything of him */
  erase(person: Person, part: string): Promise<boolean>;
  /** Nothing of it is kept any more. */
  destroy(): Promise<void>;
  /** A vehicle of the fleet as it is now; undefined when it is gone. */
  know(company: string, vehicleId: string, version: number, vehicle: LedgerVehicle | undefined): Promise<void>;
  /** Plates of the fleet as they are compared, each with its vehicle. */
  plates(): Promise<[plate: string, vehicleId: string][]>;
}

/** What the ledger keeps of a vehicle. */
export interface LedgerVehicle extends FleetVehicle {
  vin?: string;
  /** Digests of its cards. */
  cards: string[];
}

export const ledgerOf = (env: Env, company: string): Ledger =>
  objectOf(env, "LEDGERS", company, company) as unknown as Ledger;

export type { Status };
