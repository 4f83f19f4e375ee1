import type {
  Cursor,
  FeedFile,
  FeedListQuery,
  ImportInterruption,
  NewFeed,
  LineBatch,
  Task,
} from "../../src/areas/transactions/ledger.ts";
import type { FeedView, Status } from "../../src/areas/transactions/model.ts";
import { omitUndefined } from "../../src/platform/omit-undefined.ts";
import { attemptsAfter, leaseFor, type Lease } from "../../src/platform/lease.ts";
import { countOf, type Taken } from "./ingest.ts";

/** A stored feed: its results so far, and the progress of its file. */
export interface Feed extends Omit<FeedView, "fileName"> {
  version: number;
  fingerprint: string;
  file?: FeedFile;
  cursor?: Cursor;
  /** How often the import was interrupted since its last progress. */
  begun?: number;
  /** How often an internal fault interrupted the import since its last progress. */
  faults?: number;
  lease?: Lease;
  /** Whether rows that were converted from the file may be stored. */
  hasRows?: boolean;
}

/** An import is given up after this many interruptions without progress. */
const mostBegun = 3;
/**
 * An import is given up after this many internal faults, such as storage timeouts. With the waits between them, this
 * takes about ten minutes.
 */
const mostFaults = 12;
/** Maximum number of rejected rows that are reported with their errors. */
const mostRejected = 1000;

/**
 * SQL condition for feeds with work left: the file is not completely imported, or its converted rows are not yet
 * deleted.
 */
const isLeft = "(status = 'Importing' or rows = 1)";

/** The ledger's table of feeds. */
export class LedgerFeeds {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec(`
      create table if not exists feed (id text primary key, status text not null, rows integer not null, json text not null) without rowid;
      create index if not exists feed_left on feed (id) where ${isLeft};`);
  }

  /** Adds the column `rows` to a table of an earlier release. @returns whether it was missing */
  migrate(): boolean {
    if (this.sql.exec("select 1 from sqlite_master where name = 'feed_left'").toArray().length > 0) return false;
    this.sql.exec("alter table feed add column rows integer not null default 0");
    this.createTables();
    return true;
  }

  read(id: string): Feed | undefined {
    return this.some("where id = ?", id)[0];
  }

  write(feed: Feed): void {
    this.sql.exec(
      "insert or replace into feed (id, status, rows, json) values (?, ?, ?, ?)",
      feed.feedId,
      feed.status,
      feed.hasRows ? 1 : 0,
      JSON.stringify(feed),
    );
  }

  /** Returns a page of feeds in the order of their ids, which sort by creation time. */
  list({ sort, limit, after, updatedSince = "" }: FeedListQuery): Feed[] {
    const [beyond, first, direction] = sort === "createdAt" ? [">", "", "asc"] : ["<", "g", "desc"];
    return this.some(
      `where id ${beyond} ? and json ->> '$.updatedAt' >= ? order by id ${direction} limit ?`,
      after ?? first,
      updatedSince,
      limit,
    );
  }

  /**
   * Returns the feed to continue next. Of the feeds with work left, this is the feed with the fewest interruptions; if
   * several have equally few, it is the oldest of them. Feeds in `but` and leased feeds are skipped.
   * @param at ISO 8601
   */
  next(but: readonly string[], at: string): Feed | undefined {
    return this.some(
      `indexed by feed_left where ${isLeft} and id not in (select value from json_each(?))
       and coalesce(json ->> '$.lease.expiresAt', '') <= ? order by coalesce(json ->> '$.begun', 0), id limit 1`,
      JSON.stringify(but),
      at,
    )[0];
  }

  hasFile(key: string): boolean {
    return this.some("where json ->> '$.file.key' = ? limit 1", key).length > 0;
  }

  hasImporting(): boolean {
    return this.isAny("status = 'Importing'");
  }

  hasPending(): boolean {
    return this.isAny("true");
  }

  /** Returns the ids of complete feeds that have not changed since a time. @param before ISO 8601 */
  endedBefore(before: string, limit: number): string[] {
    return this.sql
      .exec<{ id: string }>(
        `select id from feed where status <> 'Importing' and rows = 0 and json ->> '$.updatedAt' < ? order by id limit ?`,
        before,
        limit,
      )
      .toArray()
      .map(({ id }) => id);
  }

  delete(id: string): void {
    this.sql.exec("delete from feed where id = ?", id);
  }

  page(after: string, limit: number): Feed[] {
    return this.some("where id > ? order by id limit ?", after, limit);
  }

  /** Returns the id of the last feed on the page after an id; undefined if the page is empty. */
  lastOfNext(after: string, limit: number): string | undefined {
    const page = "select id from feed where id > ? order by id limit ?";
    const { last } = this.sql
      .exec<{ last: string | null }>(`select max(id) as last from (${page})`, after, limit)
      .one();
    return last ?? undefined;
  }

  private isAny(condition: string): boolean {
    return (
      this.sql.exec(`select 1 from feed indexed by feed_left where ${isLeft} and ${condition} limit 1`).toArray()
        .length > 0
    );
  }

  private some(rest: string, ...values: (string | number)[]): Feed[] {
    return this.sql
      .exec<{ json: string }>(`select json from feed ${rest}`, ...values)
      .toArray()
      .map(({ json }) => JSON.parse(json));
  }
}

