/** What an owner last committed. */
export interface Kept<State> {
  version: number;
  state: State;
  company: string;
  id: string;
  /** Rows the state takes up. */
  rows: number;
}

/** The table of an owner's state: one row, or several when it is longer than a row may be. */
export class StateRows<State> {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** Nothing is written for an id that was only asked about. */
  exist(): boolean {
    return this.sql.exec("select 1 from sqlite_master where name = 'state'").toArray().length > 0;
  }

  create(): void {
    this.sql.exec(
      "create table if not exists state (part integer primary key, version integer not null, company text not null, id text not null, json text not null)",
    );
  }

  read(): Kept<State> | undefined {
    if (!this.exist()) return undefined;
    const rows = this.sql
      .exec<{ version: number; company: string; id: string; json: string }>(
        "select version, company, id, json from state order by part",
      )
      .toArray();
    if (!rows[0]) return undefined;
    const { version, company, id } = rows[0];
    return { version, company, id, state: JSON.parse(rows.map(({ json }) => json).join("")), rows: rows.length };
  }

  /** `parts` are the state as JSON. */
  write({ version, company, id }: Kept<State>, parts: string[], before: Kept<State> | undefined): void {
    for (const [part, json] of parts.entries())
      this.sql.exec(
        "insert or replace into state (part, version, company, id, json) values (?, ?, ?, ?, ?)",
        part,
        version,
        company,
        id,
        json,
      );
    if (before && before.rows > parts.length) this.sql.exec("delete from state where part >= ?", parts.length);
  }
}
