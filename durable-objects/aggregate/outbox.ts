import QuickLRU from "quick-lru";
import type { AuditEntry } from "../../src/platform/audit.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault } from "../../src/platform/log.ts";
import { isSubscribedTo, objectOf, type Subscriber } from "../../src/platform/aggregates.ts";
import { Backoff } from "./backoff.ts";
import { earliest } from "./alarm.ts";
import { Handovers, TimeoutExceeded, withTimeout, type FanOutRow } from "./handovers.ts";
import type { Tables } from "./tables.ts";

/**
 * Maximum number of events, and maximum number of their characters, that are sent to the event log in one call. A
 * longer event is sent alone.
 */
const [logBatch, logBatchCharacters] = [400, 8_000_000];
/** Events that the commit itself did not publish are published by a round after this delay. */
const fanOutDelayMilliseconds = 1_500;
/** Timeout of the call that asks the company for its subscribers. */
const companyTimeoutMilliseconds = 10_000;
/** How long a round waits for the subscriptions it calls, so that the alarm rarely has to fire again for them. */
const roundTimeoutMilliseconds = 1_000;
/** Name of the company in the backoff table; the other names are subscriptions. */
const companyName = "company";
/** Number of positions reserved for the events of one version. No decision emits that many events. */
const positionsPerVersion = 10_000;
/** Largest JSON size in bytes of an event with its `data`. A larger event is sent without `data`. */
const maxEventBytes = 256 * 1024;
/** When each company was last found to have no subscriptions, by any aggregate in this isolate. */
const withoutSubscribersSince = new QuickLRU<string, number>({ maxSize: 10_000 });

/**
 * Sends the events of an aggregate to the subscriptions of its company, after the commit is on disk. The recipients of
 * an event are determined once and stored before anything is sent, so that a repeated round calls the same
 * subscriptions. A row is deleted once all its recipients and the company's event log have the event.
 */
export class Outbox {
  private readonly storage: DurableObjectStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly backoff: Backoff;
  private readonly handovers: Handovers;
  private round: Promise<void> | undefined;
  /** When the next round determines recipients; set when this instance adds events. */
  private fanOutAt: number | undefined;
  private hasNewEvents = false;
  private lastAt: number | undefined;
  /** Position of the last row; 0 without rows, undefined before it is read. */
  private lastPosition: number | undefined;
  /** Position of the last event whose recipients are not determined; 0 without any, undefined before it is read. */
  private lastPending: number | undefined;
  /**
   * If the company has no subscriptions, the rows are not marked as fanned out. Instead, all unmarked events up to this
   * position count as having no recipients.
   */
  private unsubscribedUpTo = 0;
  /**
   * Position up to which the event log has confirmed the events. It is not stored, so the log may receive some events
   * again after a restart.
   */
  private loggedUpTo = 0;
  private hasPurgeableRows = false;
  /** Number of cache resets. A call that began before the last reset refers to rows that may no longer exist. */
  private resets = 0;

  constructor(storage: DurableObjectStorage, tables: Tables, env: Env) {
    this.storage = storage;
    this.tables = tables;
    this.env = env;
    this.backoff = new Backoff(storage.sql, tables);
    this.handovers = new Handovers(storage.sql, tables, env, this.backoff, () => (this.hasPurgeableRows = true));
    tables.onReset(() => this.reset());
  }

  /** Must be called inside the aggregate's commit. */
  add(events: Event[], version: number): void {
    this.purge();
    for (const [place, event] of events.entries())
      this.write(version * positionsPerVersion + place, 0, serialize(event));
    this.lastPending = this.lastPosition;
    this.lastAt = Date.now();
    this.fanOutAt ??= this.lastAt + fanOutDelayMilliseconds;
    this.hasNewEvents = true;
    this.backoff.shorten(companyName);
  }

  /**
   * Adds an audit entry, which is sent to the event log only. Must be called inside the commit, after its events are
   * added.
   */
  addAudit(audit: AuditEntry, version: number): void {
    this.purge();
    this.write(version * positionsPerVersion + positionsPerVersion - 1, 1, JSON.stringify({ audit }));
  }

  private write(position: number, fanned: 0 | 1, json: string): void {
    this.tables.ensure(
      "outbox",
      "(position integer primary key, fanned integer not null default 0, json text not null)",
    );
    this.storage.sql.exec("insert into outbox (position, fanned, json) values (?, ?, ?)", position, fanned, json);
    this.lastPosition = position;
  }

