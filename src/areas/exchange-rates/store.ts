import type { ExternalFailure } from "../../platform/external.ts";
import { chunkText } from "../../platform/chunk-text.ts";
import type { RatesByDay } from "./ecb.ts";
import type { DayRates } from "./rates.ts";

/** The published rates of one day and source. */
export interface Published {
  source: string;
  date: string;
  rates: DayRates;
}

/** Stores rates. Rates of the same source and day for other currency pairs are kept. */
export async function keepRates(archive: D1Database, source: string, days: RatesByDay): Promise<void> {
  const rows = [...days].map(([date, rates]) => JSON.stringify({ source, date, rates }));
  if (rows.length === 0) return;
  await archive.batch(
    chunkText(rows).map((piece) =>
      archive
        .prepare(
          `insert into exchange_rates (source, date, rates)
           select value ->> 'source', value ->> 'date', value -> 'rates' from json_each(?) where true
           on conflict (source, date) do update set rates = json_patch(rates, excluded.rates)`,
        )
        .bind(`[${piece.join(",")}]`),
    ),
  );
}

/** Loads the rates of a period, newest day first. */
export async function ratesBetween(
  archive: D1Database,
  { from, to, source }: { from: string; to: string; source?: string | undefined },
): Promise<Published[]> {
  const { results } = await archive
    .prepare(
      `select source, date, rates from exchange_rates
       where date >= ?1 and date <= ?2 and (?3 is null or source = ?3) order by date desc, source limit 200`,
    )
    .bind(from, to, source ?? null)
    .all<{ source: string; date: string; rates: string }>();
  return results.map((row) => ({ ...row, rates: JSON.parse(row.rates) as DayRates }));
}

/**
 * Returns the newest day with rates, such as `2026-11-20`. Days after today are ignored, because they do not show
 * whether the rates that are due have arrived. Empty if there is none.
 */
export async function newestDay(archive: D1Database, source: string): Promise<string> {
  const row = await archive
    .prepare("select max(date) as date from exchange_rates where source = ? and date <= date('now')")
    .bind(source)
    .first<{ date: string | null }>();
  return row?.date ?? "";
}

/**
 * Whether the caller may send a request to the source: none was sent since `before`. If so, the request is recorded as
 * pending, and the caller must record its result.
 */
export async function mayRequest(
  archive: D1Database,
  source: string,
  { now, before }: { now: string; before: string },
): Promise<boolean> {
  const { meta } = await archive
    .prepare(
      `insert into exchange_rate_requests (source, requestedAt, failure) values (?1, ?2, ?4)
       on conflict (source) do update set requestedAt = excluded.requestedAt, failure = excluded.failure
       where requestedAt < ?3`,
    )
    .bind(source, now, before, pending)
    .run();
  return meta.changes > 0;
}

const pending = JSON.stringify("Pending");

/**
 * Records the result of a request to the source.
 * @param failure undefined if the request succeeded
 */
export async function noteRequest(
  archive: D1Database,
  source: string,
  failure: ExternalFailure | undefined,
): Promise<void> {
  await archive
    .prepare(
      `insert into exchange_rate_requests (source, requestedAt, failure) values (?1, ?2, ?3)
       on conflict (source) do update set requestedAt = excluded.requestedAt, failure = excluded.failure`,
    )
    .bind(source, new Date().toISOString(), failure ? JSON.stringify(failure) : null)
    .run();
}

/**
 * Loads the failure of the last request; "Pending" until the source responds, undefined if it succeeded or none was
 * sent.
 */
export async function lastFailure(
  archive: D1Database,
  source: string,
): Promise<ExternalFailure | "Pending" | undefined> {
  const failure = await archive
    .prepare("select failure from exchange_rate_requests where source = ?")
    .bind(source)
    .first<string>("failure");
  return failure ? (JSON.parse(failure) as ExternalFailure | "Pending") : undefined;
}
