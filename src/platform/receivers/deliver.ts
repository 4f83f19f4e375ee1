import { send } from "../egress/index.ts";
import type { Env } from "../env.ts";
import { postPlain, postWithApiKey, postWithBasic, postWithToken } from "./http.ts";
import { invokeLambda } from "./lambda.ts";
import type { TransportContext } from "./means.ts";
import type { Message, TransportResult } from "./posting.ts";
import { secretField, type Authentication, type Kind, type AuthenticationOf } from "./shape.ts";
import { sendToSqs } from "./sqs.ts";
import type { Tokens } from "./tokens.ts";

/** Where messages go, and who we are there. */
export interface Receiver {
  /** Not with Lambda and Sqs, whose addresses are made from what names the function or the queue. */
  url?: string;
  /** Opened. */
  authentication: Authentication;
}

/** How one attempt went. Nothing in it is secret: it may be logged and shown. */
export interface AttemptResult {
  delivered: boolean;
  /** What the receiver answered, if it did. */
  status?: number;
  /**
   * Why it failed, when the status does not say it. `refused`: the gate let nothing out; `dns`, `tls`, `connection`,
   * `timeout`: the receiver was not reached; `token`: no token was to be had; `function`: the function ended with an error.
   */
  error?: NonNullable<TransportResult["sent"]["error"]>;
  /** More of it, for people: the word of a token server, or what AWS calls the fault. */
  detail?: string;
  /** The beginning of the answer. */
  answer: string;
  /** The header of that name as it came. */
  retryAfter?: string;
  /** From the first call to the end of the last. */
  milliseconds: number;
  /** The call to the receiver as it was made last, or as it would have been: `***` stands for what is secret. */
  sent: { url: string; headers: Record<string, string> };
}

const transports: {
  [K in Kind]: (authentication: AuthenticationOf<K>, means: TransportContext) => Promise<TransportResult>;
} = {
  None: postPlain,
  ApiKey: postWithApiKey,
  Basic: postWithBasic,
  OAuth2: postWithToken,
  Lambda: invokeLambda,
  Sqs: sendToSqs,
};

/** Headers of an answer that tell how it went. */
const resultHeaders = ["x-amz-function-error", "x-amzn-errortype"];
/** Calls of the receiver that one attempt may take, whatever they are for. */
const maxCalls = 2;
/** A receiver whose connection failed this soon is called once more within the same attempt. */
const soonMilliseconds = 1000;

/**
 * One attempt to tell a receiver one message, within half a minute: mostly a single call, a second one when the connection
 * fails within a second or a token is not taken, and never more than two to the receiver and two to its token server. Does
 * not throw for anything that a receiver does.
 */
export async function deliver(
  { url = "", authentication }: Receiver,
  message: Message,
  tokens: Tokens,
  env: Env,
): Promise<AttemptResult> {
  const began = Date.now();
  const way = transports[authentication.type] as (
    authentication: Authentication,
    means: TransportContext,
  ) => Promise<TransportResult>;
  const tried = await way(authentication, { url, message, tokens, ...createCalls(env) });
  return { ...toAttemptResult(tried, secretOf(authentication)), milliseconds: Date.now() - began };
}

/** The calls of one attempt, counted. */
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
  const field = secretField[authentication.type];
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

/** Receivers may say what they were told: as it was, or as it stands in JSON, in an address or in a form. */
function maskSecrets(secrets: string[]): (text: string) => string {
  const spelled = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  return (text) => spelled.reduce((shorter, secret) => shorter.replaceAll(secret, "***"), text);
}
