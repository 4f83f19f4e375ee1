import type { Env } from "../../src/platform/env.ts";
import { refuse, type Refusal } from "../../src/platform/decision.ts";
import type { CommandOutcome } from "../../src/platform/command.ts";
import type { Idempotency } from "../../src/platform/aggregates.ts";
import { log } from "../../src/platform/log.ts";
import { lostReply, sealSync, unsealSync, UnsealError } from "../../src/platform/seal.ts";
import type { Tables } from "./tables.ts";

/** How long replies are stored by idempotency key. */
export const replyLifetimeMilliseconds = 24 * 60 * 60 * 1000;

/** Expired replies are purged at most once in this interval. */
const purgeIntervalMilliseconds = 60_000;

/** Returns when replies with this expiry are purged. Both times are in milliseconds since 1970. */
export const purgeTimeOf = (expiry: number): number =>
  Math.ceil(expiry / purgeIntervalMilliseconds) * purgeIntervalMilliseconds;

/** Replies by idempotency key, stored for 24 hours. They are sealed, because a reply may contain a secret. */
export class StoredReplies {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private firstExpiry: number | undefined;

  constructor(sql: SqlStorage, tables: Tables, env: Env) {
    this.sql = sql;
    this.tables = tables;
    this.env = env;
    tables.onReset(() => (this.firstExpiry = undefined));
  }

  /** Returns the stored reply, or a refusal if the key was used for another request. */
  find({ key, fingerprint }: Idempotency): CommandOutcome<unknown> | Refusal | undefined {
    if (!this.exist()) return undefined;
    const row = this.sql
      .exec<{ fingerprint: string; json: string }>(
        "select fingerprint, json from answers where key = ? and until > ?",
        key,
        Date.now(),
      )
      .toArray()[0];
    if (!row) return undefined;
    if (row.fingerprint !== fingerprint) return refuse("idempotency_key_reused");
    const json = this.unseal(key, row.json);
    return json === undefined ? refuse("idempotency_key_reused", lostReply) : { ...JSON.parse(json), replayed: true };
  }

  /** In milliseconds since 1970. */
  nextDue(): number | undefined {
    if (!this.exist()) return undefined;
    this.firstExpiry ??= this.readFirstExpiry();
    return this.firstExpiry === undefined ? undefined : purgeTimeOf(this.firstExpiry);
  }

  /** Must be called inside the aggregate's commit. */
  store({ key, fingerprint }: Idempotency, outcome: CommandOutcome<unknown>): void {
    this.tables.ensure(
      "answers",
      "(key text primary key, fingerprint text not null, json text not null, until integer not null) without rowid",
    );
    this.purgeExpired();
    this.sql.exec(
      "insert or replace into answers (key, fingerprint, json, until) values (?, ?, ?, ?)",
      key,
      fingerprint,
      sealSync(this.env, about(key), JSON.stringify(outcome)),
      Date.now() + replyLifetimeMilliseconds,
    );
  }

  /** Deletes the matching replies, and those that can no longer be unsealed. @returns whether any matched */
  deleteWhere(isGone: (json: string) => boolean): boolean {
    if (!this.exist()) return false;
    const rows = this.sql.exec<{ key: string; json: string }>("select key, json from answers").toArray();
    const opened = rows.map(({ key, json }) => ({ key, json: this.unseal(key, json) }));
    const gone = opened.filter(({ json }) => json === undefined || isGone(json));
    for (const { key } of gone) this.sql.exec("delete from answers where key = ?", key);
    const unopened = gone.filter(({ json }) => json === undefined).length;
    if (unopened > 0) log({ what: "answers.unopened", dropped: unopened });
    return gone.length > unopened;
  }

  purgeExpired(): void {
    if ((this.nextDue() ?? Infinity) > Date.now()) return;
    this.sql.exec("delete from answers where until <= ?", Date.now());
    this.firstExpiry = undefined;
  }

  private readFirstExpiry(): number | undefined {
    const { first } = this.sql.exec<{ first: number | null }>("select min(until) as first from answers").one();
    return first ?? undefined;
  }

  private unseal(key: string, sealed: string): string | undefined {
    try {
      return unsealSync(this.env, about(key), sealed);
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }

  /** Most records never receive an idempotency key and have no table. */
  private exist(): boolean {
    return this.tables.has("answers");
  }
}

const about = (key: string) => `answers/${key}`;
