import type { Env } from "./kit/env.ts";
import { forgetEvents } from "./kit/event-log.ts";
import { log } from "./kit/log.ts";
import { objectOf } from "./kit/owners.ts";

/** An order that the archive still calls `Processing` after this long has lost its alarm, or waits in a long queue. */
const overdueMilliseconds = 5 * 60 * 1000;

/**
 * A belt beside the braces: alarms bring every order to its end by themselves, and an object that is touched sets a lost
 * alarm again. So this touches those that are late; that it finds none is the normal case, and the log tells. Events that
 * are too old go.
 */
export async function sweep(env: Env, now = Date.now()): Promise<void> {
  const { results } = await env.ARCHIVE.prepare(
    `select company, id from orders
     where row in (select row from orders_postings where term = 'status:Processing') and updatedAt < ? limit 200`,
  )
    .bind(new Date(now - overdueMilliseconds).toISOString())
    .all<{ company: string; id: string }>();
  await Promise.all(results.map(({ company, id }) => objectOf(env, "ORDERS", company, id).settled(0)));
  await forgetEvents(env.ARCHIVE, now);
  if (results.length > 0) log({ what: "sweep", late: results.length });
}
