import { objectOf } from "../../platform/aggregates.ts";
import { retainedLogs, type Forgetting, type RetainedLog, type Retention } from "./retained.ts";

export const isLog = (kind: keyof Retention): kind is RetainedLog => retainedLogs.includes(kind as RetainedLog);

/** What logs say from before a moment goes. */
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
