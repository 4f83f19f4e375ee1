import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault, logBuffered } from "../../src/platform/log.ts";
import { objectOf } from "../../src/platform/aggregates.ts";
import type { Backoff } from "./backoff.ts";
import type { Tables } from "./tables.ts";

/** Maximum number of events sent to a subscription in one call. */
const batch = 50;
/** Timeout of a call. If a subscription accepts the events only after the timeout, it receives them twice. */
const enqueueTimeoutMilliseconds = 10_000;

/** One recipient of one event of the outbox. */
export interface FanOutRow {
  position: number;
  subscription: string;
}

/**
 * Sends the events of the outbox to subscriptions: to each in order, and independently of the others. A failed call is
 * repeated with growing waits until it succeeds.
 */
export class Handovers {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly backoff: Backoff;
  private readonly onAcknowledged: () => void;
  private waiting: Set<string> | undefined;
  /** Subscriptions that an earlier instance may have called without success. */
  private possiblyFailed = new Set<string>();
  private readonly running = new Map<string, { since: number; ended: Promise<void> }>();
  /**
   * Position of the last event that each subscription has accepted. It is not stored, so a subscription may receive
   * some events again after a restart.
   */
  private readonly acknowledged = new Map<string, number>();
  /** Number of cache resets. A call that began before the last reset refers to rows that may no longer exist. */
  private resets = 0;

  constructor(sql: SqlStorage, tables: Tables, env: Env, backoff: Backoff, onAcknowledged: () => void) {
    this.sql = sql;
    this.tables = tables;
    this.env = env;
    this.backoff = backoff;
    this.onAcknowledged = onAcknowledged;
    tables.onReset(() => this.reset());
  }

  /** Must be called inside a transaction. */
  add(hearings: FanOutRow[]): void {
    this.tables.ensure(
      "fanout",
      "(position integer not null, subscription text not null, primary key (subscription, position)) without rowid",
    );
    for (const { position, subscription } of hearings) {
      this.sql.exec("insert or ignore into fanout (position, subscription) values (?, ?)", position, subscription);
      this.waitingSubscriptions().add(subscription);
      this.backoff.shorten(subscription);
    }
  }

  /** In milliseconds since 1970. For a running call, this is the time at which it times out. */
  nextDue(): number | undefined {
    const due = [...this.waitingSubscriptions()].map((subscription) => {
      const call = this.running.get(subscription);
      return call ? call.since + enqueueTimeoutMilliseconds : (this.backoff.dueOf(subscription) ?? 0);
    });
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  callDue(company: string): void {
    for (const subscription of this.waitingSubscriptions()) {
      const isDue = (this.backoff.dueOf(subscription) ?? 0) <= Date.now();
      if (isDue && !this.running.has(subscription)) this.call(company, subscription);
    }
  }

  async whenIdle(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  exist(): boolean {
    return this.tables.has("fanout");
  }

  /** Deletes the rows of events that their subscription has accepted. Must be called inside a transaction. */
  purge(): void {
    for (const [subscription, position] of this.acknowledged)
      this.sql.exec("delete from fanout where subscription = ? and position <= ?", subscription, position);
    this.acknowledged.clear();
  }

  /** Must be called inside a transaction. */
  deleteEvent(position: number): void {
    if (this.exist()) this.sql.exec("delete from fanout where position = ?", position);
  }

  private call(company: string, subscription: string): void {
    const ended = this.handOver(company, subscription)
      .catch((error: unknown) => logFault("outbox.backoff", error, { company, subscription }))
      .finally(() => this.running.delete(subscription));
    this.running.set(subscription, { since: Date.now(), ended });
  }

  private async handOver(company: string, subscription: string): Promise<void> {
    const { resets } = this;
    // If an earlier call failed, or an earlier instance ended during a call, this instance may end during this call
    // too. The call is therefore counted as failed before it is made.
    let isCounted = this.possiblyFailed.delete(subscription) || this.backoff.dueOf(subscription) !== undefined;
    try {
      if (isCounted) this.backoff.failed(subscription);
      for (let rows = this.next(subscription); rows.length > 0; rows = this.next(subscription)) {
        const call = this.running.get(subscription);
        if (call) call.since = Date.now();
        const events: Event[] = rows.map(({ json }) => JSON.parse(json));
        const object = objectOf(this.env, "SUBSCRIPTIONS", company, subscription);
        const answer = await withTimeout(enqueueTimeoutMilliseconds, object.enqueue(events));
        if (resets !== this.resets) return;
        this.acknowledged.set(subscription, rows.at(-1)!.position);
        this.onAcknowledged();
        this.backoff.succeeded(subscription);
        isCounted = false;
        logBuffered({ what: "events.handed", company, subscription, events: events.length, answer });
      }
      this.waitingSubscriptions().delete(subscription);
    } catch (error) {
      logFault("outbox.tell", error, { company, subscription });
      if (resets === this.resets && !isCounted) this.backoff.failed(subscription);
    }
  }

  private next(subscription: string): { position: number; json: string }[] {
    if (!this.exist()) return [];
    return this.sql
      .exec<{ position: number; json: string }>(
        `select fanout.position, json from fanout join outbox using (position)
         where subscription = ? and fanout.position > ? order by fanout.position limit ${batch}`,
        subscription,
        this.acknowledged.get(subscription) ?? 0,
      )
      .toArray();
  }

  private waitingSubscriptions(): Set<string> {
    if (this.waiting) return this.waiting;
    this.waiting = new Set(this.persistedSubscriptions());
    this.possiblyFailed = new Set(this.waiting);
    return this.waiting;
  }

  private persistedSubscriptions(): string[] {
    if (!this.exist()) return [];
    const rows = this.sql.exec<{ subscription: string }>("select distinct subscription from fanout").toArray();
    return rows.map(({ subscription }) => subscription);
  }

  private reset(): void {
    this.resets++;
    this.waiting = undefined;
    this.acknowledged.clear();
  }
}

/** Thrown when a promise takes longer than its timeout. */
export class TimeoutExceeded extends Error {}

/** Waits for a promise at most for the given time, then ignores its outcome. @throws TimeoutExceeded */
export async function withTimeout<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutExceeded(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
