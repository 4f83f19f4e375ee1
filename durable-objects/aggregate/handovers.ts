import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault, logSoon } from "../../src/platform/log.ts";
import { objectOf } from "../../src/platform/aggregates.ts";
import type { Backoff } from "./backoff.ts";
import { inTime } from "./in-time.ts";
import type { Tables } from "./tables.ts";

/** Events handed to a subscription in one call. */
const batch = 50;
/** A subscription that has not answered for so long counts as failed. If it takes the events after all, it has them twice. */
const answerMilliseconds = 10_000;

/** Who hears of which event of the outbox. */
export interface Hearing {
  position: number;
  subscription: string;
}

/**
 * Hands events of the outbox over to subscriptions: to each in their order and independently of the others, so that one that
 * is slow or fails holds up none. One that fails is tried again after a wait that grows, again and again until it answers.
 */
export class Handovers {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly backoff: Backoff;
  private readonly handed: () => void;
  /** Subscriptions that events wait for; undefined when not yet looked for. */
  private waiting: Set<string> | undefined;
  /** Subscriptions that an earlier life of the object may have called in vain. */
  private doubtful = new Set<string>();
  /** Subscriptions that are being called, and since when. */
  private readonly running = new Map<string, { since: number; ended: Promise<void> }>();
  /** The last event that each subscription has; after a restart it is told some of them again. */
  private readonly told = new Map<string, number>();
  /** Counts what was forgotten: whoever has waited for an answer meanwhile speaks of rows that are others now. */
  private forgotten = 0;

  /** @param handed is called when events were handed over */
  constructor(sql: SqlStorage, tables: Tables, env: Env, backoff: Backoff, handed: () => void) {
    this.sql = sql;
    this.tables = tables;
    this.env = env;
    this.backoff = backoff;
    this.handed = handed;
    tables.whenForgotten(() => this.forget());
  }

  /** Called inside a transaction. */
  add(hearings: Hearing[]): void {
    this.tables.want(
      "fanout",
      "(position integer not null, subscription text not null, primary key (subscription, position)) without rowid",
    );
    for (const { position, subscription } of hearings) {
      this.sql.exec("insert or ignore into fanout (position, subscription) values (?, ?)", position, subscription);
      this.untold().add(subscription);
      this.backoff.hurry(subscription);
    }
  }

  /** When somebody is to be called, or a call is given up, in milliseconds since 1970. */
  nextDue(): number | undefined {
    const due = [...this.untold()].map((subscription) => {
      const call = this.running.get(subscription);
      return call ? call.since + answerMilliseconds : (this.backoff.dueOf(subscription) ?? 0);
    });
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  /** Calls each subscription that events wait for and that is not being called or to be left in peace. */
  start(company: string): void {
    for (const subscription of this.untold()) {
      const isDue = (this.backoff.dueOf(subscription) ?? 0) <= Date.now();
      if (isDue && !this.running.has(subscription)) this.call(company, subscription);
    }
  }

  /** Nobody is being called any more. */
  async ended(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Whether there may be anybody who hears. */
  exist(): boolean {
    return this.tables.has("fanout");
  }

  /** Rows of what each subscription has go. Called inside a transaction. */
  tidy(): void {
    for (const [subscription, position] of this.told)
      this.sql.exec("delete from fanout where subscription = ? and position <= ?", subscription, position);
    this.told.clear();
  }

  /** Nobody hears of this event any more. Called inside a transaction. */
  drop(position: number): void {
    if (this.exist()) this.sql.exec("delete from fanout where position = ?", position);
  }

  private call(company: string, subscription: string): void {
    const ended = this.handOver(company, subscription)
      .catch((error: unknown) => logFault("outbox.backoff", error, { company, subscription }))
      .finally(() => this.running.delete(subscription));
    this.running.set(subscription, { since: Date.now(), ended });
  }

  private async handOver(company: string, subscription: string): Promise<void> {
    const { forgotten } = this;
    // This life may end before the answer: where that is likely the failure is counted before the call.
    let isCounted = this.doubtful.delete(subscription) || this.backoff.dueOf(subscription) !== undefined;
    try {
      if (isCounted) this.backoff.failed(subscription);
      for (let rows = this.next(subscription); rows.length > 0; rows = this.next(subscription)) {
        const call = this.running.get(subscription);
        if (call) call.since = Date.now();
        const events: Event[] = rows.map(({ json }) => JSON.parse(json));
        const object = objectOf(this.env, "SUBSCRIPTIONS", company, subscription);
        const answer = await inTime(answerMilliseconds, object.enqueue(events));
        if (forgotten !== this.forgotten) return;
        this.told.set(subscription, rows.at(-1)!.position);
        this.handed();
        this.backoff.succeeded(subscription);
        isCounted = false;
        logSoon({ what: "events.handed", company, subscription, events: events.length, answer });
      }
      this.untold().delete(subscription);
    } catch (error) {
      logFault("outbox.tell", error, { company, subscription });
      if (forgotten === this.forgotten && !isCounted) this.backoff.failed(subscription);
    }
  }

  private next(subscription: string): { position: number; json: string }[] {
    if (!this.exist()) return [];
    return this.sql
      .exec<{ position: number; json: string }>(
        `select fanout.position, json from fanout join outbox using (position)
         where subscription = ? and fanout.position > ? order by fanout.position limit ${batch}`,
        subscription,
        this.told.get(subscription) ?? 0,
      )
      .toArray();
  }

  private untold(): Set<string> {
    if (this.waiting) return this.waiting;
    this.waiting = new Set(this.written());
    this.doubtful = new Set(this.waiting);
    return this.waiting;
  }

  private written(): string[] {
    if (!this.exist()) return [];
    const rows = this.sql.exec<{ subscription: string }>("select distinct subscription from fanout").toArray();
    return rows.map(({ subscription }) => subscription);
  }

  /** What the tables hold counts, as in a new life of the object. */
  private forget(): void {
    this.forgotten++;
    this.waiting = undefined;
    this.told.clear();
  }
}
