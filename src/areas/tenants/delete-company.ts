import { archiveTables, everyone, type ArchiveTable } from "../../platform/archive/archive.ts";
import type { Env, Job } from "../../platform/env.ts";
import type { AggregateBinding } from "../../platform/registered.ts";
import type { RecordType } from "../../platform/registered.ts";
import { log } from "../../platform/log.ts";
import { executeCommand, forgetClaim, objectOf } from "../../platform/aggregates.ts";
import { bindingOfTable, foldersOf, foundByFolder, archiveDelay } from "../privacy/data-map.ts";
import { storedRecords, type StoredRecord } from "../../records.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import { senderIds, senderIndexes } from "../senders/memory.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { areConnectorsNotified, settledMilliseconds } from "./jobs.ts";
import { commands } from "./commands.ts";

const runMilliseconds = 10_000;
const [objectsAtOnce, rowsAtOnce, filesAtOnce] = [20, 500, 1000];

interface Tenant {
  env: Env;
  company: string;
}

/** @returns the number of deleted items; 0 if nothing of this kind was left */
type DeleteBatch = (tenant: Tenant) => Promise<number>;

/**
 * Runs the job `tenants.delete`, which deletes all data of a company batch by batch until a pass finds nothing. May be
 * interrupted, and may run twice at the same time.
 */
export async function deleteAll({ company }: Job, env: Env): Promise<void> {
  const call = { company, id: company };
  const { since, hasConnectors } = (await executeCommand(env, commands.condemned, call, {})).reply;
  if (since === undefined) return;
  if (hasConnectors) {
    // Connectors need the freights, so nothing is deleted before. The aggregate requests the uncompleted job again.
    if (!(await areConnectorsNotified(env, company, since))) return;
    await executeCommand(env, commands.connectorsTold, call, {});
  }
  const until = Date.now() + runMilliseconds;
  for (let passBegan = Date.now(); ; passBegan = Date.now()) {
    const count = await deletePass({ env, company }, until);
    log({ what: "tenants.delete", company, count });
    if (Date.now() >= until) {
      await executeCommand(env, commands.deletedSome, call, {});
      return;
    }
    if (count > 0) continue;
    // Requests from just before the deletion may still write data. The aggregate requests the uncompleted job again.
    if (passBegan - Date.parse(since) < Math.max(settledMilliseconds, archiveDelay(env))) return;
    break;
  }
  await objectOf(env, "COMPANIES", company, company).forgetBeside();
  await executeCommand(env, commands.deletedAll, call, {});
}

async function deletePass(tenant: Tenant, until: number): Promise<number> {
  let count = 0;
  for (const deleteBatch of batches)
    for (let deleted = -1; deleted !== 0 && Date.now() < until; count += deleted) deleted = await deleteBatch(tenant);
  return count;
}

/** The rows are deleted last, because they are needed to find the records. */
function deleteListed(table: ArchiveTable): DeleteBatch {
  const binding = bindingOfTable(table);
  return async (tenant) => {
    const { env, company } = tenant;
    const { results } = await env.ARCHIVE.prepare(
      `select o.row, o.id, v.view from ${table} o left join ${table}_views v on v.row = o.row where o.company = ? limit ${(binding ?? table === "audit") ? objectsAtOnce : rowsAtOnce}`,
    )
      .bind(company)
      .all<{ row: number; id: string; view: string | null }>();
    if (binding)
      await destroy(
        tenant,
        binding,
        results.map(({ id }) => id),
      );
    if (table === "audit")
      await destroyAudited(
        tenant,
        results.map(({ view }) => view ?? "{}"),
      );
    const rows = results.map(({ row }) => row);
    if (table === "freights")
      await deleteRows(
        env,
        "board",
        await besideRows(
          env,
          results.map(({ id }) => id),
        ),
      );
    await deleteRows(env, table, rows);
    return rows.length;
  };
}

async function destroyAudited(tenant: Tenant, views: string[]): Promise<void> {
  const ids = new Map<AggregateBinding, Set<string>>();
  for (const view of views) {
    const { resource } = JSON.parse(view) as { resource?: { type: RecordType; id: string } };
    const binding = resource && bindings.get(resource.type);
    if (binding) ids.set(binding, (ids.get(binding) ?? new Set()).add(resource.id));
  }
  for (const [binding, found] of ids) await destroy(tenant, binding, [...found]);
}

/** The ledger is deleted separately, and the company keeps the record of its own deletion. */
const bindings = new Map<RecordType, AggregateBinding>(
  storedRecords
    .filter(({ binding }) => binding !== "LEDGERS" && binding !== "COMPANIES")
    .map(({ type, binding }) => [type, binding]),
);