  /** In milliseconds since 1970. */
  nextDue(): number | undefined {
    const isDecided = this.lastPendingPosition() <= this.unsubscribedUpTo;
    const decision = isDecided ? undefined : (this.backoff.dueOf(companyName) ?? this.fanOutAt ?? 0);
    return earliest(decision, this.handovers.nextDue());
  }

  /**
   * Publishes as soon as the commit is on disk. If the company recently had no subscriptions, nothing is published now,
   * and one later round covers several commits.
   */
  publishSoon(company: string): void {
    if (this.round || hasNoSubscribers(company)) return;
    const announced = this.storage.sync().then(() => this.publish(company));
    announced.catch((error: unknown) => logFault("outbox.announce", error, { company }));
  }

  async publishDue(company: string): Promise<void> {
    if (this.nextDue() === undefined) return;
    const ended = this.publish(company).then(() => this.handovers.whenIdle());
    await withTimeout(roundTimeoutMilliseconds, ended).catch((error: unknown) => {
      if (!(error instanceof TimeoutExceeded)) throw error;
    });
  }

  /** Returns the next events and audit entries that the event log lacks, and the position of the last one. */
  unlogged(): { events: Event[]; audit: AuditEntry[]; upTo: number } {
    const rows = this.exists()
      ? this.storage.sql
          .exec<{ position: number; json: string }>(
            `select position, json from (
               select position, json, sum(length(json)) over (order by position) - length(json) as before from (
                 select position, json from outbox where position > ? order by position limit ${logBatch}))
             where before < ${logBatchCharacters} order by position`,
            this.loggedUpTo,
          )
          .toArray()
      : [];
    const kept: (Event | { audit: AuditEntry })[] = rows.map(({ json }) => JSON.parse(json));
    return {
      events: kept.flatMap((one) => ("audit" in one ? [] : [one])),
      audit: kept.flatMap((one) => ("audit" in one ? [one.audit] : [])),
      upTo: rows.at(-1)?.position ?? this.loggedUpTo,
    };
  }

  hasUnlogged(): boolean {
    return this.last() > this.loggedUpTo;
  }

  markLogged(upTo: number): void {
    if (upTo <= this.loggedUpTo) return;
    this.loggedUpTo = upTo;
    this.hasPurgeableRows = true;
  }

  /** Deletes the events that all recipients and the event log have received. */
  purge(): void {
    if (!this.hasPurgeableRows || !this.exists()) return;
    this.handovers.purge();
    const isHeard = this.handovers.exist()
      ? "fanned = 1 and position not in (select position from fanout)"
      : "fanned = 1";
    this.storage.sql.exec(
      `delete from outbox where position <= ? and (${isHeard} or fanned = 0 and position <= ?)`,
      this.loggedUpTo,
      this.unsubscribedUpTo,
    );
    this.hasPurgeableRows = false;
  }

  /**
   * Deletes the matching events for all recipients. Events that the event log lacks imply the archive job (see
   * `PendingJobs`), so if none are left, the caller must write that job in the same transaction.
   * @returns whether any event matched
   */
  deleteWhere(isGone: (json: string) => boolean): boolean {
    if (!this.exists()) return false;
    const rows = this.storage.sql
      .exec<{ position: number; json: string }>("select position, json from outbox")
      .toArray();
    const gone = rows.filter(({ json }) => isGone(json));
    for (const { position } of gone) {
      this.handovers.deleteEvent(position);
      this.storage.sql.exec("delete from outbox where position = ?", position);
    }
    if (gone.length > 0) this.lastPosition = this.lastPending = undefined;
    return gone.length > 0;
  }

  private reset(): void {
    this.resets++;
    this.fanOutAt = this.lastAt = this.lastPosition = this.lastPending = undefined;
    this.hasNewEvents = this.hasPurgeableRows = false;
    this.unsubscribedUpTo = this.loggedUpTo = 0;
  }

  async whenIdle(): Promise<void> {
    await this.round;
    await this.handovers.whenIdle();
  }

  private publish(company: string): Promise<void> {
    this.round ??= this.rounds(company).finally(() => (this.round = undefined));
    return this.round;
  }

