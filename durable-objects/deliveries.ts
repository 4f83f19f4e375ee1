import type { sealsOf, Subscription } from "../src/areas/webhooks.ts";
import type { Event } from "../src/kit/decision.ts";
import type { Env } from "../src/kit/env.ts";
import { newId } from "../src/kit/ids.ts";
import type { DeliveryHealth } from "../src/kit/owners.ts";
import { log } from "../src/kit/log.ts";
import {
  deliver,
  openAuthentication,
  Tokens,
  type Attempted,
  type Receiver,
  type TokenStore,
} from "../src/kit/receivers/index.ts";
import { unseal } from "../src/kit/seal.ts";
import { signatureHeaders } from "../src/kit/sign.ts";

/** Waits after each failure, in seconds: ten attempts over three days. */
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Each wait is stretched or shortened by up to this part, so that receivers are not hit in waves. */
const jitter = 0.2;
/** Connections an object may have open at once. */
const atOnce = 6;
/** An attempt that has not ended by then was cut off. */
const leaseMilliseconds = 30_000;
/** Attempts cut off in a row after which the schedule applies, so that one delivery cannot spin. */
const mostUnknown = 5;
/** How long a delivery that is done stays on record, with its attempts. */
const recordMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** Records that go at once: more than are sent at once, so that they never pile up. */
const forgottenAtOnce = 20;
/** One alarm works this long at most, then sets itself again. */
const roundMilliseconds = 60_000;

/** A row taken for sending. */
type Claimed = {
  seq: number;
  event_id: string;
  type: string;
  okey: string;
  body: string;
  attempts: number;
  attempt_id: string;
};

/**
 * The deliveries of one subscription. The lease and the attempt are written before a byte leaves, so that every attempt
 * has a record; an attempt that was cut off is made again with the same id. For each resource the oldest goes first: the
 * others are held until it is done.
 */
export class Deliveries {
  private readonly storage: DurableObjectStorage;
  private readonly env: Env;
  /** Attempts running in this life of the object; leases from another life are over. */
  private readonly running = new Set<string>();
  private tokens: Tokens | undefined;

  constructor(storage: DurableObjectStorage, env: Env) {
    this.storage = storage;
    this.env = env;
  }

  add(entries: { event: Event; body: string }[]): void {
    this.storage.transactionSync(() => {
      this.createTables();
      for (const { event, body } of entries) {
        this.storage.sql.exec(
          `insert or ignore into delivery (event_id, type, okey, version, body, state, due, created)
           select ?1, ?2, ?3, ?4, ?5, iif(exists (select 1 from delivery where okey = ?3 and ${open}), 'held', 'pending'), ?6, ?6`,
          event.id,
          event.type,
          `${event.resource.type}/${event.resource.id}`,
          event.resource.version,
          body,
          Date.now(),
        );
      }
    });
  }

  /** Sends what is due, until nothing is or the round is over. `subscription` is read anew before each batch. */
  async send(subscription: () => Subscription | undefined, seals: ReturnType<typeof sealsOf>): Promise<void> {
    if (!this.exists()) return;
    const end = Date.now() + roundMilliseconds;
    while (Date.now() < end) {
      this.forget();
      this.recover();
      const { secrets, receiver } = await this.opened(subscription(), seals);
      // Nothing is claimed before it can be signed, and no await stands between looking at the subscription and claiming.
      const now = subscription();
      const claimed = now && !now.deletedAt ? this.claim() : [];
      if (!now || claimed.length === 0) return;
      await Promise.all(claimed.map((row) => this.attempt(row, receiver, secrets)));
    }
  }

  private async opened(subscription: Subscription | undefined, seals: ReturnType<typeof sealsOf>) {
    const { secrets = [], callbackUrl, authentication } = subscription ?? {};
    const receiver: Receiver = {
      url: callbackUrl,
      authentication: authentication
        ? await openAuthentication(this.env, seals.authentication, authentication)
        : { type: "None" },
    };
    this.tokens ??= new Tokens(tokenStore(this.storage), this.env, seals.authentication);
    return {
      receiver,
      secrets: await Promise.all(secrets.map(({ sealed }) => unseal(this.env, seals.secret, sealed))),
    };
  }

