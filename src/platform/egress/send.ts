import type { Env } from "../env.ts";
import { checkTarget, type TargetRefusal } from "./gate.ts";

const defaultLimitMilliseconds = 15_000;
const defaultAnswerBytes = 16 * 1024;

/** A request to another system. */
export interface Outgoing {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Why there is no status. `refused`: the target is not allowed, so nothing was sent. `dns`: the name has no address, or
 * its lookup failed. `tls`: the handshake failed. `connection`: the connection was not established, or was lost.
 */
export type Failure = TargetRefusal["error"] | "timeout" | "tls" | "connection";

/** Outcome of a request. */
export interface Sent {
  status?: number;
  error?: Failure;
  /** An explanation for people, if the check of the target failed. */
  detail?: string;
  /** Start of the response body as text; empty if the body is compressed. */
  answer: string;
  /** The `Retry-After` header, unparsed. */
  retryAfter?: string;
  /** The requested response headers, by name in lower case. */
  headers?: Record<string, string>;
  milliseconds: number;
}

interface SendOptions {
  /** The limit of the operator applies if it is shorter. */
  limitMilliseconds?: number;
  answerBytes?: number;
  /** Names of response headers to return, in lower case. */
  answerHeaders?: string[];
  /** Replaces the timeout and the limit of the operator. */
  signal?: AbortSignal;
}

/**
 * Checks the target, and sends a request. Follows no redirects and never throws. One deadline applies to lookup,
 * connection, headers and the start of the body together. A received status is returned even if reading the body fails.
 * On Cloudflare, a status from 520 to 530 means that the edge cannot reach the server.
 */
export async function send(
  request: Outgoing,
  env: Env,
  {
    limitMilliseconds = defaultLimitMilliseconds,
    answerBytes = defaultAnswerBytes,
    answerHeaders = [],
    signal = AbortSignal.timeout(Math.min(limitMilliseconds, limitOf(env))),
  }: SendOptions = {},
): Promise<Sent> {
  const began = Date.now();
  const sent = await attempt(request, env, signal, { answerBytes, answerHeaders });
  return { answer: "", ...sent, milliseconds: Date.now() - began };
}

async function attempt(
  { url, ...request }: Outgoing,
  env: Env,
  signal: AbortSignal,
  { answerBytes, answerHeaders }: { answerBytes: number; answerHeaders: string[] },
): Promise<Partial<Sent>> {
  try {
    const refusal = await checkTarget(url, env, signal);
    if (refusal) return { error: refusal.error, detail: refusal.detail };
    const headers = { "accept-encoding": "identity", "user-agent": "Lorry/1.0", ...request.headers };
    const response = await fetch(url, { ...request, headers, redirect: "manual", signal });
    const retryAfter = response.headers.get("retry-after")?.slice(0, 100);
    return {
      status: response.status,
      answer: await readStart(response, answerBytes),
      ...(retryAfter && { retryAfter }),
      ...(answerHeaders.length > 0 && { headers: selectHeaders(response.headers, answerHeaders) }),
    };
  } catch (error) {
    return { error: failureOf(error as Error, url) };
  }
}

const selectHeaders = (headers: Headers, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value.slice(0, 200)]];
    }),
  );

/** A compressed body is not read. */
async function readStart({ headers, body }: Response, mostBytes: number): Promise<string> {
  const reader = headers.get("content-length") === "0" ? undefined : body?.getReader();
  if (!reader) return "";
  const plain = (headers.get("content-encoding") ?? "identity") === "identity";
  const text = plain ? await readText(reader, mostBytes) : "";
  await reader.cancel().catch(() => undefined);
  return text;
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let left = mostBytes; left > 0;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done || !value) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  return text;
}

/**
 * The runtime reports a lost connection as such, and every other failure as an internal error. With https, this is a
 * failed TLS handshake, because the lookup has just succeeded; with http, a failed lookup.
 */
function failureOf({ name, message }: Error, url: string): Failure {
  if (/Timeout|Abort/.test(name)) return "timeout";
  if (!message.startsWith("internal error")) return "connection";
  return url.startsWith("https") ? "tls" : "dns";
}

function limitOf({ WEBHOOK_TIMEOUT_MS }: Env): number {
  const wanted = Number(WEBHOOK_TIMEOUT_MS);
  return wanted > 0 && wanted < defaultLimitMilliseconds ? wanted : defaultLimitMilliseconds;
}
