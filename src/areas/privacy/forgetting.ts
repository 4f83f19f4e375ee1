import type { ArchiveTable } from "../../platform/archive/archive.ts";
import type { Env } from "../../platform/env.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { filesOf } from "./data-map.ts";

/** What stands beside things that go, all of one kind: their files, their events, their deliveries in the logs of webhooks. */
export async function forgetTold(
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

/** Rows of the archive that have not changed since go, with what they are found under and what is shown of them. */
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
