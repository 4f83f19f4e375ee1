import { LeaseLost } from "../../platform/lease.ts";
import { Problem } from "../../platform/problem.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import type { Actor } from "../../platform/audit.ts";
import type { Env } from "../../platform/env.ts";
import type { Refusal } from "../../platform/decision.ts";
import { objectOf, type Mentioned, type ArchiveSource } from "../../platform/aggregates.ts";
import type { Person } from "../../domain/person.ts";
import type { Carried, Dialect, Layout } from "../../extraction/statements/index.ts";
import type { FleetVehicle } from "./anomalies.ts";
import type { ChangeInput } from "./input.ts";
import type { FeedView, TotalView, summaryKinds, AnomalyType, Entry, Status, Transaction } from "./model.ts";
import type { InvoiceLine } from "./reconciliation-diff.ts";

export interface FeedFile {
  key: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  format: string;
}

export interface NewFeed {
  feedId: string;
  provider?: string | undefined;
  metadata?: Record<string, string> | undefined;
  file?: FeedFile | undefined;
  /** Fingerprint of the request. A repeated request with the same idempotency key must have the same fingerprint. */
  fingerprint: string;
}

/** Input of `Ledger.post`, which takes it as JSON text. */
export interface PostedFeed {
  company: string;
  feed: NewFeed;
  /** All lines of a feed without file. */
  portion?: LineBatch;
  /** Token of the lease if the request imports the file itself. */
  reader?: string;
  by?: Actor | undefined;
}

/** Progress of an import, and the detected format of the file. Stored as JSON. */
export interface Cursor {
  /** Where the rows of text are stored, if the file had to be converted. */
  staged?: { key: string; sizeBytes: number };
  dialect?: Dialect;
  layout?: Layout;
  codePage?: string;
  /** Row of the heading; -1 if there is none. */
  headingAt?: number;
  /** Byte offset of the next piece, and number of its first row. */
  offset: number;
  row: number;
  carried: Carried;
}

export type Rejected = FeedView["rejected"][number];

/** A batch of lines, and the position after it. */
export interface LineBatch {
  entries: Entry[];
  rejected: Rejected[];
  cursor?: Cursor;
  isLast: boolean;
}

/** The next feed to process. Without `cursor`, it is already imported, and only its converted rows must be deleted. */
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
  card?: { digest?: string; last4?: string };
  anomaly?: AnomalyType;
  from?: string;
  to?: string;
  updatedSince?: string;
}

export interface TransactionListQuery extends TransactionFilter {
  sort: "-createdAt" | "createdAt" | "-occurredAt" | "occurredAt";
  limit: number;
  after?: [value: number, n: number];
}

export interface FeedListQuery {
  sort: "-createdAt" | "createdAt";
  limit: number;
  after?: string;
  /** ISO 8601. */
  updatedSince?: string;
}

export type SummaryKind = (typeof summaryKinds)[number];

/** The amounts of an invoice, in cents, and the transactions to compare them with. */
export interface ReconciliationRequest {
  documentId: string;
  wanted: TransactionFilter;
  /** Local days, both inclusive. */
  days?: { from: string; to: string };
  currency?: string;
  net?: number;
  gross?: number;
  lines: InvoiceLine[];
}

export interface Reconciliation {
  count: number;
  net: number;
  vat: number;
  gross: number;
  by: "net" | "gross";
  currencies: number;
  isEqual: boolean;
  reconciled: number;
  unsettled: number;
  /** Invoice lines without a transaction, and transactions (`extra`) without an invoice line; at most 100 each. */
  missing: InvoiceLine[];
  extra: Transaction[];
}

export type LedgerReply<Reply> = { reply: Reply; version: number } | Refusal;

/** Kinds of ledger records with a retention period. */
export type LedgerKind = "lines" | "feeds";

export interface UnchangedRecord {
  id: string;
  hasEvents: boolean;
}

/**
 * Why a run stops importing a file. `Others`: another run continues at once. `File`: the file may have caused a
 * failure. `Fault`: an internal fault.
 */
export type ImportInterruption = "Others" | "File" | "Fault";

