import { authenticate, basicKey, keyOf, unauthenticated } from "../../http/caller.ts";
import { holds, scopes, type Caller, type Scope } from "../../platform/credential.ts";
import { readText } from "../../http/body.ts";
import type { Env } from "../../platform/env.ts";
import { parseToken } from "../../platform/key-format.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";

/** Maximum size of a token request in bytes. */
const formLimit = 10_000;

export async function tokenForm(request: Request): Promise<Map<string, string>> {
  const form = new Map(new URLSearchParams(await readText(request, formLimit)));
  if (form.get("grant_type") === "client_credentials") return form;
  const item = wrongField(["grant_type"], "unknown_value", "grant_type must be client_credentials.");
  const error = invalid([item]);
  throw new Problem("validation_failed", error.message, { errors: [item], extra: { error: "unsupported_grant_type" } });
}

/** Returns the requested scopes of the token; undefined if it gets all scopes of the key. */
export function scopesAsked(form: Map<string, string>, client: Caller): Scope[] | undefined {
  const names = [...new Set(form.get("scope")?.split(" ").filter(Boolean))];
  if (names.length === 0) return undefined;
  const granted = scopes.filter((scope) => names.includes(scope) && holds(client, scope));
  if (granted.length === names.length) return granted;
  const item = wrongField(["scope"], "unknown_value", "scope must name scopes of the key, separated by spaces.");
  throw new Problem("validation_failed", item.message, { errors: [item], extra: { error: "invalid_scope" } });
}

export function presentedBy(form: Map<string, string>, request: Request): string | undefined {
  const basic = /^basic (.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic) return basicKey(basic);
  const [id, secret] = [form.get("client_id"), form.get("client_secret")];
  return id && secret ? keyOf(id, secret) : undefined;
}

/**
 * Authenticates the client by its key. A token is refused: if it could be exchanged for a new one, access would never
 * expire.
 */
export async function clientOf(presented: string | undefined, request: Request, env: Env): Promise<Caller> {
  if (!presented || parseToken(presented)) throw clientRefused();
  return authenticate(presented, request, env).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.reason === "rate_limited") throw error;
    const code = codes[error.reason];
    if (!code) throw clientRefused();
    throw new Problem(error.reason, error.message, { headers: error.headers, extra: { error: code } });
  });
}

/** Error codes of RFC 6749 for a client with the right secret that is refused for another reason. */
const codes: Partial<Record<Problem["reason"], string>> = {
  key_expired: "invalid_client",
  account_blocked: "unauthorized_client",
  company_suspended: "unauthorized_client",
};

function clientRefused(): Problem {
  const { headers } = unauthenticated();
  return new Problem("unauthenticated", "The client id or secret is wrong.", {
    headers,
    extra: { error: "invalid_client" },
  });
}