  /**
   * Determines the recipients of pending events and calls them, again if events were added in the meantime. Does not
   * wait for the calls to end.
   */
  private async rounds(company: string): Promise<void> {
    this.handovers.callDue(company);
    do {
      this.hasNewEvents = false;
      await this.fanOutPending(company);
      this.handovers.callDue(company);
    } while (this.hasNewEvents && !hasNoSubscribers(company));
  }

  private async fanOutPending(company: string): Promise<void> {
    const last = this.lastPendingPosition();
    if (last <= this.unsubscribedUpTo || (this.backoff.dueOf(companyName) ?? 0) > Date.now()) return;
    const { resets } = this;
    // After an earlier failure, this call is counted as failed before it is made (`Handovers` explains why).
    const isCounted = this.fanOutAt === undefined || this.backoff.dueOf(companyName) !== undefined;
    try {
      if (isCounted) this.backoff.failed(companyName);
      const subscribers = await this.subscribers(company);
      if (resets !== this.resets) return;
      this.fanOut(subscribers, last);
      this.backoff.succeeded(companyName);
    } catch (error) {
      logFault("outbox.decide", error, { company });
      if (resets === this.resets && !isCounted) this.backoff.failed(companyName);
    }
  }

  private async subscribers(company: string): Promise<Subscriber[]> {
    const wasDeafSince = (this.lastAt ?? Infinity) < (withoutSubscribersSince.get(company) ?? 0);
    return wasDeafSince ? [] : withTimeout(companyTimeoutMilliseconds, subscribersOf(this.env, company));
  }

  private fanOut(subscribers: Subscriber[], last: number): void {
    const hearings = subscribers.length === 0 ? [] : this.fanOutRows(subscribers, last);
    if (hearings.length > 0) this.writeFanOut(hearings, last);
    else {
      this.unsubscribedUpTo = last;
      this.hasPurgeableRows ||= last <= this.loggedUpTo;
    }
    if (this.lastPending === last) this.lastPending = 0;
    this.fanOutAt =
      this.lastPendingPosition() > this.unsubscribedUpTo ? Date.now() + fanOutDelayMilliseconds : undefined;
  }

  private lastPendingPosition(): number {
    return (this.lastPending ??= this.lastOf("where fanned = 0"));
  }

  private last(): number {
    return (this.lastPosition ??= this.lastOf());
  }

  private lastOf(which = ""): number {
    if (!this.exists()) return 0;
    const query = `select max(position) as last from outbox ${which}`;
    return this.storage.sql.exec<{ last: number | null }>(query).one().last ?? 0;
  }

  private fanOutRows(subscribers: Subscriber[], last: number): FanOutRow[] {
    return this.storage.sql
      .exec<{ position: number; json: string }>(
        "select position, json from outbox where fanned = 0 and position > ? and position <= ? order by position",
        this.unsubscribedUpTo,
        last,
      )
      .toArray()
      .flatMap(({ position, json }) => {
        const event: Event = JSON.parse(json);
        return subscribers.filter((one) => receives(one, event)).map(({ id }) => ({ position, subscription: id }));
      });
  }

  private writeFanOut(rows: FanOutRow[], last: number): void {
    this.tables.transaction(() => {
      this.handovers.add(rows);
      this.storage.sql.exec(
        "update outbox set fanned = 1 where fanned = 0 and position > ? and position <= ?",
        this.unsubscribedUpTo,
        last,
      );
    });
  }

  private exists(): boolean {
    return this.tables.has("outbox");
  }
}

const receives = (subscriber: Subscriber, event: Event) =>
  event.at >= subscriber.since && isSubscribedTo(subscriber, event);

/**
 * Returns the event as JSON, without `data` if it is too large. A character takes at most three bytes, so most texts
 * are known to be small enough without encoding them.
 */
function serialize(event: Event): string {
  const text = JSON.stringify(event);
  const isTooLong = text.length * 3 > maxEventBytes && new TextEncoder().encode(text).length > maxEventBytes;
  return isTooLong ? JSON.stringify({ ...event, data: undefined }) : text;
}

const hasNoSubscribers = (company: string) =>
  Date.now() - (withoutSubscribersSince.get(company) ?? 0) < fanOutDelayMilliseconds;

async function subscribersOf(env: Env, company: string): Promise<Subscriber[]> {
  const now = Date.now();
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  if (subscribers.length > 0) withoutSubscribersSince.delete(company);
  else withoutSubscribersSince.set(company, now);
  return subscribers;
}
