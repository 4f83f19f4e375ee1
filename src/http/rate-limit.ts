import QuickLRU from "quick-lru";
import type { Caller } from "../platform/credential.ts";
import type { Env } from "../platform/env.ts";
import { Problem } from "../platform/problem.ts";

/** Requests per second and key, and how many seconds' worth may come at once. */
const usual = { perSecond: 100, burstSeconds: 2 };
/** The most that a company may choose for its keys, unless the operator says otherwise. */
const usualCeiling = 1000;
/** Requests per second on a link that needs no key. */
const linkPerSecond = 10;
/** Wrong keys and links that a network may send in a minute, unless the operator says otherwise. */
const usualFailures = 60;

interface Bucket {
  tokens: number;
  at: number;
}
type Buckets = QuickLRU<string, Bucket>;

/** Of so many the least recently used are forgotten first; up to twice as many are kept. */
const bucketsOf = (): Buckets => new QuickLRU<string, Bucket>({ maxSize: 10_000 });

const keys = bucketsOf();
/** Apart from the keys: anybody can make up links, and so many that all buckets are forgotten. */
const links = bucketsOf();
/** Mails that anybody may ask for without a key. */
const mails = bucketsOf();
const failures = bucketsOf();

interface Limit {
  buckets: Buckets;
  name: string;
  /** What is counted, as headers name it. */
  kind: string;
  count: number;
  /** In which `count` may come, and how many at once. */
  seconds: number;
  burst: number;
  /** Who may do what, in the words of the refusal. */
  says: string;
}

const perSecond = (buckets: Buckets, name: string, kind: string, count: number): Limit => ({
  buckets,
  name,
  kind,
  count,
  seconds: 1,
  burst: count * usual.burstSeconds,
  says: `This ${kind} may make ${count} requests per second.`,
});

/**
 * A token bucket for each key, kept by the isolate that serves it: exact on one machine, and on Cloudflare a limit for
 * each place a key calls from. Asking an object each time would cost every request a hop.
 * @returns headers that tell the caller where it stands
 * @throws Problem `rate_limited` with Retry-After
 */
export function spend(caller: Caller, env: Env): Record<string, string> {
  const count = Math.min(caller.requestsPerSecond ?? setFor(env), requestsCeiling(env));
  return headersOf(spendFrom(perSecond(keys, caller.keyId + caller.company, "key", count)));
}

/** The most requests per second that a company may choose for its keys. */
export const requestsCeiling = (env: Env): number =>
  positive(env.RATE_LIMIT_CEILING_PER_SECOND) ?? Math.max(usualCeiling, setFor(env));

/** The same for a link, whoever follows it. @throws Problem `rate_limited` with Retry-After */
export const spendOnLink = (link: string): void => void spendFrom(perSecond(links, link, "link", linkPerSecond));

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
  const limits = (["visitor", "address", "freight"] as const).flatMap((by): Limit[] => {
    const [name, count] = [asked[by], mailsPerMinute[by]];
    const says = `This mail may make ${count} requests in 60 seconds.`;
    const limit = { buckets: mails, kind: "mail", count, seconds: 60, burst: count * mailMinutes, says };
    return name === undefined ? [] : [{ ...limit, name: `${by}/${name}` }];
  });
  for (const limit of limits) requireFrom(limit);
  for (const limit of limits) spendFrom(limit);
}

/**
 * Counts a wrong key or link of a network before it is known whether it is one; those of nobody knows where count together.
 * @returns what takes it back when it was right
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeFailure(network: string | undefined, env: Env): () => void {
  const count = positive(env.WRONG_KEYS_PER_MINUTE) ?? usualFailures;
  const says = `Too many wrong keys or links from this address: at most ${count} a minute.`;
  const limit = { buckets: failures, name: network ?? "", kind: "failure", count, seconds: 60, burst: count, says };
  const { bucket } = spendFrom(limit);
  return () => {
    bucket.tokens = Math.min(count, bucket.tokens + 1);
  };
}

interface Filled {
  bucket: Bucket;
  limit: Limit;
}

function spendFrom(limit: Limit): Filled {
  const bucket = requireFrom(limit);
  bucket.tokens -= 1;
  return { bucket, limit };
}

const policyOf = ({ kind, count, seconds, burst }: Limit) => `"${kind}";q=${count};w=${seconds};burst=${burst}`;

const headersOf = ({ bucket, limit }: Filled) => ({
  "ratelimit-policy": policyOf(limit),
  ratelimit: `"${limit.kind}";r=${Math.floor(bucket.tokens)};t=1`,
});

/** The bucket, in which there is something to spend. @throws Problem `rate_limited` when there is not */
function requireFrom(limit: Limit): Bucket {
  const { buckets, name, kind, count, seconds: window, burst, says } = limit;
  const now = Date.now();
  const bucket = buckets.get(name) ?? { tokens: burst, at: now };
  buckets.set(name, bucket);
  const rate = count / window;
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
  bucket.at = now;
  if (bucket.tokens >= 1) return bucket;
  const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rate));
  throw new Problem("rate_limited", says, {
    headers: {
      "retry-after": String(seconds),
      "ratelimit-policy": policyOf(limit),
      ratelimit: `"${kind}";r=0;t=${seconds}`,
    },
  });
}

const setFor = ({ RATE_LIMIT_PER_SECOND }: Env): number => positive(RATE_LIMIT_PER_SECOND) ?? usual.perSecond;

const positive = (text: string | undefined): number | undefined => (Number(text) > 0 ? Number(text) : undefined);
