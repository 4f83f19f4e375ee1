import type { Failure, Sent } from "../egress/index.ts";
import type { Tokens } from "./tokens.ts";

/** A message to a receiver. Every transport sends the same bytes, signed as in Standard Webhooks. */
export interface Message {
  /** The same on every attempt. */
  id: string;
  body: string;
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  headers: Record<string, string>;
  type: string;
  /** Messages with the same key stay in order. At most 128 characters, without whitespace. */
  orderKey: string;
  /** How often the message was resent by hand. */
  manualTimes?: number;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Result of a transport. It still contains secrets. */
export interface TransportResult {
  request: PostRequest;
  sent: Omit<Sent, "error"> & { error?: Failure | "token" | "function" };
  delivered: boolean;
  /** Headers whose values must be masked, and secrets to mask besides the stored secret. */
  hides?: { headers?: string[]; secrets?: string[] };
}

export const json = "application/json";

export const isGood = ({ status = 0 }: Pick<Sent, "status">): boolean => status >= 200 && status < 300;

/** Input of a transport for one attempt. */
export interface TransportContext {
  /** Address of the receiver; empty for Lambda and Sqs. */
  url: string;
  message: Message;
  tokens: Tokens;
  /** Sends a request to the receiver, and once more if the connection fails at once and a further call is allowed. */
  post: (request: PostRequest) => Promise<Sent>;
  mayCallAgain: () => boolean;
}

/**
 * Posts the message to the receiver's address.
 * @param secretHeaders headers that the delivery log masks
 */
export async function post(context: TransportContext, secretHeaders: Record<string, string>): Promise<TransportResult> {
  const request = requestOf(context, secretHeaders);
  const sent = await context.post(request);
  const secrets = Object.values(secretHeaders).map((value) => value.replace(/^\w+ /, ""));
  return { request, sent, delivered: isGood(sent), hides: { headers: Object.keys(secretHeaders), secrets } };
}

export const requestOf = (
  { url, message: { headers, body } }: TransportContext,
  secretHeaders: Record<string, string>,
): PostRequest => ({ url, headers: { "content-type": json, ...headers, ...secretHeaders }, body });
