/** How long a completed delivery is stored, with its attempts. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** A batch includes records that expire within an hour, so that cleanup starts once an hour, not once per record. */
const aheadMilliseconds = 60 * 60 * 1000;
/** Maximum number of deliveries deleted in one transaction. */
const batch = 1000;

/**
 * Deletes the records of deliveries before they are older than 30 days. Cleanup has its own due time and deletes one
 * batch at a time. While further records are due, the next batch is due at once, so cleanup keeps pace with any rate.
 */
export class LogRetention {
  private readonly sql: SqlStorage;
  /** In milliseconds since 1970; undefined if not known. */
  private oldest: number | undefined;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** When cleanup is due, in milliseconds since 1970. Must be called only if the tables exist. */
  nextDue(): number | undefined {
    this.oldest ??= oldestDone(this.sql);
    return this.oldest === undefined ? undefined : this.oldest + keptMilliseconds;
  }

  /** Deletes a batch if cleanup is due. Must be called inside a transaction. */
  run(now: number): void {
    if ((this.nextDue() ?? Infinity) > now) return;
    deleteDone(this.sql, now - keptMilliseconds + aheadMilliseconds);
    this.oldest = undefined;
  }

  forget(): void {
    this.oldest = undefined;
  }
}

const oldestDone = (sql: SqlStorage): number | undefined =>
  sql.exec<{ done: number | null }>("select min(done) as done from delivery where done is not null").one().done ??
  undefined;

/**
 * Deletes a batch of deliveries that were completed before a time, with their attempts.
 * @param before milliseconds since 1970
 * @returns whether more may be left
 */
export function deleteDone(sql: SqlStorage, before: number): boolean {
  const deleted = sql
    .exec<{ event_id: string }>(
      `delete from delivery where seq in (select seq from delivery where done < ? limit ${batch}) returning event_id`,
      before,
    )
    .toArray();
  const events = JSON.stringify(deleted.map(({ event_id }) => event_id));
  if (deleted.length > 0) sql.exec("delete from attempt where event_id in (select value from json_each(?))", events);
  return deleted.length === batch;
}
