import type { Tables } from "./tables.ts";

/** The wait after the first failure and the longest one, in milliseconds. */
const [firstWait, longestWait] = [1_500, 300_000];
/** With something new to tell, the next try comes this soon after the last one. */
const waitWithNews = 30_000;

/**
 * Milliseconds to wait after so many failures in a row: twice as long each time, of which up to one half is taken off at
 * random, so that many objects that failed together do not come back together.
 * @param random 0..1
 */
export const backoffAfter = (failures: number, random: number): number =>
  Math.round(Math.min(longestWait, firstWait * 2 ** (failures - 1)) * (1 - random / 2));

type Waiting = { failures: number; tried: number; due: number };

/**
 * Other objects that did not answer, each by its name, and when each is tried again. It is on disk, so that a new life of
 * this object waits as long as the last one would have.
 */
export class Backoff {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private known: Map<string, Waiting> | undefined;

  constructor(sql: SqlStorage, tables: Tables) {
    this.sql = sql;
    this.tables = tables;
    tables.whenForgotten(() => (this.known = undefined));
  }

  /** When it may be called again, in milliseconds since 1970; undefined when it did not fail. */
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

  /** There is something new to tell it: whether it is well again is looked at sooner. */
  hurry(name: string): void {
    const one = this.waiting().get(name);
    if (one && one.due > one.tried + waitWithNews) this.write(name, { ...one, due: one.tried + waitWithNews });
  }

  private write(name: string, one: Waiting): void {
    this.waiting().set(name, one);
    this.tables.want(
      "backoff",
      "(name text primary key, failures integer not null, tried integer not null, due integer not null) without rowid",
    );
    const { failures, tried, due } = one;
    const row = "insert or replace into backoff (name, failures, tried, due) values (?, ?, ?, ?)";
    this.sql.exec(row, name, failures, tried, due);
  }

  private waiting(): Map<string, Waiting> {
    this.known ??= new Map(this.written().map(({ name, ...one }) => [name, one]));
    return this.known;
  }

  private written(): (Waiting & { name: string })[] {
    if (!this.tables.has("backoff")) return [];
    return this.sql.exec<Waiting & { name: string }>("select name, failures, tried, due from backoff").toArray();
  }
}