  nextDue(): number | undefined {
    if (!this.exists()) return undefined;
    const row = this.storage.sql.exec<{ due: number | null }>(
      `select min(due) as due from (
         select min(due) as due from delivery where state = 'pending' union all
         select min(lease) from delivery where state = 'sending')`,
    );
    return row.one().due ?? undefined;
  }

  health(): DeliveryHealth {
    if (!this.exists()) return { failureCount: 0, pending: 0 };
    const { failures, last_success, last_failure } = this.storage.sql
      .exec<{ failures: number; last_success: string | null; last_failure: string | null }>("select * from health")
      .one();
    const pending = this.storage.sql.exec<{ n: number }>(`select count(*) as n from delivery where ${open}`).one().n;
    return {
      failureCount: failures,
      pending,
      ...(last_success && { lastSuccessAt: last_success }),
      ...(last_failure && { lastFailure: JSON.parse(last_failure) }),
    };
  }

  /** The subscription is gone: nothing more goes out. */
  drop(): void {
    if (!this.exists()) return;
    this.storage.sql.exec(`update delivery set state = 'dropped', done = ? where ${open}`, Date.now());
    tokenStore(this.storage).put(undefined);
  }

  /** Records that are old enough go, with their attempts. */
  private forget(): void {
    const before = Date.now() - recordMilliseconds;
    this.storage.transactionSync(() => {
      const gone = this.storage.sql.exec<{ event_id: string }>(
        `delete from delivery where seq in (
           select seq from delivery where state in ('delivered', 'exhausted', 'dropped') and due < ?1 and done < ?1 limit ${forgottenAtOnce})
         returning event_id`,
        before,
      );
      for (const { event_id } of gone.toArray())
        this.storage.sql.exec("delete from attempt where event_id = ?", event_id);
    });
  }

  /** Attempts found without an end were cut off: nobody knows how they went, so they are made again. */
  private recover(): void {
    const cut = this.storage.sql
      .exec<{ seq: number; attempt_id: string; unknowns: number; attempts: number }>(
        "select seq, attempt_id, unknowns, attempts from delivery where state = 'sending'",
      )
      .toArray()
      .filter(({ attempt_id }) => !this.running.has(attempt_id));
    for (const { seq, attempt_id, unknowns, attempts } of cut) {
      const wait = unknowns < mostUnknown ? 0 : waitAfter(attempts);
      this.storage.sql.exec("update attempt set outcome = 'unknown', ended = ? where id = ?", Date.now(), attempt_id);
      this.storage.sql.exec(
        "update delivery set state = 'pending', unknowns = unknowns + 1, due = ? where seq = ?",
        Date.now() + (wait ?? 0),
        seq,
      );
    }
  }

  private claim(): Claimed[] {
    return this.storage.transactionSync(() => {
      const rows = this.storage.sql
        .exec<Claimed>(
          `select seq, event_id, type, okey, body, attempts, '' as attempt_id from delivery where state = 'pending' and due <= ? order by due, seq limit ${atOnce}`,
          Date.now(),
        )
        .toArray();
      return rows.map((row) => {
        const attempt_id = newId();
        this.storage.sql.exec(
          "update delivery set state = 'sending', attempt_id = ?, lease = ? where seq = ?",
          attempt_id,
          Date.now() + leaseMilliseconds,
          row.seq,
        );
        this.storage.sql.exec(
          "insert into attempt (id, event_id, n, started) values (?, ?, ?, ?)",
          attempt_id,
          row.event_id,
          row.attempts + 1,
          Date.now(),
        );
        this.running.add(attempt_id);
        return { ...row, attempt_id };
      });
    });
  }

  private async attempt(row: Claimed, receiver: Receiver, secrets: string[]): Promise<void> {
    const sent = await this.sent(row, receiver, secrets).finally(() => this.running.delete(row.attempt_id));
    this.record(row, sent);
    log({
      what: "delivery",
      event: row.event_id,
      type: row.type,
      attempt: row.attempts + 1,
      status: sent.status,
      error: sent.error,
      milliseconds: sent.milliseconds,
    });
  }

