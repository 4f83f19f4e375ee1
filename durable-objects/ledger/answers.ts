const aDay = 24 * 60 * 60 * 1000;
/** Expired answers are deleted together, once in so many milliseconds at most. */
const together = 60_000;

/** What was answered to a request that may come again with its idempotency key, for 24 hours. */
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

  /** When some of them are to be deleted, in milliseconds since 1970. */
  nextDue(): number | undefined {
    const { first } = this.sql.exec<{ first: number | null }>("select min(until) as first from answer").one();
    return first === null ? undefined : Math.ceil(first / together) * together;
  }

  /** What has expired goes. */
  forget(): void {
    this.sql.exec("delete from answer where until <= ?", Date.now());
  }

  /** Called inside a commit. */
  keep(id: string, answer: Answer): void {
    this.forget();
    this.sql.exec(
      "insert or replace into answer (id, json, until) values (?, ?, ?)",
      id,
      JSON.stringify(answer),
      Date.now() + aDay,
    );
  }

  /** Answers in which something stands that must not be kept go. @returns whether there were any */
  drop(isGone: (answer: Answer) => boolean): boolean {
    const rows = this.sql.exec<{ id: string; json: string }>("select id, json from answer").toArray();
    const gone = rows.filter(({ json }) => isGone(JSON.parse(json)));
    for (const { id } of gone) this.sql.exec("delete from answer where id = ?", id);
    return gone.length > 0;
  }
}