/** A feed, and the token of its import lease. Calls with another token are ignored. */
export interface ReadFeed {
  feedId: string;
  reader: string;
}

/** A company's ledger. It is the only writer of the company's card transactions. */
export interface Ledger extends ArchiveSource {
  /**
   * Adds a feed, with its lines if it has no file. If it exists, returns it unchanged.
   * @param asked `PostedFeed` as JSON
   */
  post(asked: string): Promise<{ feed: FeedView; isNew: boolean; fingerprint: string }>;
  feed(feedId: string): Promise<FeedView | undefined>;
  feeds(asked: FeedListQuery): Promise<FeedView[]>;
  /**
   * Leases the next unfinished feed that no other run has leased. A file is given up after three interruptions or
   * twelve internal faults without progress.
   * @param asked the `only` feed to take, or feeds to exclude (`but`)
   */
  next(reader: string, asked?: { but?: string[]; only?: string }): Promise<Task | undefined>;
  /** Renews the lease. @returns whether the reader still holds it */
  hold(read: ReadFeed): Promise<boolean>;
  /**
   * Imports the batch at `offset`. Returns the position of the next batch; undefined after the last batch, or if
   * another run has already imported this one.
   * @param portion `LineBatch` as JSON
   */
  take(read: ReadFeed, offset: number, portion: string): Promise<Cursor | undefined>;
  /** Records the detected format and where the converted rows are stored. */
  staged(read: ReadFeed, cursor: Cursor): Promise<void>;
  fail(read: ReadFeed, errorCode: string, message: string): Promise<void>;
  /** Records that the converted rows were deleted. */
  tidied(read: ReadFeed): Promise<void>;
  /** Releases the lease before the import is complete. */
  leave(read: ReadFeed, why: ImportInterruption): Promise<void>;
  /** Requests the import job if a feed is incomplete. @returns whether a feed is incomplete */
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
  /** @param repeat key under which the response is stored for repeated requests */
  settle(
    asked: ReconciliationRequest,
    repeat: string | undefined,
    by: Actor | undefined,
  ): Promise<{ settled: Reconciliation; isNew: boolean }>;
  /** Lists transactions, or completed feeds, that have not changed since `before` (ISO 8601). */
  unchanged(kind: LedgerKind, before: string, limit: number): Promise<UnchangedRecord[]>;
  /** Deletes transactions or feeds. Deleted transactions are removed from the totals. */
  forgetThese(kind: LedgerKind, ids: string[]): Promise<void>;
  /**
   * Returns the part of the ledger that follows `part`, or the first part; undefined if none is left. An export or
   * erasure searches the ledger part by part.
   */
  nextPart(part?: string): Promise<string | undefined>;
  mentions(person: Person, part: string): Promise<Mentioned | undefined>;
  /** Erases a person from a part. @returns whether anything was found */
  erase(person: Person, part: string): Promise<boolean>;
  destroy(): Promise<void>;
  /** Updates a vehicle of the fleet. @param vehicle undefined if the vehicle was removed */
  know(company: string, vehicleId: string, version: number, vehicle: LedgerVehicle | undefined): Promise<void>;
  plates(): Promise<[plate: string, vehicleId: string][]>;
}

/** A vehicle as the ledger stores it. */
export interface LedgerVehicle extends FleetVehicle {
  vin?: string;
  cards: string[];
}

export const ledgerOf = (env: Env, company: string): Ledger =>
  objectOf(env, "LEDGERS", company, company) as unknown as Ledger;

export type { Status };

/** Thrown if storage, company or ledger does not respond during an import. The file is not the cause. */
export class RetryableError extends Error {}

/**
 * Wraps errors of storage, company or ledger in `RetryableError`. Refusals and the loss of the lease stay unchanged.
 */
export const retryable = <Reply>(request: Promise<Reply>): Promise<Reply> =>
  request.catch((cause: unknown) => {
    if (cause instanceof ExtractionProblem || cause instanceof Problem || cause instanceof LeaseLost) throw cause;
    throw new RetryableError(cause instanceof Error ? cause.message : String(cause), { cause });
  });
