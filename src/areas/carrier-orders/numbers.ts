import type { Env } from "../../kit/env.ts";
import { newId } from "../../kit/ids.ts";
import { askOwner, releaseClaim, takeClaim } from "../../kit/owners.ts";
import { Problem } from "../../kit/problem.ts";
import { comparedNumber, isSameNumber } from "./order.ts";
import { steps } from "./steps.ts";

/** A number whose order still has another one this long after it was taken was left behind by a request that broke off. */
const leftBehindMilliseconds = 60_000;
/** So often, and so long each time, a number is looked at again that an order is just being given, or has just lost. */
const [mostLooks, pauseMilliseconds] = [10, 50];
/** No change of a number takes this long; after one that broke off, the order can be given another one again. */
const renamingMilliseconds = 20_000;

/**
 * Takes an order number for `wanted`, or tells which order has it: of all that ask at the same moment one order comes out,
 * and whoever is told of one that is not there yet may be the one to make it. Numbers of cancelled orders are free.
 * @throws Problem `in_progress` while another order is being given this number
 */
export async function takeNumber(env: Env, company: string, orderNumber: string, wanted: string): Promise<string> {
  const name = nameOf(orderNumber);
  for (let look = 1; ; look++) {
    const { holder, fresh, note } = await takeClaim(env, company, name, {
      holder: wanted,
      note: new Date().toISOString(),
    });
    if (fresh || holder === wanted) return holder;
    const { made } = (await askOwner(env, steps.number, { company, id: holder }, {})).reply;
    if (!made || (made.isLive && isSameNumber(made.orderNumber, orderNumber))) return holder;
    const leftBehind = Date.now() - Date.parse(note ?? "") >= leftBehindMilliseconds;
    if (!made.isLive || leftBehind) await releaseClaim(env, company, name, { holder, note });
    else if (look < mostLooks) await scheduler.wait(pauseMilliseconds);
    else throw inProgress(`An order is being given the number ${orderNumber}, or another one instead of it.`);
  }
}

/** Gives back the number of an order that is cancelled or has another one now. */
export const releaseNumber = (env: Env, company: string, orderNumber: string, holder: string): Promise<void> =>
  releaseClaim(env, company, nameOf(orderNumber), { holder });

/**
 * Changes an order's number while nobody else does: two changes at once could each give back what the other has taken.
 * @throws Problem `in_progress` while it is being changed
 */
export async function renaming<Outcome>(
  env: Env,
  company: string,
  id: string,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const name = `orders/renaming/${id}`;
  const claim = { holder: newId(), until: Date.now() + renamingMilliseconds };
  if (!(await takeClaim(env, company, name, claim)).fresh) throw inProgress("The order is being given another number.");
  try {
    return await change();
  } finally {
    await releaseClaim(env, company, name, claim);
  }
}

const nameOf = (orderNumber: string) => `orders/number/${comparedNumber(orderNumber)}`;

const inProgress = (detail: string) => new Problem("in_progress", detail, { headers: { "retry-after": "1" } });
