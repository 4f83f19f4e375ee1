import type { ArchiveTable } from "../../platform/archive/archive.ts";
import type { Env, Job } from "../../platform/env.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { filesOf, foldersOf, objectsBelow } from "./data-map.ts";
import {
  type Forgetting,
  type RetainedInLedger,
  type RetainedKind,
  type RetainedLog,
  type Retention,
  type RetentionPosition,
  ledgerKinds,
  retainedLogs,
  retainedRecord,
  retentionCommands,
} from "./retention.ts";
import { commands as collectionCommands } from "../document-collections/commands.ts";
import { commands as qualityCommands } from "../quality/commands.ts";
import { type StoredFile, deleteFiles } from "../../platform/files.ts";
import type { Command } from "../../platform/command.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import type { BindingFoundByFolder, StoredRecord } from "../../records.ts";
import type { AggregateBinding } from "../../platform/registered.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { ledgerOf } from "../transactions/ledger.ts";

/** Deletes the files, the events and the webhook deliveries of deleted records of one kind. */
export async function forgetEventsAndFiles(
  env: Env,
  company: string,
  { type, folder }: { type: string; folder?: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  const about = ids.map((id) => `${type}/${id}`);
  for (const { id } of subscribers) await objectOf(env, "SUBSCRIPTIONS", company, id).forgetThings(about);
  await env.ARCHIVE.prepare(
    "delete from events where company = ? and json_extract(event, '$.resource.id') in (select value from json_each(?))",
  )
    .bind(company, JSON.stringify(ids))
    .run();
  if (!folder) return;
  for (const id of ids)
    for await (const keys of filesOf(env, `${company}/${folder}/${id}/`))
      if (keys.length > 0) await env.FILES.delete(keys);
}

/**
 * Deletes the archive rows of records, and of the offers of freights, except rows that have changed since the given
 * time.
 */
export async function forgetRows(
  { ARCHIVE }: Env,
  company: string,
  kind: ArchiveTable,
  ids: string[],
  before: string,
): Promise<void> {
  if (ids.length === 0) return;
  const json = JSON.stringify(ids);
  const own = ARCHIVE.prepare(
    `select row from ${kind} where company = ?1 and updatedAt < ?3 and id in (select value from json_each(?2))`,
  ).bind(company, json, before);
  await forgetFound(ARCHIVE, kind, own);
  if (kind !== "freights") return;
  const offers = ARCHIVE.prepare(
    `select o.row from offers o cross join offers_views v on v.row = o.row
     where o.company = ?1 and v.view ->> 'freightId' in (select value from json_each(?2))`,
  ).bind(company, json);
  await forgetFound(ARCHIVE, "offers", offers);
}

async function forgetFound(archive: D1Database, table: string, found: D1PreparedStatement): Promise<void> {
  const { results } = await found.all<{ row: number }>();
  const rows = JSON.stringify(results.map(({ row }) => row));
  const statements = [
    `delete from ${table}_postings where (company, term, createdAt, row) in (
       select o.company, t.value, o.createdAt, o.row from json_each(?1) n cross join ${table} o on o.row = n.value
       cross join ${table}_views v on v.row = o.row cross join json_each(v.terms) t)`,
    `delete from ${table}_views where row in (select value from json_each(?1))`,
    `delete from ${table} where row in (select value from json_each(?1))`,
  ];
  await archive.batch(statements.map((sql) => archive.prepare(sql).bind(rows)));
}

export const isLog = (kind: keyof Retention): kind is RetainedLog => retainedLogs.includes(kind as RetainedLog);

/** Returns the function that deletes old entries of a log. */
export const forgetLog = (kind: RetainedLog): Forgetting => (kind === "events" ? forgetEvents : forgetDeliveries);

const atOnce = 1000;

const forgetEvents: Forgetting = async function* ({ ARCHIVE }, company, before) {
  const statement = ARCHIVE.prepare(
    `delete from events where position in
     (select position from events where company = ?1 and createdAt < ?2 order by position limit ${atOnce})`,
  ).bind(company, before);
  while ((await statement.run()).meta.changes === atOnce) yield "";
};

const forgetDeliveries: Forgetting = async function* (env, company, before) {
  for (const { id } of await objectOf(env, "COMPANIES", company, company).subscribers()) {
    const webhook = objectOf(env, "SUBSCRIPTIONS", company, id);
    while (await webhook.forgetDeliveries(Date.parse(before))) yield "";
  }
};

/** The folder of a record is deleted last, so that the record is found again after an interruption. */
export function forgetInFolders(kind: RetainedKind, record: StoredRecord): Forgetting {
  return async function* (env, company, before, from) {
    for await (const { batch, after } of foldersOf(record)(env, company, from)) {
      if (batch.of !== "Records") continue;
      const forgotten: string[] = [];
      for (const { id } of batch.things)
        if (await forgetRecord(env, company, { record, id }, before)) forgotten.push(id);
      await forgetRows(env, company, kind, forgotten, before);
      await forgetEventsAndFiles(env, company, record, forgotten);
      yield after;
    }
  };
}

const looks: Record<BindingFoundByFolder, Command<object, { updatedAt: string; files?: StoredFile[] }>> = {
  QUALITY: qualityCommands.look,
  DOCUMENT_COLLECTIONS: collectionCommands.look,
};

/**
 * Deletes a record that has not changed since `before`, with its files. A collection lists files that are not in its
 * folder.
 * @returns whether the record is deleted
 */
async function forgetRecord(
  env: Env,
  company: string,
  { record, id }: { record: StoredRecord; id: string },
  before: string,
): Promise<boolean> {
  const { binding, folder } = record;
  const known = await executeCommand(env, looks[binding as BindingFoundByFolder], { company, id }, {}).catch(
    ignoreNotFound,
  );
  // Files are stored before their record is created, so a folder with new files is kept.
  if (!known) return !(await hasYoung(env, `${company}/${folder}/${id}/`, Date.parse(before)));
  const { updatedAt, files = [] } = known.reply;
  if (updatedAt >= before) return false;
  await deleteFiles(env.FILES, files);
  return objectOf(env, binding, company, id).forget(before);
}

async function hasYoung(env: Env, prefix: string, before: number): Promise<boolean> {
  for await (const page of objectsBelow(env, prefix))
    if (page.some(({ uploaded }) => uploaded.getTime() >= before)) return true;
  return false;
}

const aDay = 24 * 60 * 60 * 1000;
const defaultRunMilliseconds = 10_000;
const pageSize = 100;

/**
 * Runs the job `privacy.retain`, which deletes the company's records whose retention period has ended. It runs for a
 * limited time and records its progress. May run twice.
 */
export async function retain({ company }: Job, env: Env): Promise<void> {
  const call = { company, id: company };
  const { reply } = await executeCommand(env, retentionCommands.look, call, {});
  const to = await forgetOlder(env, company, reply, Date.now());
  await executeCommand(env, retentionCommands.came, call, omitUndefined({ from: reply.from, to }));
}

/**
 * Deletes records whose retention period has ended, for a limited time.
 * @param now milliseconds since 1970
 * @returns the position from which the next run continues; undefined if nothing is left to delete
 */
export async function forgetOlder(
  env: Env,
  company: string,
  { retention, from }: { retention: Retention; from?: RetentionPosition | undefined },
  now: number,
): Promise<RetentionPosition | undefined> {
  const until = Date.now() + Number(env.PRIVACY_STRETCH_MS ?? defaultRunMilliseconds);
  const kinds = Object.entries(retention) as [keyof Retention, number][];
  const first = Math.max(
    0,
    kinds.findIndex(([kind]) => kind === from?.kind),
  );
  for (const [kind, count] of kinds.slice(first)) {
    const before = new Date(now - count * aDay).toISOString();
    for await (const after of forgetting(kind)(env, company, before, kind === from?.kind ? from.after : ""))
      if (Date.now() >= until) return { kind, after };
  }
  return undefined;
}

function forgetting(kind: keyof Retention): Forgetting {
  if (isLog(kind)) return forgetLog(kind);
  if (isInLedger(kind)) return forgetInLedger(kind);
  const record = retainedRecord(kind);
  return record?.isFoundByFolder ? forgetInFolders(kind, record) : forgetListed(kind, record);
}

const isInLedger = (kind: keyof Retention): kind is RetainedInLedger => kind in ledgerKinds;

/** The data in the ledger is deleted last: it is needed to find the records again after an interruption. */
function forgetInLedger(name: RetainedInLedger): Forgetting {
  const { kind, ...resources } = ledgerKinds[name];
  return async function* (env, company, before) {
    const ledger = ledgerOf(env, company);
    for (;;) {
      const records = await ledger.unchanged(kind, before, pageSize);
      if (records.length === 0) return;
      await forgetEventsAndFiles(
        env,
        company,
        resources,
        records.filter(({ hasEvents }) => hasEvents).map(({ id }) => id),
      );
      await ledger.forgetThese(
        kind,
        records.map(({ id }) => id),
      );
      yield "";
    }
  };
}

function forgetListed(kind: RetainedKind, record?: StoredRecord): Forgetting {
  const onlyWhere = record?.retention?.onlyWhere ?? "";
  return async function* (env, company, before, from) {
    const page = env.ARCHIVE.prepare(
      `select row, id from ${kind} where company = ?1 and updatedAt < ?2 and row > ?3 ${onlyWhere} order by row limit ${pageSize}`,
    );
    for (let after = Number(from); ;) {
      const { results } = await page.bind(company, before, after).all<{ row: number; id: string }>();
      if (results.length === 0) return;
      after = results.at(-1)!.row;
      const ids = results.map(({ id }) => id);
      const gone = record ? await forgottenAmong(env, company, { binding: record.binding, ids }, before) : ids;
      if (record) await forgetEventsAndFiles(env, company, record, gone);
      await forgetRows(env, company, kind, gone, before);
      yield String(after);
    }
  };
}

/** Each record itself decides, because its archive row may be outdated. @returns the ids of the deleted records */
async function forgottenAmong(
  env: Env,
  company: string,
  { binding, ids }: { binding: AggregateBinding; ids: readonly string[] },
  before: string,
): Promise<string[]> {
  const gone: string[] = [];
  for (const id of ids) if (await objectOf(env, binding, company, id).forget(before)) gone.push(id);
  return gone;
}
