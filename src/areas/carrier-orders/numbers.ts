import { tight } from "../../kit/archive.ts";
import type { Env } from "../../kit/env.ts";
import { askOwner, releaseClaim, takeClaim } from "../../kit/owners.ts";
import { Problem } from "../../kit/problem.ts";
import { steps } from "./steps.ts";

/** A number whose order still has another one this long after it was taken was left behind by a request that broke off. */
const leftBehindMilliseconds = 60_000;

/**
 * Takes an order number for `wanted`, or tells which order has it: of all that ask at the same moment one order comes out,
 * and whoever is told of one that is not there yet may be the one to make it. Numbers of cancelled orders are free.
 * @throws Problem `duplicate_order_number` while another order is being given this number
 */
export async function takeNumber(env: Env, company: string, orderNumber: string, wanted: string): Promise<string> {
  const name = nameOf(orderNumber);
  for (;;) {
    const { holder, fresh, note } = await takeClaim(env, company, name, {
      holder: wanted,
      note: new Date().toISOString(),
    });
    if (fresh || holder === wanted) return holder;
    const { reply } = await askOwner(env, steps.number, { company, id: holder }, {});
    const hasIt = reply.orderNumber === undefined || nameOf(reply.orderNumber) === name;
    if (hasIt && reply.isLive !== false) return holder;
    if (!hasIt && Date.now() - Date.parse(note ?? "") < leftBehindMilliseconds)
      throw new Problem("duplicate_order_number", `Another order is being given the number ${orderNumber}.`);
    await releaseClaim(env, company, name, holder);
  }
}

/** Gives back the number of an order that is cancelled or has another one now. */
export const releaseNumber = (env: Env, company: string, orderNumber: string, holder: string): Promise<void> =>
  releaseClaim(env, company, nameOf(orderNumber), holder);

/** Numbers that differ only in case, blanks and dashes are the same. */
const nameOf = (orderNumber: string) => `orders/number/${tight(orderNumber) || orderNumber}`;
