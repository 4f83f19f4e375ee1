import type { Reason } from "./problem.ts";

const areas = ["orders", "freights", "documents", "fleet", "finance", "webhooks", "accounts"] as const;
export type ScopeArea = (typeof areas)[number];
export type Scope = `${ScopeArea}:${"read" | "write"}`;
export const scopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const);
export const readScopes = areas.map((area) => `${area}:read` as const);

/** Whether a caller or key has a scope. `write` includes `read`. */
export function holds({ scopes: held }: Pick<Caller, "scopes">, scope: Scope): boolean {
  const [area] = scope.split(":");
  return held.some((one) => one === "*" || one === scope || one === `${area}:write`);
}

/** The authenticated caller of a request. */
export interface Caller {
  company: string;
  keyId: string;
  /** "*" means all scopes. */
  scopes: (Scope | "*")[];
  /** Requests per second, if the company has set a limit. */
  requestsPerSecond?: number;
  account?: { accountId: string; email: string };
}

/** A credential that the company aggregate verifies. */
export type Credential =
  | { kind: "Key"; keyId: string; hash: string }
  | { kind: "Token"; hash: string }
  | { kind: "Local" };
export type Recognised =
  | Omit<Caller, "company">
  | { refused: Extract<Reason, "unauthenticated" | "key_expired" | "account_blocked" | "company_suspended"> };
