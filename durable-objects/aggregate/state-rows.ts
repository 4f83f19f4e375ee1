import type { Tables } from "./tables.ts";

/** The last committed state of an aggregate. */
export interface StoredState<State> {
  version: number;
  state: State;
  company: string;
  id: string;
  rows: number;
}

/** The table of the state: one row, or several if the state exceeds the size of a row. */
export class StateRows<State> {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;

  constructor(sql: SqlStorage, tables: Tables) {
    this.sql = sql;
    this.tables = tables;
  }

  exist(): boolean {
    return this.tables.has("state");
  }

  read(): StoredState<State> | undefined {
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

  /**
   * Writes the state and deletes surplus rows of the previous one.
   * @param parts the state as JSON, split by {@link splitText}
   */
  write({ version, company, id }: StoredState<State>, parts: string[], before: StoredState<State> | undefined): void {
    this.tables.ensure(
      "state",
      "(part integer primary key, version integer not null, company text not null, id text not null, json text not null)",
    );
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

/** Maximum number of characters in one part. A row holds 2 MB, and a character takes up to three bytes. */
const longestPart = 400_000;

/** Splits a text into parts that fit into a row, without splitting a surrogate pair. */
export function splitText(text: string): string[] {
  if (text.length <= longestPart) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += parts.at(-1)!.length) {
    const end = start + longestPart;
    parts.push(text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end));
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
