import { send } from "../egress/index.ts";
import type { Env } from "../env.ts";
import { typeOf, type Authentication } from "./authentication.ts";
import type { TransportContext, Message, TransportResult } from "./transport.ts";
import { type Tokens, faultOfTokenServer } from "./tokens.ts";
import type { ExternalFailure } from "../external.ts";

/** A receiver of messages, and our credentials at the receiver. */
export interface Receiver {
  /** Absent for Lambda and Sqs, for which the address is derived. */
  url?: string;
  /** Its secret is plain text. */
  authentication: Authentication;
}

/** Result of one attempt. It contains no secret, so it may be logged and returned to callers. */
export interface AttemptResult {
  delivered: boolean;
  /** Status of the receiver's response, if it responded. */
  status?: number;
  /**
   * Why the attempt failed; absent if the status shows the failure. `refused`: the target is not allowed. `dns`, `tls`,
   * `connection`, `timeout`: the receiver was not reached. `token`: no token was obtained. `function`: the function
   * ended with an error.
   */
  error?: NonNullable<TransportResult["sent"]["error"]>;
  /** Details for people, such as the error of the token server, or the error type of AWS. */
  detail?: string;
  /** Start of the response body. */
  answer: string;
  /** The header `Retry-After`, unparsed. */
  retryAfter?: string;
  /** Time from the start of the first call to the end of the last. */
  milliseconds: number;
  /** The last call to the receiver, even if it could not be made. Secrets are masked with `***`. */
  sent: { url: string; headers: Record<string, string> };
}

/** AWS indicates errors in these response headers. */
const resultHeaders = ["x-amz-function-error", "x-amzn-errortype"];
const maxCalls = 2;
/** If the connection fails within this time, the receiver is called once more in the same attempt. */
const soonMilliseconds = 1000;

/**
 * Makes one attempt to deliver a message, within 30 seconds. Calls again if the connection fails within a second or a
 * token is refused, but at most two times the receiver and two times its token server. Never throws because of the
 * receiver.
 */
export async function deliver(
  { url = "", authentication }: Receiver,
  message: Message,
  tokens: Tokens,
  env: Env,
): Promise<AttemptResult> {
  const began = Date.now();
  const { transport } = typeOf(authentication);
  const tried = await transport(authentication, { url, message, tokens, ...createCalls(env) });
  return { ...toAttemptResult(tried, secretOf(authentication)), milliseconds: Date.now() - began };
}

/** Counts the calls of one attempt. */
function createCalls(env: Env): Pick<TransportContext, "post" | "mayCallAgain"> {
  let calls = 0;
  const mayCallAgain = () => calls < maxCalls;
  const call: TransportContext["post"] = ({ headers, ...request }) => {
    calls++;
    return send({ ...request, method: "POST", headers: { "user-agent": "Lorry-Webhooks/1.0", ...headers } }, env, {
      answerHeaders: resultHeaders,
    });
  };
  const post: TransportContext["post"] = async (request) => {
    const sent = await call(request);
    const isLost = sent.error === "connection" && sent.milliseconds < soonMilliseconds;
    return isLost && mayCallAgain() ? call(request) : sent;
  };
  return { post, mayCallAgain };
}

const secretOf = (authentication: Authentication): string[] => {
  const field = typeOf(authentication).secret;
  return field ? [authentication[field as never]] : [];
};

function toAttemptResult(
  { request, sent, delivered, hides }: TransportResult,
  kept: string[],
): Omit<AttemptResult, "milliseconds"> {
  const hide = maskSecrets([...kept, ...(hides?.secrets ?? [])]);
  const masked = Object.fromEntries((hides?.headers ?? []).map((name) => [name, "***"]));
  const { status, error, detail, answer, retryAfter } = sent;
  return {
    delivered,
    ...(status !== undefined && { status }),
    ...(error && { error }),
    ...(detail && { detail: hide(detail) }),
    answer: hide(answer),
    ...(retryAfter && { retryAfter: hide(retryAfter) }),
    sent: { url: request.url, headers: { ...request.headers, ...masked } },
  };
}

/** A receiver may echo secrets: unchanged, or encoded for JSON, a URL or a form. */
function maskSecrets(secrets: string[]): (text: string) => string {
  const spelled = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  return (text) => spelled.reduce((shorter, secret) => shorter.replaceAll(secret, "***"), text);
}

/** Cloudflare's edge sends these statuses for a server that it cannot reach. */
const answersOfEdge = { from: 520, to: 530 };

/**
 * Returns the failure of the external system that prevented an attempt: a token server that issued no token, or an
 * unreachable receiver. Undefined if the receiver responded, or the target is not allowed.
 */
export function externalFailureOf({
  delivered,
  status = 0,
  error,
  detail,
}: Pick<AttemptResult, "delivered" | "status" | "detail"> & { error?: string }): ExternalFailure | undefined {
  if (delivered || error === "refused" || error === "function") return undefined;
  if (error === "token" && detail !== undefined)
    return { source: "TokenServer", ...faultOfTokenServer(detail), message: detail };
  const message = "The receiver could not be reached.";
  if (error !== undefined) return { source: "Receiver", error, message: detail ?? message };
  return status >= answersOfEdge.from && status <= answersOfEdge.to
    ? { source: "Receiver", status, message }
    : undefined;
}
