import QuickLRU from "quick-lru";
import type { Caller } from "../platform/credential.ts";
import type { Env } from "../platform/env.ts";
import { Problem } from "../platform/problem.ts";
import ipaddr from "ipaddr.js";

/** Requests per second and key, and the burst in seconds of that rate. */
const defaultLimit = { perSecond: 100, burstSeconds: 2 };
/** Highest rate that a company may set for its keys, unless the operator configures another. */
const defaultCeiling = 1000;
/** Requests per second on a link without a key. */
const linkPerSecond = 10;
/** Invalid keys and links that a network may send per minute, unless the operator configures another number. */
const defaultFailures = 60;

interface Bucket {
  tokens: number;
  at: number;
}
type Buckets = QuickLRU<string, Bucket>;

/** The least recently used buckets are evicted first; the cache holds up to twice `maxSize`. */
const createBuckets = (): Buckets => new QuickLRU<string, Bucket>({ maxSize: 10_000 });

const keys = createBuckets();
/** Separate from the keys: a client can invent enough links to evict every bucket. */
const links = createBuckets();
/** Mails that can be requested without a key. */
const mails = createBuckets();
const failures = createBuckets();

interface Limit {
  buckets: Buckets;
  name: string;
  /** What is limited, as the RateLimit headers name it. */
  kind: string;
  count: number;
  /** The window of `count`, and how many requests may come at once. */
  seconds: number;
  burst: number;
  /** Text of the refusal. */
  message: string;
}

const perSecond = (buckets: Buckets, name: string, kind: string, count: number): Limit => ({
  buckets,
  name,
  kind,
  count,
  seconds: 1,
  burst: count * defaultLimit.burstSeconds,
  message: `This ${kind} may make ${count} requests per second.`,
});

/**
 * A token bucket per key in the memory of the isolate: exact on one machine, and on Cloudflare a limit per location that a key
 * calls from. A central counter would cost every request a call.
 * @returns the RateLimit headers of the response
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeKeyToken(caller: Caller, env: Env): Record<string, string> {
  const count = Math.min(caller.requestsPerSecond ?? configuredRate(env), requestsCeiling(env));
  return headersOf(takeFrom(perSecond(keys, caller.keyId + caller.company, "key", count)));
}

/** Highest rate that a company may set for its keys, in requests per second. */
export const requestsCeiling = (env: Env): number =>
  parsePositive(env.RATE_LIMIT_CEILING_PER_SECOND) ?? Math.max(defaultCeiling, configuredRate(env));

/** The limit of a link, for all its visitors together. @throws Problem `rate_limited` with Retry-After */
export const takeLinkToken = (link: string): void => void takeFrom(perSecond(links, link, "link", linkPerSecond));

/** Mails per minute. A freight has more than one visitor can use up. */
const mailsPerMinute = { visitor: 1, address: 1, freight: 3 };
/** Burst, in minutes of the rate. */
const mailMinutes = 10;

/**
 * Limits requested mails by visitor, recipient address and freight. A refused request takes no token from any bucket, so that
 * one visitor cannot use up the limits of others.
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeMailTokens(names: Record<keyof typeof mailsPerMinute, string | undefined>): void {
  const limits = (["visitor", "address", "freight"] as const).flatMap((by): Limit[] => {
    const [name, count] = [names[by], mailsPerMinute[by]];
    const message = `This mail may make ${count} requests in 60 seconds.`;
    const limit = { buckets: mails, kind: "mail", count, seconds: 60, burst: count * mailMinutes, message };
    return name === undefined ? [] : [{ ...limit, name: `${by}/${name}` }];
  });
  for (const limit of limits) requireFrom(limit);
  for (const limit of limits) takeFrom(limit);
}

/**
 * Counts an attempt of a network before its key or link is verified; attempts without a known network count together.
 * @returns a function that undoes the count if the secret is valid
 * @throws Problem `rate_limited` with Retry-After
 */
export function countFailure(network: string | undefined, env: Env): () => void {
  const count = parsePositive(env.WRONG_KEYS_PER_MINUTE) ?? defaultFailures;
  const message = `Too many wrong keys or links from this address. The limit is ${count} per minute.`;
  const limit = { buckets: failures, name: network ?? "", kind: "failure", count, seconds: 60, burst: count, message };
  const { bucket } = takeFrom(limit);
  return () => {
    bucket.tokens = Math.min(count, bucket.tokens + 1);
  };
}

interface TakenToken {
  bucket: Bucket;
  limit: Limit;
}

function takeFrom(limit: Limit): TakenToken {
  const bucket = requireFrom(limit);
  bucket.tokens -= 1;
  return { bucket, limit };
}

const policyOf = ({ kind, count, seconds, burst }: Limit) => `"${kind}";q=${count};w=${seconds};burst=${burst}`;

const headersOf = ({ bucket, limit }: TakenToken) => ({
  "ratelimit-policy": policyOf(limit),
  ratelimit: `"${limit.kind}";r=${Math.floor(bucket.tokens)};t=1`,
});

/** The bucket of a limit, refilled, with at least one token. @throws Problem `rate_limited` when it is empty */
function requireFrom(limit: Limit): Bucket {
  const { buckets, name, kind, count, seconds: window, burst, message } = limit;
  const now = Date.now();
  const bucket = buckets.get(name) ?? { tokens: burst, at: now };
  buckets.set(name, bucket);
  const rate = count / window;
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
  bucket.at = now;
  if (bucket.tokens >= 1) return bucket;
  const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rate));
  throw new Problem("rate_limited", message, {
    headers: {
      "retry-after": String(seconds),
      "ratelimit-policy": policyOf(limit),
      ratelimit: `"${kind}";r=0;t=${seconds}`,
    },
  });
}

const configuredRate = ({ RATE_LIMIT_PER_SECOND }: Env): number =>
  parsePositive(RATE_LIMIT_PER_SECOND) ?? defaultLimit.perSecond;

const parsePositive = (text: string | undefined): number | undefined => (Number(text) > 0 ? Number(text) : undefined);

/** Limits the requests of a visitor of the freight board. @throws Problem `rate_limited` with Retry-After */
export function takeBoardToken(request: Pick<Request, "headers">): void {
  const network = networkOf(request);
  if (network) takeLinkToken(`board/${network}`);
}

/**
 * The network of a request, for rate limits: an IPv4 address, or the /64 of an IPv6 address, because a client that has one address
 * of a /64 has all of them. Undefined on a developer's machine.
 */
export function networkOf({ headers }: Pick<Request, "headers">): string | undefined {
  const address = headers.get("cf-connecting-ip");
  if (!address || !ipaddr.isValid(address)) return address ?? undefined;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const prefix = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
