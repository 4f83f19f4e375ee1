import { purgeTimeOf, replyLifetimeMilliseconds } from "../aggregate/idempotency.ts";

/** Replies of the ledger by idempotency key, stored for 24 hours. */
export class LedgerAnswers<Answer> {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec(
      "create table if not exists answer (id text primary key, json text not null, until integer not null) without rowid",
    );
  }

  to(id: string): Answer | undefined {
    const [row] = this.sql
      .exec<{ json: string }>("select json from answer where id = ? and until > ?", id, Date.now())
      .toArray();
    return row && JSON.parse(row.json);
  }

  /** When expired replies are deleted next, in milliseconds since 1970. */
  nextDue(): number | undefined {
    const { first } = this.sql.exec<{ first: number | null }>("select min(until) as first from answer").one();
    return first === null ? undefined : purgeTimeOf(first);
  }

  forget(): void {
    this.sql.exec("delete from answer where until <= ?", Date.now());
  }

  /** Stores a reply. Must be called inside a commit. */
  keep(id: string, answer: Answer): void {
    this.forget();
    this.sql.exec(
      "insert or replace into answer (id, json, until) values (?, ?, ?)",
      id,
      JSON.stringify(answer),
      Date.now() + replyLifetimeMilliseconds,
    );
  }

  drop(isGone: (answer: Answer) => boolean): boolean {
    const rows = this.sql.exec<{ id: string; json: string }>("select id, json from answer").toArray();
    const gone = rows.filter(({ json }) => isGone(JSON.parse(json)));
    for (const { id } of gone) this.sql.exec("delete from answer where id = ?", id);
    return gone.length > 0;
  }
}
