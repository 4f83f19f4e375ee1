import { DurableObject } from "cloudflare:workers";
import type {
  Cursor,
  KnownVehicle,
  Ledger,
  ListAsked,
  NewFeed,
  Outcome,
  Portion,
  Settled,
  Settling,
  SummaryKind,
  Task,
  Wanted,
} from "../src/areas/transactions/ledger.ts";
import type { ChangeInput, FeedView, TotalView } from "../src/areas/transactions/shapes.ts";
import { viewOf, type Transaction } from "../src/areas/transactions/transaction.ts";
import type { Actor, AuditEntry } from "../src/kit/audit.ts";
import { refuse, type Event } from "../src/kit/decision.ts";
import type { Env } from "../src/kit/env.ts";
import { newId } from "../src/kit/ids.ts";
import type { Mentioned, Projection } from "../src/kit/owners.ts";
import { Finder, type Person } from "../src/kit/person.ts";
import { matches } from "./if-match.ts";
import { LedgerAnswers } from "./ledger-answers.ts";
import { changed } from "./ledger-changing.ts";
import { eraseFrom, mentionedIn } from "./ledger-erasing.ts";
import { LedgerErrands } from "./ledger-errands.ts";
import { feedOf, LedgerFeeds, shownFeed, taskOf, withPortion, type Feed } from "./ledger-feeds.ts";
import { LedgerFleet } from "./ledger-fleet.ts";
import { LedgerPrices } from "./ledger-prices.ts";
import { numberKey } from "./ledger-line.ts";
import { LedgerRows } from "./ledger-rows.ts";
import { settled } from "./ledger-settling.ts";
import { judged, takeLines, type Books } from "./ledger-taking.ts";
import { LedgerTotals } from "./ledger-totals.ts";

/** The work that reads the files of feeds. */
const importing = "transactions.import";
/** A reader that has not been heard of for so long is thought dead. */
const leaseMilliseconds = 60_000;
/** Lines looked through again in one commit when the fleet has changed. */
const lookedAtOnce = 500;

/** What a commit comes to. */
interface Made<Reply> {
  reply: Reply;
  events?: Event[];
  work?: string;
  audit?: AuditEntry | undefined;
}

/**
 * A company's transactions. One object holds them all, for most of what makes a transaction right or wrong are others: the
 * same one told twice, the one it takes back, the fill before it. Lines come in by portions; each is one commit of lines,
 * totals, events and how far the file has been read, so that a portion is in the ledger wholly and once, or not at all.
 */
