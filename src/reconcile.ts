import { refreshSoon } from "./areas/exchange-rates/refresh.ts";
import { resumeImports } from "./areas/transactions/pending-imports.ts";
import type { Env } from "./platform/env.ts";
import { deleteExpiredEvents } from "./platform/event-log.ts";
import { log } from "./platform/log.ts";
import { deleteOrphans } from "./platform/orphans.ts";
import { objectOf } from "./platform/aggregates.ts";
import { storedRecords, type RecordFacts } from "./records.ts";
import { deleteAbandonedUploads } from "./http/uploads/uploads.ts";

/** A record that is late by more than this is overdue. Either its alarm was lost, or its job is waiting in a long queue. */
const overdueMilliseconds = 5 * 60 * 1000;

/**
 * Builds a query for the overdue records of a table. Its parameter is a time: the records were due before it, or have the
 * status `overdue.status` and last changed before it.
 */
const overdueIn = (table: string, overdue: NonNullable<RecordFacts["overdue"]>): string =>
  overdue === "dueAt"
    ? `select company, id from ${table} where dueAt > '' and dueAt < ? limit 200`
    : `select company, id from ${table}
       where row in (select row from ${table}_postings where term = 'status:${overdue.status}') and updatedAt < ? limit 200`;

const queries = storedRecords.flatMap(({ binding, table, overdue }) =>
  table && overdue ? [{ binding, query: overdueIn(table, overdue) }] : [],
);

/**
 * Runs every minute as a fallback for lost alarms: it calls overdue aggregates, which then set their alarm again.
 * Overdue aggregates are rare, so their number is logged. It also resumes interrupted imports of transactions, fetches
 * new exchange rates and deletes expired events. Once an hour it deletes uploads that requests left behind, and stored
 * files to which no record refers.
 */
export async function reconcile(env: Env, now = Date.now()): Promise<void> {
  const since = new Date(now - overdueMilliseconds).toISOString();
  for (const { binding, query } of queries) {
    const { results } = await env.ARCHIVE.prepare(query).bind(since).all<{ company: string; id: string }>();
    await Promise.all(results.map(({ company, id }) => objectOf(env, binding, company, id).waitUntilComplete(0)));
    if (results.length > 0) log({ what: "sweep", binding, late: results.length });
  }
  const imports = await resumeImports(env, since);
  if (imports > 0) log({ what: "sweep", binding: "LEDGERS", late: imports });
  await refreshSoon(env, now);
  await deleteExpiredEvents(env.ARCHIVE, now);
  if (new Date(now).getUTCMinutes() === 0) {
    const leftovers = await deleteAbandonedUploads(env.FILES, now);
    const orphans = await deleteOrphans(env, now);
    if (leftovers + orphans > 0) log({ what: "sweep", binding: "FILES", leftovers, orphans });
  }
}
