import type { Tables } from "./tables.ts";

/** In milliseconds. */
const [firstWait, longestWait] = [1_500, 300_000];
/** Maximum wait after the last attempt if there are new events, in milliseconds. */
const waitWithNewEvents = 30_000;

/**
 * Returns how long to wait after consecutive failures, in milliseconds. The wait doubles each time and is shortened by
 * up to one half at random, so that objects that failed together do not retry together.
 * @param random from 0 to 1
 */
export const backoffAfter = (failures: number, random: number): number =>
  Math.round(Math.min(longestWait, firstWait * 2 ** (failures - 1)) * (1 - random / 2));

type Failure = { failures: number; tried: number; due: number };

/**
 * Records the objects whose last call failed (the company and subscriptions, by name), and when each is called again.
 * The records are stored, so that a new instance waits as long as this one.
 */
export class Backoff {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private rows: Map<string, Failure> | undefined;

  constructor(sql: SqlStorage, tables: Tables) {
    this.sql = sql;
    this.tables = tables;
    tables.onReset(() => (this.rows = undefined));
  }

  /** In milliseconds since 1970; undefined if the last call did not fail. */
  dueOf(name: string): number | undefined {
    return this.waiting().get(name)?.due;
  }

  failed(name: string): void {
    const failures = (this.waiting().get(name)?.failures ?? 0) + 1;
    const tried = Date.now();
    this.write(name, { failures, tried, due: tried + backoffAfter(failures, Math.random()) });
  }

  succeeded(name: string): void {
    if (this.waiting().delete(name)) this.sql.exec("delete from backoff where name = ?", name);
  }

  /** Called when there are new events for the object. */
  shorten(name: string): void {
    const one = this.waiting().get(name);
    if (one && one.due > one.tried + waitWithNewEvents)
      this.write(name, { ...one, due: one.tried + waitWithNewEvents });
  }

  private write(name: string, one: Failure): void {
    this.waiting().set(name, one);
    this.tables.ensure(
      "backoff",
      "(name text primary key, failures integer not null, tried integer not null, due integer not null) without rowid",
    );
    const { failures, tried, due } = one;
    const row = "insert or replace into backoff (name, failures, tried, due) values (?, ?, ?, ?)";
    this.sql.exec(row, name, failures, tried, due);
  }

  private waiting(): Map<string, Failure> {
    this.rows ??= new Map(this.persistedRows().map(({ name, ...one }) => [name, one]));
    return this.rows;
  }

  private persistedRows(): (Failure & { name: string })[] {
    if (!this.tables.has("backoff")) return [];
    return this.sql.exec<Failure & { name: string }>("select name, failures, tried, due from backoff").toArray();
  }
}
