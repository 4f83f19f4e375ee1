import * as z from "zod";
import type { Env } from "../env.ts";

/** Why a lookup failed: the HTTP status of the resolver, or another error. */
export interface LookupFault {
  status?: number;
  error?: "timeout" | "connection" | "dns" | "unreadable_answer";
}

/** Result of a lookup. `Unanswered`: the resolver did not respond, or failed. */
export type Lookup = { is: "Found"; addresses: string[] } | { is: "Absent" } | { is: "Unanswered"; fault: LookupFault };

const defaultResolver = "https://cloudflare-dns.com/dns-query";
const limitMilliseconds = 2_000;
/** Longest time in seconds for which an answer is cached. */
const maxSeconds = 60;
const maxCached = 1_000;

/** The JSON form of DNS over HTTPS. */
const DnsReply = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), TTL: z.number(), data: z.string() })).default([]),
});
const recordTypes = { A: 1, AAAA: 28 };
const noError = 0;
const noSuchName = 3;

interface Records {
  status: number;
  addresses: string[];
  seconds: number;
}

const cache = new Map<string, { addresses: string[]; until: number }>();

/**
 * Looks up all IPv4 and IPv6 addresses of a name within two seconds. Answers are cached for their TTL, at most a
 * minute.
 */
export async function lookUp(name: string, env: Env, signal: AbortSignal): Promise<Lookup> {
  const resolver = env.DNS_RESOLVER || defaultResolver;
  const cached = cache.get(`${resolver} ${name}`);
  if (cached && cached.until > Date.now()) return { is: "Found", addresses: cached.addresses };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMilliseconds)]);
  const both = await Promise.all([
    recordsOf(resolver, name, "A", limit),
    recordsOf(resolver, name, "AAAA", limit),
  ]).catch((error: unknown) => ({ fault: faultOf(error) }));
  if ("fault" in both) return { is: "Unanswered", fault: both.fault };
  if (both.some(({ status }) => status !== noError && status !== noSuchName))
    return { is: "Unanswered", fault: { error: "dns" } };
  const addresses = both.flatMap((records) => records.addresses);
  if (addresses.length === 0) return { is: "Absent" };
  keep(`${resolver} ${name}`, addresses, Math.min(maxSeconds, ...both.map(({ seconds }) => seconds)));
  return { is: "Found", addresses };
}

async function recordsOf(
  resolver: string,
  name: string,
  type: keyof typeof recordTypes,
  signal: AbortSignal,
): Promise<Records> {
  const query = new URL(resolver);
  query.searchParams.set("name", name);
  query.searchParams.set("type", type);
  const response = await fetch(query, { headers: { accept: "application/dns-json" }, redirect: "manual", signal });
  if (!response.ok) throw new BadStatus(response.status);
  const { Status: status, Answer } = DnsReply.parse(await response.json());
  return {
    status,
    addresses: Answer.filter((record) => record.type === recordTypes[type]).map(({ data }) => data),
    seconds: Math.min(maxSeconds, ...Answer.map(({ TTL }) => TTL)),
  };
}

class BadStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The resolver answered ${status}.`);
    this.status = status;
  }
}

function faultOf(error: unknown): LookupFault {
  if (error instanceof BadStatus) return { status: error.status };
  if (error instanceof z.ZodError || error instanceof SyntaxError) return { error: "unreadable_answer" };
  return { error: error instanceof Error && /Timeout|Abort/.test(error.name) ? "timeout" : "connection" };
}

function keep(key: string, addresses: string[], seconds: number): void {
  if (seconds <= 0) return;
  cache.delete(key);
  cache.set(key, { addresses, until: Date.now() + seconds * 1000 });
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
}
