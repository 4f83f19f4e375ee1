import type { Sent } from "../egress/index.ts";
import type { Message, Posted } from "./posting.ts";
import type { Tokens } from "./tokens.ts";

/** What a way of sending has at hand. */
export interface Means {
  /** Where messages go, with the ways that need to be told. */
  url: string;
  message: Message;
  tokens: Tokens;
  /** Through the gate, within its own limit of time. */
  post: (request: Posted) => Promise<Sent>;
}
