import type { Env } from "./env.ts";

/** Names that never lead to the public internet. */
const privateNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion|example)$/;

/**
 * The one gate for calls out of the service: https to a public name, no address literals, no credentials in the URL.
 * Names that resolve to private addresses are stopped by Cloudflare's edge, and by `allow = ["public"]` of workerd.
 * @returns why the address is refused, or nothing
 */
export function refusedTarget(address: string, env: Env): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || address.length > 2048) return "The address is not a URL of at most 2048 characters.";
  if (url.username || url.password) return "The address must not hold credentials.";
  if (url.hash) return "The address must not have a fragment.";
  if (env.ALLOW_PRIVATE_WEBHOOKS === "true")
    return /^https?:$/.test(url.protocol) ? undefined : "The address must be http or https.";
  if (url.protocol !== "https:") return "The address must be https.";
  if (url.port && url.port !== "8443" && Number(url.port) < 1024) return "The port must be 443, 8443 or above 1023.";
  return refusedHost(url.hostname.replace(/\.$/, ""));
}

function refusedHost(host: string): string | undefined {
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return "The address must have a name, not a number.";
  if (!host.includes(".") || privateNames.test(host)) return "The address is not public.";
  return undefined;
}

/** Most of an answer that is read and kept. */
const answerLimit = 16 * 1024;

export interface Sent {
  status?: number;
  /** Why there is no status. */
  error?: string;
  /** The first bytes of the answer as text. */
  answer: string;
  milliseconds: number;
}

/** Posts and reads a little of the answer, all within one time limit; no redirect is followed. Never throws. */
export async function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  env: Env,
  limitMilliseconds = 15_000,
): Promise<Sent> {
  const began = Date.now();
  const refused = refusedTarget(address, env);
  if (refused) return { error: refused, answer: "", milliseconds: 0 };
  try {
    const signal = AbortSignal.timeout(limitMilliseconds);
    const response = await fetch(address, {
      method: "POST",
      body,
      headers: { "accept-encoding": "identity", "user-agent": "Lorry-Webhooks/1.0", ...headers },
      redirect: "manual",
      signal,
    });
    return { status: response.status, answer: await beginning(response), milliseconds: Date.now() - began };
  } catch (error) {
    const timedOut = error instanceof Error && /Timeout|Abort/.test(error.name);
    return { error: timedOut ? "timeout" : "connection failed", answer: "", milliseconds: Date.now() - began };
  }
}

async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; size < answerLimit;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text.slice(0, answerLimit);
}
