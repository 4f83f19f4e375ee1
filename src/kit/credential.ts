import type { Reason } from "./problem.ts";

const areas = ["orders", "freights", "documents", "fleet", "finance", "webhooks", "accounts"] as const;
export type ScopeArea = (typeof areas)[number];
export type Scope = `${ScopeArea}:${"read" | "write"}`;
export const scopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const);

/** Who asks, as the company object answered. */
export interface Caller {
  company: string;
  keyId: string;
  /** What the key may do; "*" is everything. */
  scopes: (Scope | "*")[];
  /** Requests per second, when the company has a figure of its own. */
  requestsPerSecond?: number;
  /** Whose key it is, when it is somebody's. */
  account?: { accountId: string; email: string };
}

/** What a company object is asked to prove. */
export type Credential =
  | { kind: "Key"; keyId: string; hash: string }
  | { kind: "Token"; hash: string }
  | { kind: "Local" };
export type Recognised =
  | Omit<Caller, "company">
  | { refused: Extract<Reason, "unauthenticated" | "key_expired" | "account_blocked"> };
