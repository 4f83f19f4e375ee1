import QuickLRU from "quick-lru";
import type { Env } from "../platform/env.ts";
import { Problem, type Reason } from "../platform/problem.ts";
import { countFailure, networkOf } from "./rate-limit.ts";

/** Secrets that were valid at their last check. They do not count against the limit of their network. */
const proven = new QuickLRU<string, true>({ maxSize: 10_000 });

const failures: readonly Reason[] = [
  "unauthenticated",
  "key_expired",
  "account_blocked",
  "company_suspended",
  "not_found",
];

/**
 * Verifies a key or the secret of a link. A network may send only a few wrong secrets per minute, because each check
 * calls a Durable Object.
 * @throws Problem `rate_limited` with Retry-After, and everything that `verify` throws
 */
export async function checkSecret<Result>(
  secret: string,
  { request, env }: { request: Pick<Request, "headers">; env: Env },
  verify: () => Promise<Result>,
): Promise<Result> {
  // Counted before the call, so that concurrent requests cannot bypass the limit.
  const giveBack = proven.has(secret) ? () => undefined : countFailure(networkOf(request), env);
  try {
    const result = await verify();
    giveBack();
    proven.set(secret, true);
    return result;
  } catch (error) {
    if (error instanceof Problem && failures.includes(error.reason)) proven.delete(secret);
    else giveBack();
    throw error;
  }
}
