import type { Caller } from "./credential.ts";
import type { Env } from "./env.ts";
import { Problem } from "./problem.ts";

/** Requests per second and key, and how many may come at once. */
const usual = { perSecond: 100, burstSeconds: 2 };

interface Bucket {
  tokens: number;
  at: number;
}
const buckets = new Map<string, Bucket>();

/**
 * A token bucket for each key, kept by the isolate that serves it: exact on one machine, and on Cloudflare a limit for
 * each place a key calls from. Asking an object each time would cost every request a hop.
 * @returns headers that tell the caller where it stands
 * @throws Problem `rate_limited` with Retry-After
 */
export function spend(caller: Caller, env: Env): Record<string, string> {
  const perSecond = caller.requestsPerSecond ?? setFor(env);
  const burst = perSecond * usual.burstSeconds;
  const now = Date.now();
  const bucket = buckets.get(caller.keyId + caller.company) ?? fresh(caller, burst, now);
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  bucket.at = now;
  const policy = `"key";q=${perSecond};w=1;burst=${burst}`;
  if (bucket.tokens < 1) {
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
    throw new Problem("rate_limited", `This key may make ${perSecond} requests per second.`, {
      headers: { "retry-after": String(seconds), "ratelimit-policy": policy, ratelimit: `"key";r=0;t=${seconds}` },
    });
  }
  bucket.tokens -= 1;
  return { "ratelimit-policy": policy, ratelimit: `"key";r=${Math.floor(bucket.tokens)};t=1` };
}

function setFor({ RATE_LIMIT_PER_SECOND }: Env): number {
  const perSecond = Number(RATE_LIMIT_PER_SECOND);
  return perSecond > 0 ? perSecond : usual.perSecond;
}

function fresh(caller: Caller, burst: number, now: number): Bucket {
  if (buckets.size > 10_000) buckets.clear();
  const bucket = { tokens: burst, at: now };
  buckets.set(caller.keyId + caller.company, bucket);
  return bucket;
}
