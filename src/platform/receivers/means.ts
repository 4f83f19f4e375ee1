import type { Sent } from "../egress/index.ts";
import type { Message, PostRequest } from "./posting.ts";
import type { Tokens } from "./tokens.ts";

/** What a way of sending has at hand. */
export interface TransportContext {
  /** Where messages go, with the ways that need to be told. */
  url: string;
  message: Message;
  tokens: Tokens;
  /** Through the gate, within its own limit of time; once more when the connection fails at once and a call is left. */
  post: (request: PostRequest) => Promise<Sent>;
  /** Whether this attempt has a call of the receiver left. */
  mayCallAgain: () => boolean;
}
