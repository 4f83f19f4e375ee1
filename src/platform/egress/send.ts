import type { Env } from "../env.ts";
import { checkTarget, type TargetRefusal } from "./gate.ts";

const usualLimitMilliseconds = 15_000;
const usualAnswerBytes = 16 * 1024;

/** A call out of the service. */
export interface Outgoing {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Why there is no status. `refused`: the gate does not let it out, so nothing was sent; `dns`: the name has no address;
 * `tls`: no secure connection came about; `connection`: it did not come about or broke; `timeout`.
 */
export type Failure = TargetRefusal["error"] | "timeout" | "tls" | "connection";

/** What became of a call. */
export interface Sent {
  status?: number;
  error?: Failure;
  /** A sentence for people, when the gate said no. */
  detail?: string;
  /** The beginning of the answer as text; nothing of an answer that came compressed. */
  answer: string;
  /** The header as it came. */
  retryAfter?: string;
  /** Those headers of the answer that were asked for, by their names in lower case. */
  headers?: Record<string, string>;
  milliseconds: number;
}

/** What one call may take and bring. */
interface SendOptions {
  /** At most; the operator's limit may be shorter. */
  limitMilliseconds?: number;
  answerBytes?: number;
  /** Names in lower case. */
  answerHeaders?: string[];
  /** A deadline of the caller's own, in place of all others. */
  signal?: AbortSignal;
}

/**
 * The one way out of the service. The gate first, then one deadline over looking up, connecting, headers and the beginning
 * of the answer. No redirect is followed. Once a status has come it stands, however the rest of the answer fares. Never
 * throws.
 *
 * On Cloudflare a receiver that cannot be reached is answered for by the edge, with a status of 520 to 530.
 */
export async function send(
  request: Outgoing,
  env: Env,
  {
    limitMilliseconds = usualLimitMilliseconds,
    answerBytes = usualAnswerBytes,
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
    const no = await checkTarget(url, env, signal);
    if (no) return { error: no.error, detail: no.detail };
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

/** Beyond what is asked for nothing is taken off the line, and nothing that was compressed is unpacked. */
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
 * The runtime tells a lost connection apart, and calls everything else an internal error. With https that is the handshake,
 * since the name had an address a moment ago; without, it is the name.
 */
function failureOf({ name, message }: Error, url: string): Failure {
  if (/Timeout|Abort/.test(name)) return "timeout";
  if (!message.startsWith("internal error")) return "connection";
  return url.startsWith("https") ? "tls" : "dns";
}

/** The operator's limit, when it is one and no longer than the usual. */
function limitOf({ WEBHOOK_TIMEOUT_MS }: Env): number {
  const wanted = Number(WEBHOOK_TIMEOUT_MS);
  return wanted > 0 && wanted < usualLimitMilliseconds ? wanted : usualLimitMilliseconds;
}
