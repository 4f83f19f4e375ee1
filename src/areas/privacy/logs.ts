import type { Env } from "../../kit/env.ts";
import { objectOf } from "../../kit/owners.ts";
import { retainedLogs, type RetainedLog, type Retention } from "./retained.ts";

export const isLog = (kind: keyof Retention): kind is RetainedLog => retainedLogs.includes(kind as RetainedLog);

/** What logs say from before a moment goes. */
export const forgetLog = (env: Env, company: string, kind: RetainedLog, before: string): Promise<void> =>
  kind === "events" ? forgetEvents(env, company, before) : forgetDeliveries(env, company, before);

const atOnce = 1000;

async function forgetEvents({ ARCHIVE }: Env, company: string, before: string): Promise<void> {
  const statement = ARCHIVE.prepare(
    `delete from events where position in
     (select position from events where company = ?1 and createdAt < ?2 order by position limit ${atOnce})`,
  ).bind(company, before);
  for (let left = true; left;) left = (await statement.run()).meta.changes === atOnce;
}

async function forgetDeliveries(env: Env, company: string, before: string): Promise<void> {
  for (const { id } of await objectOf(env, "COMPANIES", company, company).subscribers()) {
    const webhook = objectOf(env, "SUBSCRIPTIONS", company, id);
    for (let left = true; left;) left = await webhook.forgetDeliveries(Date.parse(before));
  }
}
