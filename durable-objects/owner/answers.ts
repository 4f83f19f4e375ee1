import type { Env } from "../../src/kit/env.ts";
import { refuse, type Refusal } from "../../src/kit/decision.ts";
import type { Outcome } from "../../src/kit/operation.ts";
import type { Idempotency } from "../../src/kit/owners.ts";
import { sealNow, unsealNow } from "../../src/kit/seal.ts";
import type { Tables } from "./tables.ts";

const aDay = 24 * 60 * 60 * 1000;

/** What was answered to each idempotency key, for 24 hours; sealed, for there may be a secret in it. */
export class Answers {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;

  constructor(sql: SqlStorage, tables: Tables, env: Env) {
    this.sql = sql;
    this.tables = tables;
    this.env = env;
  }

  /** The first answer, or a refusal when the key came with another request. */
  to({ key, fingerprint }: Idempotency): Outcome<unknown> | Refusal | undefined {
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
    return { ...JSON.parse(unsealNow(this.env, about(key), row.json)), replayed: true };
  }

  /** Called inside the owner's commit. */
  keep({ key, fingerprint }: Idempotency, outcome: Outcome<unknown>): void {
    this.tables.want(
      "answers",
      "(key text primary key, fingerprint text not null, json text not null, until integer not null) without rowid",
    );
    this.forget();
    this.sql.exec(
      "insert or replace into answers (key, fingerprint, json, until) values (?, ?, ?, ?)",
      key,
      fingerprint,
      sealNow(this.env, about(key), JSON.stringify(outcome)),
      Date.now() + aDay,
    );
  }

  /** Answers in which something stands that must not be kept go. @returns whether there were any */
  drop(isGone: (json: string) => boolean): boolean {
    if (!this.exist()) return false;
    const rows = this.sql.exec<{ key: string; json: string }>("select key, json from answers").toArray();
    const gone = rows.filter(({ key, json }) => isGone(unsealNow(this.env, about(key), json)));
    for (const { key } of gone) this.sql.exec("delete from answers where key = ?", key);
    return gone.length > 0;
  }

  /** What is older goes. */
  forget(): void {
    if (this.exist()) this.sql.exec("delete from answers where until <= ?", Date.now());
  }

  /** Most things are never asked with a key. */
  private exist(): boolean {
    return this.tables.has("answers");
  }
}

const about = (key: string) => `answers/${key}`;
