import type { Event } from "../src/kit/decision.ts";
import type { Env } from "../src/kit/env.ts";
import { log, logFault } from "../src/kit/log.ts";
import { objectOf, type Subscriber } from "../src/kit/owners.ts";

/** Events handed to a subscription in one call. */
const batch = 50;
/** Wait before asking again a subscription that could not be reached. */
const retryMilliseconds = 2_000;

/**
 * Events on their way from an owner to the subscriptions of its company. Who hears of an event is decided once, when it
 * is first carried out, and written down before anything is sent: a repeated round tells the same ones. Rows go only
 * after the receiver has them, and each subscription hears of this owner's events in their order.
 */
export class Outbox {
  private readonly storage: DurableObjectStorage;
  private readonly env: Env;
  private retryAt: number | undefined;

  constructor(storage: DurableObjectStorage, env: Env) {
    this.storage = storage;
    this.env = env;
  }

  createTables(): void {
    this.storage.sql.exec(`
      create table if not exists outbox (position integer primary key autoincrement, fanned integer not null default 0, json text not null);
      create table if not exists fanout (position integer not null, subscription text not null, primary key (subscription, position)) without rowid;`);
  }

  /** Called inside the owner's commit. */
  add(event: Event): void {
    this.storage.sql.exec("insert into outbox (json) values (?)", JSON.stringify(event));
  }

  nextDue(): number | undefined {
    const waiting = this.storage.sql.exec("select 1 from outbox limit 1").toArray().length > 0;
    return waiting ? (this.retryAt ?? Date.now()) : undefined;
  }

  /** One round: decide who hears, tell them, forget what everyone has heard. */
  async announce(company: string): Promise<void> {
    this.retryAt = undefined;
    await this.fanOut(company);
    const subscriptions = this.storage.sql
      .exec<{ subscription: string }>("select distinct subscription from fanout")
      .toArray();
    await Promise.all(subscriptions.map(({ subscription }) => this.tell(company, subscription)));
    this.storage.sql.exec("delete from outbox where fanned = 1 and position not in (select position from fanout)");
  }

  private async fanOut(company: string): Promise<void> {
    const fresh = this.storage.sql
      .exec<{ position: number; json: string }>("select position, json from outbox where fanned = 0 order by position")
      .toArray();
    if (fresh.length === 0) return;
    const subscribers = await objectOf(this.env, "COMPANIES", company, company).subscribers();
    this.storage.transactionSync(() => {
      for (const { position, json } of fresh) {
        const event: Event = JSON.parse(json);
        for (const { id } of subscribers.filter((one) => hears(one, event))) {
          this.storage.sql.exec("insert or ignore into fanout (position, subscription) values (?, ?)", position, id);
        }
        this.storage.sql.exec("update outbox set fanned = 1 where position = ?", position);
      }
    });
  }

  private async tell(company: string, subscription: string): Promise<void> {
    try {
      for (let rows = this.next(subscription); rows.length > 0; rows = this.next(subscription)) {
        const events: Event[] = rows.map(({ json }) => JSON.parse(json));
        const answer = await objectOf(this.env, "SUBSCRIPTIONS", company, subscription).enqueue(events);
        this.storage.sql.exec(
          "delete from fanout where subscription = ? and position <= ?",
          subscription,
          rows.at(-1)!.position,
        );
        log({ what: "events.handed", company, subscription, events: events.length, answer });
      }
    } catch (error) {
      this.retryAt = Date.now() + retryMilliseconds;
      logFault("outbox.tell", error, { company, subscription });
    }
  }

  private next(subscription: string): { position: number; json: string }[] {
    return this.storage.sql
      .exec<{ position: number; json: string }>(
        `select fanout.position, json from fanout join outbox using (position) where subscription = ? order by fanout.position limit ${batch}`,
        subscription,
      )
      .toArray();
  }
}

const hears = (subscriber: Subscriber, event: Event) =>
  event.at >= subscriber.since && (subscriber.eventTypes.includes("All") || subscriber.eventTypes.includes(event.type));
