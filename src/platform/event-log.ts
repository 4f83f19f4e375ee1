import type { Event } from "./decision.ts";
import { chunkText } from "./chunk-text.ts";

export interface LoggedEvent {
  position: number;
  event: Event;
}

/** Retention of events, in days. */
export const logDays = 30;

/** Builds statements that append events to the log. Appending an event twice has no effect. */
export function logStatements(archive: D1Database, events: Event[]): D1PreparedStatement[] {
  const rows = events.map((event) => JSON.stringify(event));
  return chunkText(rows).map((piece) =>
    archive
      .prepare(
        `insert or ignore into events (id, company, type, createdAt, event)
         select value ->> 'id', value ->> 'company', value ->> 'type', value ->> 'at', value
         from json_each(?) order by key`,
      )
      .bind(`[${piece.join(",")}]`),
  );
}

interface EventQuery {
  /** The default is oldest first. */
  isDescending?: boolean;
  /** Position of the last event of the previous page. */
  after?: number | undefined;
  types?: string[] | undefined;
  /** ISO 8601; earlier events are left out. */
  since?: string | undefined;
  limit: number;
}

/** Returns a page of a company's events, by position in the log. */
export async function listEvents(
  archive: D1Database,
  company: string,
  { isDescending = false, after, types, since = "", limit }: EventQuery,
): Promise<LoggedEvent[]> {
  const [beyond, first, direction] = isDescending ? ["<", Number.MAX_SAFE_INTEGER, "desc"] : [">", 0, "asc"];
  const { results } = await archive
    .prepare(
      `select position, event from events where company = ?1 and position ${beyond} ?2 and createdAt >= ?3
       and (?4 is null or type in (select value from json_each(?4))) order by position ${direction} limit ?5`,
    )
    .bind(company, after ?? first, since, types ? JSON.stringify(types) : null, limit)
    .all<{ position: number; event: string }>();
  return results.map(({ position, event }) => ({ position, event: JSON.parse(event) }));
}

/**
 * Returns the position of an event in the log; undefined if the event is unknown or was deleted after its retention.
 */
export async function positionOf(archive: D1Database, company: string, id: string): Promise<number | undefined> {
  const row = await archive
    .prepare("select position from events where id = ? and company = ?")
    .bind(id, company)
    .first<{ position: number }>();
  return row?.position;
}

const [batch, maxBatches] = [1000, 50];

/** Deletes expired events. The number of deletions per run is limited; the next run deletes the rest. */
export async function deleteExpiredEvents(archive: D1Database, now: number): Promise<void> {
  const before = new Date(now - logDays * 24 * 60 * 60 * 1000).toISOString();
  const statement = archive
    .prepare(`delete from events where position in (select position from events where createdAt < ? limit ${batch})`)
    .bind(before);
  for (let count = 0; count < maxBatches; count++) {
    const { meta } = await statement.run();
    if (meta.changes < batch) return;
  }
}
