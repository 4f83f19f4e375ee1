import type { Failure, Sent } from "../egress/index.ts";

/** What is told to a receiver: the same bytes, signed by Standard Webhooks, whatever way they go. */
export interface Message {
  /** The same on every attempt. */
  id: string;
  body: string;
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  headers: Record<string, string>;
  type: string;
  /** What it is about: messages with the same key are kept in their order. At most 128 characters, without blanks. */
  orderKey: string;
  /** How often it has been sent again by hand. */
  manualTimes?: number;
}

/** One POST. */
export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** One try, before anything secret has been taken out. */
export interface TransportResult {
  request: PostRequest;
  sent: Omit<Sent, "error"> & { error?: Failure | "token" | "function" };
  delivered: boolean;
  /** What must not be seen: names of headers, and secrets beside the one that is kept. */
  hides?: { headers?: string[]; secrets?: string[] };
}

export const json = "application/json";

export const isGood = ({ status = 0 }: Pick<Sent, "status">): boolean => status >= 200 && status < 300;
