/** The time of use of a key is written at most once in this interval. */
const everyMilliseconds = 60_000;

/**
 * When each key of a company was last used. Not part of the state: it is only displayed, and no decision depends on it.
 */
export class KeysUsed {
  private readonly sql: SqlStorage;
  /** In milliseconds since 1970, by key id. */
  private readonly written = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  note(keyId: string): void {
    const now = Date.now();
    if (now - (this.written.get(keyId) ?? 0) < everyMilliseconds) return;
    this.written.set(keyId, now);
    this.sql.exec("create table if not exists used (keyId text primary key, at integer not null) without rowid");
    this.sql.exec("insert or replace into used (keyId, at) values (?, ?)", keyId, now);
  }

  forget(): void {
    this.written.clear();
    if (this.exists()) this.sql.exec("delete from used");
  }

  private exists(): boolean {
    return this.sql.exec("select 1 from sqlite_master where name = 'used'").toArray().length > 0;
  }

  /** Returns the time of the last use of each key, by key id; ISO 8601, UTC. */
  all(): Record<string, string> {
    const rows = this.exists()
      ? this.sql.exec<{ keyId: string; at: number }>("select keyId, at from used").toArray()
      : [];
    return Object.fromEntries(rows.map(({ keyId, at }) => [keyId, new Date(at).toISOString()]));
  }
}
