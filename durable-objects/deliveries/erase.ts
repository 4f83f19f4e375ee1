import type { PersonFinder } from "../../src/domain/person.ts";

const batchSize = 1000;

/** Returns the position at which the batch after the position `after` ends; undefined if no delivery follows. */
export function lastOfNext(sql: SqlStorage, after: number): number | undefined {
  const { last } = sql
    .exec<{ last: number | null }>(
      `select max(seq) as last from (select seq from delivery where seq > ? order by seq limit ${batchSize})`,
      after,
    )
    .one();
  return last ?? undefined;
}

type Row = { seq: number; event_id: string; okey: string; body: string };

/**
 * Deletes deliveries in a range that mention a person in the body or in an answer.
 * @returns the keys of the resources that the deleted deliveries were about
 */
export function eraseBetween(sql: SqlStorage, finder: PersonFinder, after: number, upTo: number): Set<string> {
  const rows = sql.exec<Row>(
    "select seq, event_id, okey, body from delivery where seq > ? and seq <= ? order by seq",
    after,
    upTo,
  );
  const gone: Row[] = [];
  for (const row of rows) if (finder.isInJson(row.body) || isInAnswers(sql, finder, row.event_id)) gone.push(row);
  for (const { seq, event_id } of gone) {
    sql.exec("delete from delivery where seq = ?", seq);
    sql.exec("delete from attempt where event_id = ?", event_id);
  }
  return new Set(gone.map(({ okey }) => okey));
}

/** Answers of receivers may be any text, so they are not searched as JSON. */
function isInAnswers(sql: SqlStorage, finder: PersonFinder, eventId: string): boolean {
  const said = sql.exec<{ answer: string | null; detail: string | null }>(
    "select answer, detail from attempt where event_id = ?",
    eventId,
  );
  for (const { answer, detail } of said) if (finder.isIn(`${answer ?? ""} ${detail ?? ""}`)) return true;
  return false;
}
