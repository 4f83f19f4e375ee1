import type { Env, OwnerBinding } from "../../kit/env.ts";
import { objectOf } from "../../kit/owners.ts";
import { filesOf } from "./places.ts";
import { retainedKinds, type RetainedKind } from "./retained.ts";

/** What stands of a thing beside itself goes: its files, its events, its deliveries in the logs of webhooks. */
export async function forgetThing(
  env: Env,
  company: string,
  { binding, id }: { binding: OwnerBinding; id: string },
): Promise<void> {
  const kind = Object.values(retainedKinds).find((one) => one.binding === binding);
  if (!kind) return;
  const { folder, noun } = kind;
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  for (const subscriber of subscribers)
    await objectOf(env, "SUBSCRIPTIONS", company, subscriber.id).forgetThing(`${noun}/${id}`);
  await env.ARCHIVE.prepare("delete from events where company = ? and json_extract(event, '$.resource.id') = ?")
    .bind(company, id)
    .run();
  if (folder)
    for await (const keys of filesOf(env, `${company}/${folder}/${id}/`))
      if (keys.length > 0) await env.FILES.delete(keys);
}

/** Rows of the archive that have not changed since, and what they are found under. */
export async function forgetRows(
  { ARCHIVE }: Env,
  company: string,
  kind: RetainedKind,
  ids: string[],
  before: string,
): Promise<void> {
  if (ids.length === 0) return;
  const json = JSON.stringify(ids);
  const rows = (table: string, which: string) => [
    `delete from ${table}_postings where (company, term, createdAt, row) in (
       select o.company, t.value, o.createdAt, o.row from ${table} o cross join json_each(o.terms) t where ${which})`,
    `delete from ${table} where row in (select o.row from ${table} o where ${which})`,
  ];
  const own = rows(kind, "o.company = ?1 and o.updatedAt < ?3 and o.id in (select value from json_each(?2))").map(
    (sql) => ARCHIVE.prepare(sql).bind(company, json, before),
  );
  const offers =
    kind === "freights"
      ? rows("offers", "o.company = ?1 and o.view ->> 'freightId' in (select value from json_each(?2))").map((sql) =>
          ARCHIVE.prepare(sql).bind(company, json),
        )
      : [];
  await ARCHIVE.batch([...offers, ...own]);
}
