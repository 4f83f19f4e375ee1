import { DurableObject } from "cloudflare:workers";
import type {
  Cursor,
  FeedListQuery,
  LedgerVehicle,
  ImportInterruption,
  Ledger,
  LedgerKind,
  TransactionListQuery,
  LedgerReply,
  LineBatch,
  PostedFeed,
  ReadFeed,
  Reconciliation,
  ReconciliationRequest,
  SummaryKind,
  Task,
  UnchangedRecord,
  TransactionFilter,
} from "../src/areas/transactions/ledger.ts";
import type { ChangeInput } from "../src/areas/transactions/input.ts";
import type { FeedView, TotalView, Transaction } from "../src/areas/transactions/model.ts";
import type { Actor } from "../src/platform/audit.ts";
import { refuse } from "../src/platform/decision.ts";
import type { Env } from "../src/platform/env.ts";
import type { Mentioned, Projection } from "../src/platform/aggregates.ts";
import { isHeld, isHolder } from "../src/platform/lease.ts";
import { PersonFinder, type Person } from "../src/domain/person.ts";
import { matchesVersion } from "./aggregate/decisions.ts";
import { LedgerAnswers } from "./ledger/answers.ts";
import { changeTransaction, forgetLine, replaceLine } from "./ledger/change.ts";
import { eraseFrom, mentionedIn, nextPart, type Erasable } from "./ledger/erase.ts";
import { LedgerBackground } from "./ledger/background.ts";
import {
  feedOf,
  LedgerFeeds,
  recounted,
  shownFeed,
  taskOf,
  whyGivenUp,
  withBeginning,
  withFailure,
  withoutReader,
  withoutRows,
  withBatch,
  withReader,
  withRenewal,
  type Feed,
} from "./ledger/feeds.ts";
import { LedgerFleet } from "./ledger/fleet.ts";
import { rematchUnmatched, takeLines, type Books } from "./ledger/ingest.ts";
import { LedgerNear } from "./ledger/recent-by-vehicle.ts";
import { LedgerPrices } from "./ledger/prices.ts";
import { comparable } from "./ledger/line.ts";
import { LedgerRows } from "./ledger/rows.ts";
import { emptyReconciliation, reconcile } from "./ledger/reconcile-invoice.ts";
import { LedgerEvents, type CommitResult } from "./ledger/events.ts";
import { LedgerTotals, toTotalView } from "./ledger/totals.ts";

const importJob = "transactions.import";

/**
 * All transactions of a company, in one object, because a transaction is checked against others: its duplicates, the
 * purchase that it voids, the previous refuelling. A file is imported in batches. Each batch is one commit of lines,
 * totals, events and the position in the file, so that it is imported once and completely, or not at all.
 */