async function destroy({ env, company }: Tenant, binding: AggregateBinding, ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const object = objectOf(env, binding, company, id);
      for (const name of await object.heldClaims()) await forgetClaim(env, company, name);
      await object.destroy();
    }),
  );
}

async function deleteLagging(tenant: Tenant): Promise<number> {
  const { env, company } = tenant;
  const register = objectOf(env, "COMPANIES", company, company);
  const page = await register.lagging(0, objectsAtOnce);
  for (const { binding, id } of page) {
    await destroy(tenant, binding, [id]);
    await register.hasCaughtUp(binding, id);
  }
  return page.length;
}

async function besideRows({ ARCHIVE }: Env, ids: readonly string[]): Promise<number[]> {
  const { results } = await ARCHIVE.prepare(
    "select row from board where company = ?1 and id in (select value from json_each(?2))",
  )
    .bind(everyone, JSON.stringify(ids))
    .all<{ row: number }>();
  return results.map(({ row }) => row);
}

async function deleteRows({ ARCHIVE }: Env, table: ArchiveTable, rows: readonly number[]): Promise<void> {
  if (rows.length === 0) return;
  const among = JSON.stringify(rows);
  const statements = [
    `delete from ${table}_postings where (company, term, createdAt, row) in (
       select o.company, t.value, o.createdAt, o.row from json_each(?1) n cross join ${table} o on o.row = n.value
       cross join ${table}_views v on v.row = o.row cross join json_each(v.terms) t)`,
    `delete from ${table}_views where row in (select value from json_each(?1))`,
    `delete from ${table} where row in (select value from json_each(?1))`,
  ];
  await ARCHIVE.batch(statements.map((sql) => ARCHIVE.prepare(sql).bind(among)));
}

/** If a folder has more files than one batch deletes, a later batch finds it again. */
const deleteUnlisted =
  (record: StoredRecord): DeleteBatch =>
  async (tenant) => {
    const { env, company } = tenant;
    for await (const { batch } of foldersOf(record)(env, company)) {
      const ids = batch.of === "Records" ? batch.things.map(({ id }) => id) : [];
      await destroy(tenant, record.binding, ids);
      for (const id of ids) await deleteFiles(env, `${company}/${record.folder}/${id}/`);
      return ids.length;
    }
    return 0;
  };

async function deleteFiles({ FILES }: Env, prefix: string): Promise<number> {
  const { objects } = await FILES.list({ prefix, limit: filesAtOnce });
  if (objects.length > 0) await FILES.delete(objects.map(({ key }) => key));
  return objects.length;
}

async function deleteWebhooks(tenant: Tenant): Promise<number> {
  const { env, company } = tenant;
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  for (const { id } of subscribers) {
    await destroy(tenant, "SUBSCRIPTIONS", [id]);
    await executeCommand(env, companyCommands.unsubscribe, { company, id: company }, { id });
  }
  return subscribers.length;
}

async function deleteSenders(tenant: Tenant): Promise<number> {
  const names = await senderIds(tenant.env, tenant.company);
  await destroy(tenant, "SENDERS", names);
  await destroy(tenant, "SENDERS", senderIndexes);
  return names.length;
}

async function deleteLedger({ env, company }: Tenant): Promise<number> {
  const ledger = ledgerOf(env, company);
  if ((await ledger.nextPart()) === undefined) return 0;
  await ledger.destroy();
  return 1;
}

async function deleteEvents({ env, company }: Tenant): Promise<number> {
  const { meta } = await env.ARCHIVE.prepare(
    `delete from events where position in (select position from events where company = ? limit ${rowsAtOnce})`,
  )
    .bind(company)
    .run();
  return meta.changes;
}

async function deleteImports({ env, company }: Tenant): Promise<number> {
  return (await env.ARCHIVE.prepare("delete from imports where company = ?").bind(company).run()).meta.changes;
}

/** In `batches`, the audit log is the last table, and files come at the end: both are needed to find other records. */
const tables = (Object.keys(archiveTables) as ArchiveTable[]).filter(
  (table) => table !== "companies" && table !== "board",
);
const batches: DeleteBatch[] = [
  deleteLagging,
  deleteWebhooks,
  ...tables.toSorted((one, other) => Number(one === "audit") - Number(other === "audit")).map(deleteListed),
  ...foundByFolder.map(deleteUnlisted),
  deleteLedger,
  deleteSenders,
  deleteEvents,
  deleteImports,
  ({ env, company }) => deleteFiles(env, `${company}/`),
];
