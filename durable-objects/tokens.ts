import type { Scope } from "../src/platform/credential.ts";

const lifetimeSeconds = 3600;

/** A bearer token acts for a key, with all its scopes or with the listed ones. */
export interface Token {
  keyId: string;
  scopes?: Scope[];
}

/**
 * The bearer tokens of a company, by their digests. They are not part of its state. A token is valid for an hour, and
 * expired tokens are deleted when the next one is issued.
 */
export class Tokens {
  private readonly sql: SqlStorage;
  private isReady = false;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** Stores a token. @returns how long it is valid, in seconds */
  add(hash: string, { keyId, scopes }: Token): number {
    this.sql.exec(
      "create table if not exists tokens (hash text primary key, keyId text not null, until integer not null, scopes text) without rowid",
    );
    this.prepare();
    const now = Date.now();
    this.sql.exec("delete from tokens where until <= ?", now);
    const until = now + lifetimeSeconds * 1000;
    this.sql.exec(
      "insert into tokens (hash, keyId, until, scopes) values (?, ?, ?, ?)",
      hash,
      keyId,
      until,
      scopes ? JSON.stringify(scopes) : null,
    );
    return lifetimeSeconds;
  }

  find(hash: string): Token | undefined {
    if (!this.exists()) return undefined;
    this.prepare();
    const row = this.sql
      .exec<{ keyId: string; scopes: string | null }>(
        "select keyId, scopes from tokens where hash = ? and until > ?",
        hash,
        Date.now(),
      )
      .toArray()[0];
    return row && { keyId: row.keyId, ...(row.scopes && { scopes: JSON.parse(row.scopes) as Scope[] }) };
  }

  forget(): void {
    if (this.exists()) this.sql.exec("delete from tokens");
  }

  private exists(): boolean {
    return this.sql.exec("select 1 from sqlite_master where name = 'tokens'").toArray().length > 0;
  }

  /** Adds the column `scopes` and the index on the expiry to a table of an earlier release. */
  private prepare(): void {
    if (this.isReady) return;
    const hasScopes = this.sql.exec("select 1 from pragma_table_info('tokens') where name = 'scopes'").toArray();
    if (hasScopes.length === 0) this.sql.exec("alter table tokens add column scopes text");
    this.sql.exec("create index if not exists tokens_until on tokens (until)");
    this.isReady = true;
  }
}
