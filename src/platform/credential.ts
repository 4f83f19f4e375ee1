import type { Reason } from "./problem.ts";

const areas = ["orders", "freights", "documents", "fleet", "finance", "webhooks", "accounts"] as const;
export type ScopeArea = (typeof areas)[number];
export type Scope = `${ScopeArea}:${"read" | "write"}`;
export const scopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const);
export const readScopes = areas.map((area) => `${area}:read` as const);

/** Whether a caller or key with these scopes may do this; `write` includes `read`. */
export function holds({ scopes: held }: Pick<Caller, "scopes">, scope: Scope): boolean {
  const [area] = scope.split(":");
  return held.some((one) => one === "*" || one === scope || one === `${area}:write`);
}

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
  | { refused: Extract<Reason, "unauthenticated" | "key_expired" | "account_blocked" | "company_suspended"> };
