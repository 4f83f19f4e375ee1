import type { Reason } from "./problem.ts";

export type ScopeArea = "orders" | "freights" | "documents" | "fleet" | "finance" | "webhooks" | "accounts";
export type Scope = `${ScopeArea}:${"read" | "write"}`;

/** Who asks, as the company object answered. */
export interface Caller {
  company: string;
  keyId: string;
  /** What the key may do; "*" is everything. */
  scopes: (Scope | "*")[];
  /** Requests per second, when the company has a figure of its own. */
  requestsPerSecond?: number;
}

/** What a company object is asked to prove. */
export type Credential =
  | { kind: "Key"; keyId: string; hash: string }
  | { kind: "Token"; hash: string }
  | { kind: "Local" };
export type Recognised =
  | Omit<Caller, "company">
  | { refused: Extract<Reason, "unauthenticated" | "key_expired" | "account_blocked"> };
