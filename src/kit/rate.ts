import type { Caller } from "./credential.ts";
import type { Env } from "./env.ts";
import { Problem } from "./problem.ts";

/** Requests per second and key, and how many may come at once. */
const usual = { perSecond: 100, burstSeconds: 2 };
/** Requests per second on a link that needs no key. */
const linkPerSecond = 10;

interface Bucket {
  tokens: number;
  at: number;
}
type Buckets = Map<string, Bucket>;
const keys: Buckets = new Map();
/** Apart from the keys: anybody can make up links, and so many that all buckets are forgotten. */
const links: Buckets = new Map();

/**
 * A token bucket for each key, kept by the isolate that serves it: exact on one machine, and on Cloudflare a limit for
 * each place a key calls from. Asking an object each time would cost every request a hop.
 * @returns headers that tell the caller where it stands
 * @throws Problem `rate_limited` with Retry-After
 */
export const spend = (caller: Caller, env: Env) =>
  spendFrom(keys, caller.keyId + caller.company, "key", caller.requestsPerSecond ?? setFor(env));

/** The same for a link, whoever follows it. @throws Problem `rate_limited` with Retry-After */
export const spendOnLink = (link: string) => spendFrom(links, link, "link", linkPerSecond);

/** Mails that anybody may ask for without a key. */
const mails: Buckets = new Map();
/** How many in a minute: of a freight more than one visitor can use up. */
const mailsPerMinute = { visitor: 1, address: 1, freight: 3 };
/** So many minutes' worth at once. */
const mailMinutes = 10;

/**
 * The same for a mail, by whom, to whom and for what it is asked. One that is refused spends nothing: whoever asks too often
 * leaves the others theirs.
 * @throws Problem `rate_limited` with Retry-After
 */
export function spendOnMail(asked: Record<keyof typeof mailsPerMinute, string | undefined>): void {
  const limits = (["visitor", "address", "freight"] as const).flatMap((by) => {
    const [name, count] = [asked[by], mailsPerMinute[by]];
    const window = { seconds: 60, burst: count * mailMinutes };
    return name === undefined ? [] : [[mails, `${by}/${name}`, "mail", count, window] as const];
  });
  for (const limit of limits) requireFrom(...limit);
  for (const limit of limits) spendFrom(...limit);
}

function spendFrom(...limit: Parameters<typeof requireFrom>): Record<string, string> {
  const { bucket, policy } = requireFrom(...limit);
  bucket.tokens -= 1;
  return { "ratelimit-policy": policy, ratelimit: `"${limit[2]}";r=${Math.floor(bucket.tokens)};t=1` };
}

/** The bucket, in which there is something to spend. @throws Problem `rate_limited` when there is not */
function requireFrom(
  buckets: Buckets,
  name: string,
  kind: string,
  count: number,
  { seconds: window, burst } = { seconds: 1, burst: count * usual.burstSeconds },
): { bucket: Bucket; policy: string } {
  const perSecond = count / window;
  const now = Date.now();
  const bucket = buckets.get(name) ?? fresh(buckets, name, burst, now);
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  bucket.at = now;
  const policy = `"${kind}";q=${count};w=${window};burst=${burst}`;
  if (bucket.tokens < 1) {
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
    const often = window === 1 ? "per second" : `in ${window} seconds`;
    throw new Problem("rate_limited", `This ${kind} may make ${count} requests ${often}.`, {
      headers: { "retry-after": String(seconds), "ratelimit-policy": policy, ratelimit: `"${kind}";r=0;t=${seconds}` },
    });
  }
  return { bucket, policy };
}

function setFor({ RATE_LIMIT_PER_SECOND }: Env): number {
  const perSecond = Number(RATE_LIMIT_PER_SECOND);
  return perSecond > 0 ? perSecond : usual.perSecond;
}

function fresh(buckets: Buckets, name: string, burst: number, now: number): Bucket {
  if (buckets.size > 10_000) buckets.clear();
  const bucket = { tokens: burst, at: now };
  buckets.set(name, bucket);
  return bucket;
}