  private async sent(row: Claimed, receiver: Receiver, secrets: string[]): Promise<Attempted> {
    const { event_id: id, body, type, okey: orderKey } = row;
    const headers = await signatureHeaders(secrets, id, body);
    return deliver(receiver, { id, body, headers, type, orderKey }, this.tokens!, this.env);
  }

  /** Only if the row is still ours: it may have been dropped or taken over while we waited. */
  private record(row: Claimed, sent: Attempted): void {
    const good = sent.delivered;
    this.storage.transactionSync(() => {
      this.storage.sql.exec(
        "update attempt set outcome = ?, ended = ?, status = ?, error = ?, answer = ? where id = ?",
        good ? "delivered" : "failed",
        Date.now(),
        sent.status ?? null,
        sent.error ?? null,
        sent.answer.slice(0, 1024),
        row.attempt_id,
      );
      const wait = waitAfter(row.attempts);
      const state = good ? "delivered" : wait === undefined ? "exhausted" : "pending";
      const mine = this.storage.sql.exec(
        "update delivery set state = ?, attempts = attempts + 1, unknowns = 0, due = ?, done = ? where seq = ? and attempt_id = ? and state = 'sending' returning seq",
        state,
        Date.now() + (wait ?? 0),
        state === "pending" ? null : Date.now(),
        row.seq,
        row.attempt_id,
      );
      if (mine.toArray().length === 0) return;
      this.count(good, sent);
      if (state !== "pending") this.release(row.okey);
    });
  }

  /** The oldest of a resource is done: the next one goes. */
  private release(okey: string): void {
    this.storage.sql.exec(
      `update delivery set state = 'pending', due = ? where seq = (select min(seq) from delivery where okey = ? and ${open})`,
      Date.now(),
      okey,
    );
  }

  private count(good: boolean, { status, error, detail }: Attempted): void {
    const at = new Date().toISOString();
    if (good) this.storage.sql.exec("update health set failures = 0, last_success = ?", at);
    else
      this.storage.sql.exec(
        "update health set failures = failures + 1, last_failure = ?",
        JSON.stringify({ at, status, error, detail }),
      );
  }

  private exists(): boolean {
    return this.storage.sql.exec("select 1 from sqlite_master where name = 'delivery'").toArray().length > 0;
  }

  private createTables(): void {
    if (this.exists()) return;
    this.storage.sql.exec(`
      create table delivery (
        seq integer primary key autoincrement, event_id text not null unique, type text not null, okey text not null, version integer not null,
        body text not null, state text not null, attempts integer not null default 0, unknowns integer not null default 0,
        due integer not null, lease integer, attempt_id text, created integer not null, done integer);
      create index delivery_due on delivery (state, due);
      create index delivery_open on delivery (okey, seq) where ${open};
      create table attempt (
        id text primary key, event_id text not null, n integer not null, started integer not null, ended integer,
        outcome text, status integer, error text, answer text) without rowid;
      create index attempt_of on attempt (event_id);
      create table health (one integer primary key check (one = 1), failures integer not null default 0, last_success text, last_failure text);
      insert into health (one) values (1);`);
  }
}

/** The token of an OAuth2 server, sealed, beside the deliveries it is for. */
const tokenStore = ({ kv }: DurableObjectStorage): TokenStore => ({
  get: () => kv.get<string>("token"),
  put: (sealed) => void (sealed === undefined ? kv.delete("token") : kv.put("token", sealed)),
});

/** Not done: of each resource the oldest is pending or being sent, the others are held. */
const open = "state in ('pending', 'sending', 'held')";

/** Whole milliseconds, as alarms count, to wait after the given number of earlier attempts and one more failure; nothing when they are used up. */
function waitAfter(attempts: number): number | undefined {
  const seconds = schedule[attempts];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 - jitter + Math.random() * 2 * jitter));
}