export class LedgerObject extends DurableObject<Env> implements Ledger {
  private readonly feedRows: LedgerFeeds;
  private readonly books: Books;
  private readonly answers: LedgerAnswers<Reconciliation>;
  private readonly background: LedgerBackground;
  private readonly events: LedgerEvents;
  private waiting: (() => void)[] = [];
  private hasTables: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    this.feedRows = new LedgerFeeds(sql);
    this.answers = new LedgerAnswers(sql);
    const rows = new LedgerRows(sql);
    this.books = {
      rows,
      near: new LedgerNear(rows),
      fleet: new LedgerFleet(sql),
      totals: new LedgerTotals(sql),
      prices: new LedgerPrices(sql),
    };
    this.background = new LedgerBackground(ctx, env, {
      isMore: () => this.hasTables && this.books.fleet.pendingRematch() !== undefined,
      more: () => this.rematch(),
      cleaningDue: () => (this.hasTables ? this.answers.nextDue() : undefined),
      clean: () => this.answers.forget(),
    });
    this.events = new LedgerEvents(env, () => this.background.company());
    this.hasTables = sql.exec("select 1 from sqlite_master where name = 'line'").toArray().length > 0;
    if (this.hasTables && this.feedRows.migrate()) rows.migrate();
    if (this.hasTables) void ctx.blockConcurrencyWhile(() => this.background.wake());
  }

  async post(asked: string): Promise<{ feed: FeedView; isNew: boolean; fingerprint: string }> {
    const { company, feed: said, portion, reader, by }: PostedFeed = JSON.parse(asked);
    const known = this.hasTables ? this.feedRows.read(said.feedId) : undefined;
    if (known) return { feed: shownFeed(known), isNew: false, fingerprint: known.fingerprint };
    const feed = this.commit(company, (at) => {
      const made = reader ? withReader(feedOf(said, at), reader, at) : feedOf(said, at);
      const audit = by && this.events.entry(by, { type: "TransactionFeed", id: made.feedId, version: 1 }, at);
      if (portion) return { ...this.taken(made, portion, at), audit };
      this.feedRows.write(made);
      return { reply: made, work: importJob, audit };
    });
    return { feed: shownFeed(feed), isNew: true, fingerprint: said.fingerprint };
  }

  async nextPart(part?: string): Promise<string | undefined> {
    return this.hasTables ? nextPart(this.erasable(), part) : undefined;
  }

  async mentions(person: Person, part: string): Promise<Mentioned | undefined> {
    if (!this.hasTables) return undefined;
    return mentionedIn(this.erasable(), new PersonFinder(person), this.background.company(), part);
  }

  async erase(person: Person, part: string): Promise<boolean> {
    return this.hasTables && eraseFrom(this.erasable(), new PersonFinder(person), part);
  }

  async feed(feedId: string): Promise<FeedView | undefined> {
    const feed = this.hasTables ? this.feedRows.read(feedId) : undefined;
    return feed && shownFeed(feed);
  }

  async feeds(asked: FeedListQuery): Promise<FeedView[]> {
    return this.hasTables ? this.feedRows.list(asked).map(shownFeed) : [];
  }

  async next(reader: string, { but = [], only }: { but?: string[]; only?: string } = {}): Promise<Task | undefined> {
    for (;;) {
      const now = new Date().toISOString();
      const left = this.leftFeed(but, only, now);
      // The reader may already hold the lease: the request that posted the feed took it.
      if (!left || (isHeld(left.lease, now) && !isHolder(left.lease, reader))) return undefined;
      const feed = isHolder(left.lease, reader) ? left : withReader(left, reader, now);
      const why = whyGivenUp(feed);
      if (why) this.failed(feed, ...why);
      else return taskOf(this.commit(this.background.company(), () => ({ reply: this.written(feed) })));
    }
  }

  async hold(read: ReadFeed): Promise<boolean> {
    return this.asReader(read, withRenewal) !== undefined;
  }

  async take(read: ReadFeed, offset: number, portion: string): Promise<Cursor | undefined> {
    const feed = this.readBy(read);
    if (feed?.cursor?.offset !== offset) return undefined;
    const taken = (at: string) => this.taken(withRenewal(feed, at), JSON.parse(portion), at);
    return this.commit(this.background.company(), taken).cursor;
  }

  async staged(read: ReadFeed, cursor: Cursor): Promise<void> {
    this.asReader(read, (feed, at) => withBeginning(withRenewal(feed, at), cursor));
  }

  async fail(read: ReadFeed, errorCode: string, message: string): Promise<void> {
    const feed = this.readBy(read);
    if (feed?.status === "Importing") this.failed(feed, errorCode, message);
  }

  async tidied(read: ReadFeed): Promise<void> {
    this.asReader(read, (feed) => (feed.status === "Importing" ? undefined : withoutRows(feed)));
  }

  async refersTo(key: string): Promise<boolean> {
    return this.hasTables && this.feedRows.hasFile(key);
  }

  async leave(read: ReadFeed, why: ImportInterruption): Promise<void> {
    this.asReader(read, (feed) => withoutReader(feed, why));
    if (why === "Others") await this.takeUp();
  }

  async takeUp(): Promise<boolean> {
    if (!this.hasTables || !this.feedRows.hasPending()) return false;
    this.commit(this.background.company(), () => ({ reply: undefined, work: importJob }));
    return true;
  }

  async read(transactionId: string): Promise<Transaction | undefined> {
    return this.hasTables ? this.books.rows.byId(transactionId)?.transaction : undefined;
  }

  async list(asked: TransactionListQuery): Promise<{ items: Transaction[]; next?: [number, number] }> {
    if (!this.hasTables) return { items: [] };
    const { found, next } = this.books.rows.list(comparable(asked));
    return { items: found.map(({ transaction }) => transaction), ...(next && { next }) };
  }

  async summary(by: SummaryKind, wanted: TransactionFilter): Promise<TotalView[]> {
    if (!this.hasTables) return [];
    const { totals, fleet } = this.books;
    return totals.summary(by, comparable(wanted)).map((total) => toTotalView(by, total, fleet));
  }

  async change(
    transactionId: string,
    change: ChangeInput,
    ifMatch: string | undefined,
    by: Actor | undefined,
  ): Promise<LedgerReply<Transaction>> {
    const kept = this.hasTables ? this.books.rows.byId(transactionId) : undefined;
    if (!kept) return refuse("not_found");
    const before = kept.transaction;
    if (ifMatch && !matchesVersion(ifMatch, before.version))
      return refuse("version_mismatch", undefined, { extra: { version: before.version } });
    return this.commit<LedgerReply<Transaction>>(this.background.company(), (at) => {
      const after = changeTransaction(this.books, kept, change, at);
      if ("refused" in after) return { reply: after };
      const isFlagged = after.status === "Flagged" && before.status !== "Flagged";
      const isChanged = after.version !== before.version;
      if (isChanged) replaceLine(this.books, kept, after);
      const resource = { type: "Transaction", id: after.id, version: after.version } as const;
      const audit = by && isChanged ? this.events.entry(by, resource, at) : undefined;
      const events = isFlagged ? [this.events.flagged(after, before.status)] : [];
      return { reply: { reply: after, version: after.version }, events, audit };
    });
  }

  async settle(
    asked: ReconciliationRequest,
    repeat: string | undefined,
    by: Actor | undefined,
  ): Promise<{ settled: Reconciliation; isNew: boolean }> {
    if (!this.hasTables) return { settled: emptyReconciliation(asked), isNew: true };
    const known = repeat === undefined ? undefined : this.answers.to(repeat);
    // Responses stored by an earlier release lack some fields and are computed again.
    if (known && "missing" in known) return { settled: known, isNew: false };
    const wanted = { ...asked, wanted: comparable(asked.wanted) };
    return this.commit(this.background.company(), (at) => {
      const outcome = reconcile(this.books.rows, wanted, at);
      if (repeat !== undefined) this.answers.keep(repeat, outcome);
      const audit =
        by && outcome.isChanged ? this.events.settled(by, asked.documentId, this.background.commits(), at) : undefined;
      return { reply: { settled: outcome, isNew: true }, audit };
    });
  }

  async know(company: string, vehicleId: string, version: number, vehicle: LedgerVehicle | undefined): Promise<void> {
    this.commit(company, () => ({ reply: this.books.fleet.upsert(vehicleId, version, vehicle) }));
    this.rematch();
  }

  async plates(): Promise<[string, string][]> {
    return this.hasTables ? this.books.fleet.plates() : [];
  }

  async unchanged(kind: LedgerKind, before: string, limit: number): Promise<UnchangedRecord[]> {
    if (!this.hasTables) return [];
    if (kind === "feeds") return this.feedRows.endedBefore(before, limit).map((id) => ({ id, hasEvents: true }));
    const found = this.books.rows.unchangedSince(Date.parse(before), limit);
    return found.map(({ transaction: { id, anomalies } }) => ({ id, hasEvents: anomalies.length > 0 }));
  }

  async forgetThese(kind: LedgerKind, ids: string[]): Promise<void> {
    this.commit(this.background.company(), () => {
      for (const id of ids) {
        if (kind === "feeds") this.feedRows.delete(id);
        else forgetLine(this.books, id);
      }
      return { reply: undefined };
    });
  }

  async projection(): Promise<Projection | undefined> {
    return this.hasTables ? { version: 0, ...this.background.unlogged() } : undefined;
  }

  async archived({ upTo }: Pick<Projection, "upTo">): Promise<void> {
    this.background.markLogged(upTo);
  }

  /** Resolves when no import is running, or after the given time. */
  async waitUntilComplete(milliseconds: number): Promise<void> {
    if (!this.hasTables || !this.feedRows.hasImporting() || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, milliseconds);
    });
  }

  override alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.background.alarm(info);
  }

  /** Returns undefined if the reader no longer holds the lease of the feed. */
  private readBy({ feedId, reader }: ReadFeed): Feed | undefined {
    const feed = this.hasTables ? this.feedRows.read(feedId) : undefined;
    return feed && isHolder(feed.lease, reader) ? feed : undefined;
  }

  private asReader(read: ReadFeed, change: (feed: Feed, at: string) => Feed | undefined): Feed | undefined {
    const feed = this.readBy(read);
    const after = feed && change(feed, new Date().toISOString());
    return after && this.commit(this.background.company(), () => ({ reply: this.written(after) }));
  }

  private failed(feed: Feed, errorCode: string, message: string): void {
    this.commit(this.background.company(), (at) => {
      const after = this.counted(withFailure(feed, errorCode, message, at));
      return { reply: this.written(after), events: [this.events.imported(after)] };
    });
  }

  private leftFeed(but: string[], only: string | undefined, at: string): Feed | undefined {
    if (!this.hasTables) return undefined;
    const feed = only === undefined ? this.feedRows.next(but, at) : this.feedRows.read(only);
    return feed && (feed.status === "Importing" || feed.hasRows) ? feed : undefined;
  }

  private taken(feed: Feed, portion: LineBatch, at: string): CommitResult<Feed> {
    const taken = takeLines(this.books, feed.feedId, portion.entries, at);
    const after = this.counted(withBatch(feed, portion, taken, at));
    const events = taken.news.map((one) => this.events.flagged(one));
    if (portion.isLast) events.push(this.events.imported(after));
    return { reply: this.written(after), events };
  }

  /** Counts the lines of a completed feed again, because their status may have changed during the import. */
  private counted(feed: Feed): Feed {
    if (feed.status === "Importing" || !feed.file) return feed;
    return recounted(feed, this.books.rows.standing(feed.feedId));
  }

  private written(feed: Feed): Feed {
    this.feedRows.write(feed);
    if (feed.status === "Importing") return feed;
    if (!this.feedRows.hasPending()) this.background.completeJob(importJob);
    if (!this.feedRows.hasImporting()) for (const wake of this.waiting.splice(0)) wake();
    return feed;
  }

  /**
   * Matches a batch of unmatched lines with a vehicle that is new or has changed; the alarm continues with the rest.
   */
  private rematch(): void {
    const pending = this.books.fleet.pendingRematch();
    if (!pending) return;
    this.commit(this.background.company(), (at) => {
      const changes = rematchUnmatched(this.books, pending, at);
      const flagged = changes.filter(({ before, after }) => after.status === "Flagged" && before.status !== "Flagged");
      const events = flagged.map(({ before, after }) => this.events.flagged(after, before.status));
      return { reply: undefined, events };
    });
  }

  async destroy(): Promise<void> {
    this.hasTables = false;
    this.books.fleet.forget();
    this.books.near.forget();
    await this.background.destroy();
  }

  private commit<Reply>(company: string, change: (at: string) => CommitResult<Reply>): Reply {
    try {
      const { reply, events } = this.ctx.storage.transactionSync(() => {
        if (!this.hasTables) this.createTables(company);
        const made = change(new Date().toISOString());
        if (made.work) this.background.requestJob(made.work);
        this.background.addEvents(made.events ?? [], made.audit);
        return made;
      });
      this.hasTables = true;
      this.background.runSoon(events !== undefined && events.length > 0);
      return reply;
    } catch (error) {
      this.books.fleet.forget();
      this.books.near.forget();
      this.background.forget();
      throw error;
    }
  }

  private createTables(company: string): void {
    this.background.createTables(company);
    this.feedRows.createTables();
    this.answers.createTables();
    const { rows, fleet, totals, prices } = this.books;
    for (const table of [rows, fleet, totals, prices]) table.createTables();
  }

  private erasable(): Erasable {
    const { ctx, books, feedRows: feeds, answers, background } = this;
    return { storage: ctx.storage, books, feeds, answers, background };
  }
}
