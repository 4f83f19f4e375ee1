import QuickLRU from "quick-lru";
import type { Caller } from "../platform/credential.ts";
import type { Env } from "../platform/env.ts";
import { Problem } from "../platform/problem.ts";
import ipaddr from "ipaddr.js";

/** Default limit of a key: `perSecond` × `burstSeconds` requests are allowed at once. */
const defaultLimit = { perSecond: 100, burstSeconds: 2 };
/**
 * Highest rate, in requests per second, that a company may set for its keys, unless the operator configures another.
 */
const defaultCeiling = 1000;
const linkPerSecond = 10;
/** Wrong keys and links that a network may send per minute, unless the operator configures another number. */
const defaultFailures = 60;

interface Bucket {
  tokens: number;
  at: number;
}
type Buckets = QuickLRU<string, Bucket>;

/** Evicts the least recently used buckets first, and holds up to twice `maxSize`. */
const createBuckets = (): Buckets => new QuickLRU<string, Bucket>({ maxSize: 10_000 });

const keys = createBuckets();
/** Separate from the buckets of keys, because a client can invent enough links to evict all buckets. */
const links = createBuckets();
const mails = createBuckets();
const failures = createBuckets();

interface Limit {
  buckets: Buckets;
  name: string;
  kind: string;
  count: number;
  /** `count` requests are allowed in this time, and `burst` at once. */
  seconds: number;
  burst: number;
  message: string;
}

const perSecond = (buckets: Buckets, name: string, kind: string, count: number): Limit => ({
  buckets,
  name,
  kind,
  count,
  seconds: 1,
  burst: count * defaultLimit.burstSeconds,
  message: `Too many requests. This ${kind} may make at most ${count} requests per second.`,
});

/**
 * Takes a token from the bucket of a key. Buckets are in the memory of an isolate, so on Cloudflare each location has
 * its own limit; a central counter would cost a further call.
 * @returns the RateLimit headers of the response
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeKeyToken(caller: Caller, env: Env): Record<string, string> {
  const count = Math.min(caller.requestsPerSecond ?? configuredRate(env), requestsCeiling(env));
  return headersOf(takeFrom(perSecond(keys, caller.keyId + caller.company, "key", count)));
}

/** Returns the highest rate, in requests per second, that a company may set for its keys. */
export const requestsCeiling = (env: Env): number =>
  parsePositive(env.RATE_LIMIT_CEILING_PER_SECOND) ?? Math.max(defaultCeiling, configuredRate(env));

/**
 * Takes a token from the bucket of a link, which all visitors of the link share.
 * @throws Problem `rate_limited` with Retry-After
 */
export const takeLinkToken = (link: string): void => void takeFrom(perSecond(links, link, "link", linkPerSecond));

/** The limit of a freight is higher than that of a visitor, so that one visitor cannot exhaust it. */
const mailsPerMinute = { visitor: 1, address: 1, freight: 3 };
/** Mails of this many minutes may be requested at once. */
const mailMinutes = 10;

/**
 * Takes a token for a mail from the buckets of visitor, recipient address and freight. If one bucket is empty, no token
 * is taken.
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeMailTokens(names: Record<keyof typeof mailsPerMinute, string | undefined>): void {
  const limits = (["visitor", "address", "freight"] as const).flatMap((by): Limit[] => {
    const [name, count] = [names[by], mailsPerMinute[by]];
    const message = `Too many mails were requested. The limit is ${count} per minute.`;
    const limit = { buckets: mails, kind: "mail", count, seconds: 60, burst: count * mailMinutes, message };
    return name === undefined ? [] : [{ ...limit, name: `${by}/${name}` }];
  });
  for (const limit of limits) requireFrom(limit);
  for (const limit of limits) takeFrom(limit);
}

/**
 * Counts an attempt of a network before its key or link is verified. Unknown networks share one count.
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

/** @throws Problem `rate_limited` if the bucket has no token */
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

/**
 * Takes a token for a visitor of the freight board.
 * @throws Problem `rate_limited` with Retry-After
 */
export function takeBoardToken(request: Pick<Request, "headers">): void {
  const network = networkOf(request);
  if (network) takeLinkToken(`board/${network}`);
}

/**
 * Returns the IPv4 address of the client, or the /64 prefix of its IPv6 address, because a client usually controls the
 * whole /64. Undefined on a developer's machine.
 */
export function networkOf({ headers }: Pick<Request, "headers">): string | undefined {
  const address = headers.get("cf-connecting-ip");
  if (!address || !ipaddr.isValid(address)) return address ?? undefined;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const prefix = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
