import type { Sent } from "../egress/index.ts";
import type { Message, PostRequest } from "./posting.ts";
import type { Tokens } from "./tokens.ts";

/** What a transport needs for an attempt. */
export interface TransportContext {
  /** The address of the receiver; empty for Lambda and Sqs. */
  url: string;
  message: Message;
  tokens: Tokens;
  /** Sends a request to the receiver; repeats it if the connection fails at once and a call is left. */
  post: (request: PostRequest) => Promise<Sent>;
  /** Whether this attempt may call the receiver again. */
  mayCallAgain: () => boolean;
}
