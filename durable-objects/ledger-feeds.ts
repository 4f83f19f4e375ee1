import type { Cursor, FeedFile, NewFeed, Portion, Task } from "../src/areas/transactions/ledger.ts";
import type { FeedView } from "../src/areas/transactions/shapes.ts";
import { given } from "../src/kit/given.ts";
import type { Taken } from "./ledger-taking.ts";

/** A feed as it is kept: what it came to so far, and how far its file has been read. */
export interface Feed extends Omit<FeedView, "fileName"> {
  version: number;
  fingerprint: string;
  file?: FeedFile;
  cursor?: Cursor;
}

/** So many rows that could not be taken are told with their errors. */
const mostRejected = 1000;

/** The ledger's table of feeds. */
export class LedgerFeeds {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql
      .exec(`create table if not exists feed (id text primary key, status text not null, json text not null) without rowid;
      create index if not exists feed_importing on feed (id) where status = 'Importing';`);
  }

  read(id: string): Feed | undefined {
    return this.some("where id = ?", id)[0];
  }

  write(feed: Feed): void {
    this.sql.exec(
      "insert or replace into feed (id, status, json) values (?, ?, ?)",
      feed.feedId,
      feed.status,
      JSON.stringify(feed),
    );
  }

  /** Ids sort by time: the newest first. */
  list(limit: number, after: string | undefined): Feed[] {
    return this.some("where id < ? order by id desc limit ?", after ?? "g", limit);
  }

  /** Those whose files are not read to the end, the oldest first. */
  importing(): Feed[] {
    return this.some("indexed by feed_importing where status = 'Importing' order by id");
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
  status: file ? "Importing" : "Imported",
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

/** The feed with what came of some more of its lines. */
export function withPortion(feed: Feed, { rejected, cursor, isLast }: Portion, taken: Taken, at: string): Feed {
  const { news: _, ...counts } = taken;
  const { cursor: __, ...rest } = feed;
  return {
    ...rest,
    ...Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, feed[name as keyof typeof counts] + count]),
    ),
    ...(!isLast && cursor && { cursor }),
    status: isLast ? "Imported" : "Importing",
    rejected: [...feed.rejected, ...rejected].slice(0, mostRejected),
    rejectedCount: feed.rejectedCount + rejected.length,
    version: feed.version + 1,
    updatedAt: at,
  };
}

export function shownFeed(feed: Feed): FeedView {
  const { feedId, status, provider, file, errorCode, message, accepted, duplicates, rejected, rejectedCount } = feed;
  const { matched, unmatched, flagged, voided, metadata, createdAt, updatedAt } = feed;
  return {
    feedId,
    status,
    ...given({ provider, fileName: file?.name, errorCode, message }),
    accepted,
    duplicates,
    rejected,
    rejectedCount,
    matched,
    unmatched,
    flagged,
    voided,
    ...given({ metadata }),
    createdAt,
    updatedAt,
  };
}

export const taskOf = ({ feedId, provider, file, cursor }: Feed): Task => ({
  feedId,
  ...(provider && { provider }),
  file: file!,
  cursor: cursor!,
});
