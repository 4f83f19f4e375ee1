import type { Event } from "./decision.ts";
import { chunkText } from "./chunk-text.ts";

/** An event and where it stands in the log. */
export interface LoggedEvent {
  position: number;
  event: Event;
}

/** How long events are kept. */
export const logDays = 30;

/** Writes events into the log, in their order. Writing one twice changes nothing. */
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

/** Events of a company that are asked for. */
interface EventQuery {
  /** The newest first; otherwise the oldest. */
  isDescending?: boolean;
  /** The position beyond which they begin, in the order asked for. */
  after?: number | undefined;
  types?: string[] | undefined;
  /** ISO 8601; nothing earlier. */
  since?: string | undefined;
  limit: number;
}

/** What has happened in a company, in the order of the log. */
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

/** Where an event of a company stands in the log, while it is kept. */
export async function positionOf(archive: D1Database, company: string, id: string): Promise<number | undefined> {
  const row = await archive
    .prepare("select position from events where id = ? and company = ?")
    .bind(id, company)
    .first<{ position: number }>();
  return row?.position;
}

/** Events deleted in one statement, and statements in one sweep. */
const [batch, mostBatches] = [1000, 50];

/** Deletes what is older than the log keeps, batch by batch until nothing is left; of very much the rest with the next sweep. */
export async function deleteExpiredEvents(archive: D1Database, now: number): Promise<void> {
  const before = new Date(now - logDays * 24 * 60 * 60 * 1000).toISOString();
  const statement = archive
    .prepare(`delete from events where position in (select position from events where createdAt < ? limit ${batch})`)
    .bind(before);
  for (let count = 0; count < mostBatches; count++) {
    const { meta } = await statement.run();
    if (meta.changes < batch) return;
  }
}
