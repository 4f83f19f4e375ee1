import { refreshSoon } from "./areas/exchange-rates/refresh.ts";
import { resumeImports } from "./areas/transactions/pending-imports.ts";
import type { Env } from "./platform/env.ts";
import { deleteExpiredEvents } from "./platform/event-log.ts";
import { log } from "./platform/log.ts";
import { deleteOrphans } from "./platform/orphans.ts";
import { objectOf } from "./platform/aggregates.ts";
import { storedRecords, type RecordFacts } from "./records.ts";
import { deleteAbandonedUploads } from "./http/uploads/uploads.ts";

/** The alarm of a record that is late by more than this was probably lost. */
const overdueMilliseconds = 5 * 60 * 1000;

/**
 * The parameter of the query is a time. It finds records that were due before it, or that have the status and have not
 * changed since.
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
 * Runs every minute: calls overdue aggregates, whose alarm may have been lost, resumes interrupted imports of
 * transactions, fetches exchange rates and deletes expired events. Once an hour, it deletes abandoned uploads and files
 * to which no record refers.
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
