import type { Env } from "../../src/platform/env.ts";
import { refuse, type Refusal } from "../../src/platform/decision.ts";
import type { CommandOutcome } from "../../src/platform/command.ts";
import type { Idempotency } from "../../src/platform/aggregates.ts";
import { log } from "../../src/platform/log.ts";
import { lostAnswer, sealNow, unsealNow, Unopenable } from "../../src/platform/seal.ts";
import type { Tables } from "./tables.ts";

const aDay = 24 * 60 * 60 * 1000;

/** Expired answers are deleted together, once in so many milliseconds at most. */
const together = 60_000;

/** What was answered to each idempotency key, for 24 hours; sealed, for there may be a secret in it. */
export class Answers {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  /** When the first of them expires; undefined when not known. */
  private first: number | undefined;

  constructor(sql: SqlStorage, tables: Tables, env: Env) {
    this.sql = sql;
    this.tables = tables;
    this.env = env;
    tables.whenForgotten(() => (this.first = undefined));
  }

  /** The first answer, or a refusal when the key came with another request. */
  to({ key, fingerprint }: Idempotency): CommandOutcome<unknown> | Refusal | undefined {
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
    const json = this.opened(key, row.json);
    return json === undefined ? refuse("idempotency_key_reused", lostAnswer) : { ...JSON.parse(json), replayed: true };
  }

  /** When some of them are to be deleted, in milliseconds since 1970. */
  nextDue(): number | undefined {
    if (!this.exist()) return undefined;
    this.first ??= this.firstUntil();
    return this.first === undefined ? undefined : Math.ceil(this.first / together) * together;
  }

  /** Called inside the owner's commit. */
  keep({ key, fingerprint }: Idempotency, outcome: CommandOutcome<unknown>): void {
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

  /**
   * Answers in which something stands that must not be kept go, and those that nobody can open any more.
   * @returns whether something stood in any
   */
  drop(isGone: (json: string) => boolean): boolean {
    if (!this.exist()) return false;
    const rows = this.sql.exec<{ key: string; json: string }>("select key, json from answers").toArray();
    const opened = rows.map(({ key, json }) => ({ key, json: this.opened(key, json) }));
    const gone = opened.filter(({ json }) => json === undefined || isGone(json));
    for (const { key } of gone) this.sql.exec("delete from answers where key = ?", key);
    const unopened = gone.filter(({ json }) => json === undefined).length;
    if (unopened > 0) log({ what: "answers.unopened", dropped: unopened });
    return gone.length > unopened;
  }

  /** What has expired goes. */
  forget(): void {
    if ((this.nextDue() ?? Infinity) > Date.now()) return;
    this.sql.exec("delete from answers where until <= ?", Date.now());
    this.first = undefined;
  }

  private firstUntil(): number | undefined {
    const { first } = this.sql.exec<{ first: number | null }>("select min(until) as first from answers").one();
    return first ?? undefined;
  }

  private opened(key: string, sealed: string): string | undefined {
    try {
      return unsealNow(this.env, about(key), sealed);
    } catch (error) {
      if (error instanceof Unopenable) return undefined;
      throw error;
    }
  }

  /** Most things are never asked with a key. */
  private exist(): boolean {
    return this.tables.has("answers");
  }
}

const about = (key: string) => `answers/${key}`;