export class LedgerObject extends DurableObject<Env> implements Ledger {
  private readonly feedRows: LedgerFeeds;
  private readonly books: Books;
  private readonly answers: LedgerAnswers<Settled>;
  private readonly errands: LedgerErrands;
  private reader: { name: string; until: number } | undefined;
  private waiting: (() => void)[] = [];
  private hasTables: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    this.feedRows = new LedgerFeeds(sql);
    this.answers = new LedgerAnswers(sql);
    this.books = {
      rows: new LedgerRows(sql),
      fleet: new LedgerFleet(sql),
      totals: new LedgerTotals(sql),
      prices: new LedgerPrices(sql),
    };
    this.errands = new LedgerErrands(ctx, env, {
      isMore: () => this.hasTables && this.books.fleet.looking() !== undefined,
      more: () => this.lookAgain(),
    });
    this.hasTables = sql.exec("select 1 from sqlite_master where name = 'line'").toArray().length > 0;
    if (this.hasTables) void ctx.blockConcurrencyWhile(() => this.errands.wake());
  }

  async post(asked: string): Promise<{ feed: FeedView; isNew: boolean; fingerprint: string }> {
    const {
      company,
      feed: said,
      portion,
      reader,
      by,
    }: { company: string; feed: NewFeed; portion?: Portion; reader?: string; by?: Actor } = JSON.parse(asked);
    const known = this.hasTables ? this.feedRows.read(said.feedId) : undefined;
    if (known) return { feed: shownFeed(known), isNew: false, fingerprint: known.fingerprint };
    if (reader) this.reader = { name: reader, until: Date.now() + leaseMilliseconds };
    const feed = this.commit(company, (at) => {
      const made = feedOf(said, at);
      const audit = by && this.entry(by, "TransactionFeed", made.feedId, 1, at);
      if (portion) return { ...this.taken(made, portion, at), audit };
      this.feedRows.write(made);
      return { reply: made, work: importing, audit };
    });
    return { feed: shownFeed(feed), isNew: true, fingerprint: said.fingerprint };
  }

  async mentions(person: Person): Promise<Mentioned | undefined> {
    return this.hasTables ? mentionedIn(this.ctx, new Finder(person), this.errands.company()) : undefined;
  }

  async erase(person: Person): Promise<boolean> {
    return this.hasTables && eraseFrom(this.ctx, new Finder(person));
  }

  async feed(feedId: string): Promise<FeedView | undefined> {
    const feed = this.hasTables ? this.feedRows.read(feedId) : undefined;
    return feed && shownFeed(feed);
  }

  async feeds(limit: number, after: string | undefined): Promise<FeedView[]> {
    return this.hasTables ? this.feedRows.list(limit, after).map(shownFeed) : [];
  }

  async next(reader: string): Promise<Task | undefined> {
    if (!this.hasTables) return undefined;
    if (this.reader && this.reader.name !== reader && this.reader.until > Date.now()) return undefined;
    const [feed] = this.feedRows.importing();
    if (!feed) return undefined;
    this.reader = { name: reader, until: Date.now() + leaseMilliseconds };
    return taskOf(feed);
  }

  async take(feedId: string, offset: number, portion: string): Promise<Cursor | undefined> {
    const feed = this.importingFeed(feedId);
    if (!feed?.cursor || feed.cursor.offset !== offset) return undefined;
    if (this.reader) this.reader.until = Date.now() + leaseMilliseconds;
    return this.commit(this.errands.company(), (at) => this.taken(feed, JSON.parse(portion), at)).cursor;
  }

  async staged(feedId: string, cursor: Cursor): Promise<void> {
    const feed = this.importingFeed(feedId);
    if (!feed?.cursor || feed.cursor.layout || feed.cursor.offset > 0) return;
    if (this.reader) this.reader.until = Date.now() + leaseMilliseconds;
    this.commit(this.errands.company(), () => ({ reply: this.written({ ...feed, cursor }) }));
  }

  async fail(feedId: string, errorCode: string, message: string): Promise<void> {
    const feed = this.importingFeed(feedId);
    if (!feed) return;
    this.commit(this.errands.company(), (at) => {
      const { cursor: _, ...rest } = feed;
      const after: Feed = { ...rest, status: "Failed", errorCode, message, version: feed.version + 1, updatedAt: at };
      return { reply: this.written(after), events: [this.feedEvent(after)] };
    });
  }

  /** What is left is read by whoever comes next. */
  async leave(reader: string): Promise<void> {
    if (this.reader?.name === reader) this.reader = undefined;
    if (this.hasTables && this.feedRows.importing().length > 0)
      this.commit(this.errands.company(), () => ({ reply: undefined, work: importing }));
  }

  async read(transactionId: string): Promise<Transaction | undefined> {
    return this.hasTables ? this.books.rows.byId(transactionId)?.transaction : undefined;
  }

  async list(asked: ListAsked): Promise<{ items: Transaction[]; next?: [number, number] }> {
    if (!this.hasTables) return { items: [] };
    const { found, next } = this.books.rows.list(comparable(asked));
    return { items: found.map(({ transaction }) => transaction), ...(next && { next }) };
  }

  async summary(by: SummaryKind, wanted: Wanted): Promise<TotalView[]> {
    if (!this.hasTables) return [];
    return this.books.totals.summary(by, comparable(wanted)).map(({ what, ...total }) => {
      if (by === "vehicle") {
        const plate = this.books.fleet.byId(what)?.licensePlate;
        return { ...(what && { vehicleId: what }), ...(plate && { licensePlate: plate }), ...total };
      }
      return { ...(what && { [{ driver: "driver", country: "countryCode", month: "month" }[by]]: what }), ...total };
    });
  }

  async change(
    transactionId: string,
    change: ChangeInput,
    ifMatch: string | undefined,
    by: Actor | undefined,
  ): Promise<Outcome<Transaction>> {
    const kept = this.hasTables ? this.books.rows.byId(transactionId) : undefined;
    if (!kept) return refuse("not_found");
    const before = kept.transaction;
    if (ifMatch && !matches(ifMatch, before.version))
      return refuse("version_mismatch", undefined, { extra: { version: before.version } });
    return this.commit<Outcome<Transaction>>(this.errands.company(), (at) => {
      const after = changed(this.books, kept, change, at);
      if ("refused" in after) return { reply: after };
      const isFlagged = after.status === "Flagged" && before.status !== "Flagged";
      const isChanged = after.version !== before.version;
      if (isChanged) this.replace(kept.n, before, after);
      const audit = by && isChanged ? this.entry(by, "Transaction", after.id, after.version, at) : undefined;
      const events = isFlagged ? [this.transactionEvent(after, before.status)] : [];
      return { reply: { reply: after, version: after.version }, events, audit };
    });
  }

  async settle(
    asked: Settling,
    repeat: string | undefined,
    by: Actor | undefined,
  ): Promise<{ settled: Settled; isNew: boolean }> {
    if (!this.hasTables) return { settled: nothing, isNew: true };
    const known = repeat === undefined ? undefined : this.answers.to(repeat);
    if (known) return { settled: known, isNew: false };
    const found = this.books.rows.settling(comparable(asked.wanted), asked.days, asked.currency);
    return this.commit(this.errands.company(), (at) => {
      const { changes, ...outcome } = settled(found, asked, at);
      for (const { n, before, after } of changes) this.replace(n, before, after);
      if (repeat !== undefined) this.answers.keep(repeat, outcome);
      const audit = by && changes.length > 0 ? this.entry(by, "Document", asked.documentId, 1, at) : undefined;
      return { reply: { settled: outcome, isNew: true }, audit };
    });
  }

  async know(company: string, vehicleId: string, version: number, vehicle: KnownVehicle | undefined): Promise<void> {
    this.commit(company, () => ({ reply: this.books.fleet.know(vehicleId, version, vehicle) }));
    this.lookAgain();
  }

  async projection(): Promise<Projection | undefined> {
    return this.hasTables ? { version: 0, ...this.errands.unlogged() } : undefined;
  }

  async archived({ upTo }: Pick<Projection, "upTo">): Promise<void> {
    this.errands.logged(upTo);
  }

  /** Resolves when no file is being read any more, or after the given time. */
  async settled(milliseconds: number): Promise<void> {
    if (!this.hasTables || this.feedRows.importing().length === 0 || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, milliseconds);
    });
  }

  override alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.errands.alarm(info);
  }

  private importingFeed(feedId: string): Feed | undefined {
    const feed = this.hasTables ? this.feedRows.read(feedId) : undefined;
    return feed?.status === "Importing" ? feed : undefined;
  }

  private taken(feed: Feed, portion: Portion, at: string): Made<Feed> {
    const taken = takeLines(this.books, feed.feedId, portion.entries, at);
    const after = withPortion(feed, portion, taken, at);
    const events = taken.news.map((one) => this.transactionEvent(one));
    return { reply: this.written(after), events: [...events, ...(portion.isLast ? [this.feedEvent(after)] : [])] };
  }

  private written(feed: Feed): Feed {
    this.feedRows.write(feed);
    if (feed.status !== "Importing" && this.feedRows.importing().length === 0) {
      this.errands.done(importing);
      this.reader = undefined;
      for (const wake of this.waiting.splice(0)) wake();
    }
    return feed;
  }

  private replace(n: number, before: Transaction, after: Transaction): void {
    this.books.rows.update(n, after);
    this.books.totals.change([{ before, after }]);
  }

  /** Lines that nobody owned, for the vehicles that are new or have changed: some now, the rest by and by. */
  private lookAgain(): void {
    const looking = this.books.fleet.looking();
    if (!looking) return;
    const { id, after, vehicle } = looking;
    this.commit(this.errands.company(), (at) => {
      const found = this.books.rows.unmatched(
        { plate: vehicle.licensePlate, vin: vehicle.vin, cards: vehicle.cards },
        after,
        lookedAtOnce,
      );
      const news: Event[] = [];
      for (const { n, transaction: before } of found) {
        const now: Transaction = { ...judged(this.books, before, n), version: before.version + 1, updatedAt: at };
        if (!now.vehicleId) continue;
        this.replace(n, before, now);
        if (now.status === "Flagged" && before.status !== "Flagged")
          news.push(this.transactionEvent(now, before.status));
      }
      this.books.fleet.looked(id, found.length === lookedAtOnce ? found.at(-1)!.n : undefined);
      return { reply: undefined, events: news };
    });
  }

  /** All of it or nothing; then what is remembered of the tables is read anew. */
  private commit<Reply>(company: string, change: (at: string) => Made<Reply>): Reply {
    try {
      const { reply, events } = this.ctx.storage.transactionSync(() => {
        if (!this.hasTables) this.createTables(company);
        const made = change(new Date().toISOString());
        if (made.work) this.errands.want(made.work);
        this.errands.tell(made.events ?? [], made.audit);
        return made;
      });
      this.hasTables = true;
      this.errands.carryOnSoon(events !== undefined && events.length > 0);
      return reply;
    } catch (error) {
      this.books.fleet.forget();
      this.errands.forget();
      throw error;
    }
  }

  private createTables(company: string): void {
    this.errands.createTables(company);
    this.feedRows.createTables();
    this.answers.createTables();
    for (const table of Object.values(this.books)) table.createTables();
  }

  private entry(actor: Actor, type: string, id: string, version: number, at: string): AuditEntry {
    return { auditId: newId(), company: this.errands.company(), at, actor, resource: { type, id, version } };
  }

  private transactionEvent(one: Transaction, previousStatus?: string): Event {
    return this.event(
      "TransactionFlagged",
      { type: "Transaction", id: one.id, version: one.version },
      `/${one.id}`,
      one.status,
      viewOf(one),
      one.metadata,
      previousStatus,
    );
  }

  private feedEvent(feed: Feed): Event {
    return this.event(
      "TransactionFeedImported",
      { type: "TransactionFeed", id: feed.feedId, version: feed.version },
      `/feeds/${feed.feedId}`,
      feed.status,
      shownFeed(feed),
      feed.metadata,
    );
  }

  private event(
    type: string,
    resource: { type: string; id: string; version: number },
    path: string,
    status: string,
    data: unknown,
    metadata: Record<string, string> | undefined,
    previousStatus?: string,
  ): Event {
    return {
      id: `evt_${newId().replaceAll("-", "")}`,
      type,
      company: this.errands.company(),
      at: new Date().toISOString(),
      sequence: resource.version,
      resource: { ...resource, url: `${this.env.BASE_URL ?? ""}/api/v1/transactions-feed${path}` },
      status,
      ...(previousStatus && { previousStatus }),
      ...(metadata && { metadata }),
      data,
    };
  }
}

/** What a company without transactions comes to. */
const nothing: Settled = {
  count: 0,
  net: 0,
  vat: 0,
  gross: 0,
  isEqual: false,
  reconciled: 0,
  unsettled: 0,
  transactions: [],
};

/** Numbers of invoices as the table has them. */
const comparable = <Asked extends Wanted>(asked: Asked): Asked => {
  const { invoiceNumber } = asked.terms;
  return invoiceNumber === undefined
    ? asked
    : { ...asked, terms: { ...asked.terms, invoiceNumber: numberKey(invoiceNumber) } };
};
