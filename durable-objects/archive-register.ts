import type { AggregateBinding } from "../src/platform/registered.ts";
import type { Lagging } from "../src/platform/aggregates.ts";
import type { Tables } from "./aggregate/tables.ts";

/**
 * The records of a company whose latest version the archive still lacks. Each record reports itself and is removed when
 * the archive has caught up.
 */
export class ArchiveRegister {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;

  constructor(sql: SqlStorage, tables: Tables) {
    this.sql = sql;
    this.tables = tables;
  }

  enter(binding: AggregateBinding, id: string): void {
    this.tables.ensure(
      "lagging",
      "(place integer primary key, binding text not null, id text not null, at integer not null, unique (binding, id))",
    );
    this.sql.exec("insert or ignore into lagging (binding, id, at) values (?, ?, ?)", binding, id, Date.now());
  }

  leave(binding: AggregateBinding, id: string): void {
    if (this.exists()) this.sql.exec("delete from lagging where binding = ? and id = ?", binding, id);
  }

  page(after: number, limit: number): Lagging[] {
    if (!this.exists()) return [];
    return this.sql
      .exec<{ place: number; binding: AggregateBinding; id: string }>(
        "select place, binding, id from lagging where place > ? order by place limit ?",
        after,
        limit,
      )
      .toArray();
  }

  /** Whether any record was reported before the given time, in milliseconds since 1970. */
  hasEntriesBefore(before: number): boolean {
    return this.exists() && this.sql.exec("select 1 from lagging where at < ? limit 1", before).toArray().length > 0;
  }

  forget(): void {
    if (this.exists()) this.sql.exec("delete from lagging");
  }

  private exists(): boolean {
    return this.tables.has("lagging");
  }
}