export const feedOf = ({ feedId, provider, metadata, file, fingerprint }: NewFeed, at: string): Feed => ({
  feedId,
  version: 1,
  status: "Importing",
  fingerprint,
  ...(provider && { provider }),
  ...(metadata && { metadata }),
  ...(file && { file, cursor: { offset: 0, row: 0, carried: {} } }),
  accepted: 0,
  duplicates: 0,
  rejected: [],
  rejectedCount: 0,
  matched: 0,
  unmatched: 0,
  flagged: 0,
  voided: 0,
  createdAt: at,
  updatedAt: at,
});

/** Adds the results of a batch of lines to the feed. */
export function withBatch(feed: Feed, portion: LineBatch, taken: Taken, at: string): Feed {
  const { news: _, rejected, ...counts } = taken;
  const { cursor: __, begun: ___, faults: ____, lease, ...rest } = feed;
  const wrong = [...portion.rejected, ...rejected].sort((one, other) => one.row - other.row);
  const after: Feed = {
    ...rest,
    ...Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, feed[name as keyof typeof counts] + count]),
    ),
    ...(!portion.isLast && portion.cursor && { cursor: portion.cursor, ...(lease && { lease }) }),
    status: "Importing",
    rejected: [...feed.rejected, ...wrong].slice(0, mostRejected),
    rejectedCount: feed.rejectedCount + wrong.length,
    version: feed.version + 1,
    updatedAt: at,
  };
  return portion.isLast ? { ...after, ...outcomeOf(after) } : after;
}

/** Determines the outcome of a completed import. Duplicates count as accepted, because they are in the ledger. */
function outcomeOf({ accepted, duplicates, rejectedCount }: Feed): Pick<Feed, "status" | "errorCode" | "message"> {
  if (rejectedCount === 0) return { status: "Imported" };
  const rows = accepted + duplicates + rejectedCount;
  const message = `${rejectedCount} of ${rows} ${rows === 1 ? "row" : "rows"} could not be accepted. See the field rejected.`;
  return rejectedCount < rows
    ? { status: "Partial", message }
    : { status: "Failed", errorCode: "all_rows_rejected", message };
}

/** Sets the feed's counts by status to those of its stored lines, whose status may have changed during the import. */
export function recounted(feed: Feed, standing: ReadonlyMap<Status, number>): Feed {
  const counts = Object.entries(countOf).map(([status, name]) => [name, standing.get(status as Status) ?? 0]);
  return { ...feed, ...Object.fromEntries(counts) };
}

/** Marks the feed as failed, after its import failed permanently. */
export function withFailure(feed: Feed, errorCode: string, message: string, at: string): Feed {
  const { cursor: _, begun: __, faults: ___, lease: ____, ...rest } = feed;
  return { ...rest, status: "Failed", errorCode, message, version: feed.version + 1, updatedAt: at };
}

/**
 * Leases the feed to a reader. If the last reader ended without releasing its lease, that counts as an interruption.
 * @param at ISO 8601
 */
export function withReader(feed: Feed, reader: string, at: string): Feed {
  const isFirst = feed.status === "Importing" && feed.cursor?.layout === undefined;
  const begun = attemptsAfter(feed.lease, feed.begun ?? 0);
  return { ...feed, begun, ...(isFirst && { hasRows: true }), lease: leaseFor(reader, at) };
}

/** Renews the lease of the feed. @param at ISO 8601 */
export const withRenewal = (feed: Feed, at: string): Feed => ({ ...feed, lease: leaseFor(feed.lease!.token, at) });

/** Removes the lease of the feed, after its reader stopped for the given reason. */
export function withoutReader(feed: Feed, why: ImportInterruption): Feed {
  const { lease: _, ...rest } = feed;
  if (why === "Fault") return { ...rest, faults: (feed.faults ?? 0) + 1 };
  return why === "File" ? { ...rest, begun: (feed.begun ?? 0) + 1 } : rest;
}

/** Removes the mark that the feed has converted rows, after they were deleted. No work is left then. */
export function withoutRows(feed: Feed): Feed {
  const { hasRows: _, lease: __, ...rest } = feed;
  return rest;
}

/** Returns the reason to give up an import; undefined if it may continue. */
export function whyGivenUp({ status, begun = 0, faults = 0 }: Feed): [errorCode: string, message: string] | undefined {
  if (status !== "Importing") return undefined;
  if (begun >= mostBegun) return ["engine_timeout", `The file was processed ${begun} times without progress.`];
  if (faults >= mostFaults)
    return ["engine_unavailable", `Processing failed ${faults} times because of an internal error.`];
  return undefined;
}

/**
 * Makes the feed ready to import from the beginning, after its format was detected and its rows were converted. Returns
 * undefined if the import has already begun or ended.
 */
export function withBeginning(feed: Feed, cursor: Cursor): Feed | undefined {
  if (!feed.cursor || feed.cursor.layout || feed.cursor.offset > 0) return undefined;
  const { begun: _, faults: __, hasRows: ___, ...rest } = feed;
  return { ...rest, cursor, ...(cursor.staged && { hasRows: true }) };
}

export function shownFeed(feed: Feed): FeedView {
  const { feedId, status, provider, file, errorCode, message, accepted, duplicates, rejected, rejectedCount } = feed;
  const { matched, unmatched, flagged, voided, metadata, createdAt, updatedAt } = feed;
  return {
    feedId,
    status,
    ...omitUndefined({ provider, fileName: file?.name, errorCode, message }),
    accepted,
    duplicates,
    rejected,
    rejectedCount,
    matched,
    unmatched,
    flagged,
    voided,
    ...omitUndefined({ metadata }),
    createdAt,
    updatedAt,
  };
}

export const taskOf = ({ feedId, provider, file, cursor }: Feed): Task =>
  omitUndefined({ feedId, provider, file: file!, cursor });
