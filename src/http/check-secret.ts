import QuickLRU from "quick-lru";
import type { Env } from "../platform/env.ts";
import { networkOf } from "../platform/network.ts";
import { Problem, type Reason } from "../platform/problem.ts";
import { takeFailure } from "./rate-limit.ts";

/** Secrets that were right the last time: they are looked up whatever others of the same network do. */
const proven = new QuickLRU<string, true>({ maxSize: 10_000 });

const failures: readonly Reason[] = [
  "unauthenticated",
  "key_expired",
  "account_blocked",
  "company_suspended",
  "not_found",
];

/**
 * Looks up what a key or a link opens. A wrong one costs a call to an object that whoever sends it has chosen, so that a
 * network may send a few in a minute and is then refused without a look.
 * @throws Problem `rate_limited` with Retry-After, and whatever `look` throws
 */
export async function checkSecret<Found>(
  secret: string,
  { request, env }: { request: Pick<Request, "headers">; env: Env },
  look: () => Promise<Found>,
): Promise<Found> {
  // Taken before the look, so that many at once are no way around the limit.
  const giveBack = proven.has(secret) ? () => undefined : takeFailure(networkOf(request), env);
  try {
    const found = await look();
    giveBack();
    proven.set(secret, true);
    return found;
  } catch (error) {
    if (error instanceof Problem && failures.includes(error.reason)) proven.delete(secret);
    else giveBack();
    throw error;
  }
}
