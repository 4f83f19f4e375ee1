import QuickLRU from "quick-lru";
import { holds, type Caller, type Credential, type Recognised, type Scope } from "../platform/credential.ts";
import type { Env } from "../platform/env.ts";
import { sha256 } from "../platform/ids.ts";
import { parseKey, parseToken } from "../platform/key-format.ts";
import { objectOf } from "../platform/aggregates.ts";
import { Problem } from "../platform/problem.ts";
import { countFailure, networkOf } from "./rate-limit.ts";
import { checkSecret } from "./check-secret.ts";

/** The API promises that a blocked or revoked key is refused within 10 seconds. */
const verified = new QuickLRU<string, Caller>({ maxSize: 10_000, maxAge: 5_000 });
/** An invalid key never becomes valid later. */
const rejected = new QuickLRU<string, KeyRefusal>({ maxSize: 10_000, maxAge: 60_000 });
type KeyRefusal = "unauthenticated" | "key_expired";

/**
 * Authenticates a request by `X-Api-Key: key`, `Authorization: Basic base64(keyId:secret)` or `Authorization: Bearer
 * token`.
 * @throws Problem `unauthenticated`, `key_expired`, `account_blocked`, `company_suspended`, `rate_limited`
 */
export async function callerOf(request: Request, env: Env): Promise<Caller> {
  const presented = secretIn(request);
  if (!presented) throw unauthenticated("Send the key in the header X-Api-Key.");
  return authenticate(presented, request, env);
}

/**
 * Finds the caller of a key or token.
 * @throws Problem as {@link callerOf}
 */
export async function authenticate(presented: string, request: Request, env: Env): Promise<Caller> {
  const caller = verified.get(presented);
  if (caller) return caller;
  const refusal = rejected.get(presented);
  if (refusal) {
    // Rejected keys are counted separately: a program that keeps sending an old key must not block a new key of its
    // network.
    countFailure(`again ${networkOf(request)}`, env);
    throw unauthenticated(undefined, refusal);
  }
  const recognised = await checkSecret(presented, { request, env }, () => recognise(presented, env));
  verified.set(presented, recognised);
  return recognised;
}

async function recognise(presented: string, env: Env): Promise<Caller> {
  const { company, credential } = await credentialOf(presented, env);
  const answer: Recognised = await objectOf(env, "COMPANIES", company, company).recognise(credential);
  if (!("refused" in answer)) return { company, ...answer };
  if (answer.refused === "account_blocked" || answer.refused === "company_suspended") throw new Problem(answer.refused);
  rejected.set(presented, answer.refused);
  throw unauthenticated(undefined, answer.refused);
}

async function credentialOf(presented: string, env: Env): Promise<{ company: string; credential: Credential }> {
  const local = localKeys(env).get(presented);
  if (local) return { company: local, credential: { kind: "Local" } };
  const key = parseKey(presented);
  if (key)
    return { company: key.company, credential: { kind: "Key", keyId: key.keyId, hash: await sha256(key.secret) } };
  const token = parseToken(presented);
  if (token) return { company: token.company, credential: { kind: "Token", hash: await sha256(token.token) } };
  throw unauthenticated();
}

function secretIn(request: Request): string | undefined {
  const key = request.headers.get("x-api-key");
  if (key) return key;
  const [scheme, value = ""] = (request.headers.get("authorization") ?? "").split(" ", 2);
  if (/^bearer$/i.test(scheme ?? "")) return value;
  return /^basic$/i.test(scheme ?? "") ? basicKey(value) : undefined;
}

/** Converts the credentials `keyId:secret` of Basic authentication to a key; undefined if they are not base64. */
export function basicKey(encoded: string): string | undefined {
  try {
    const [id = "", secret = ""] = atob(encoded).split(/:(.*)/s);
    return keyOf(id, secret);
  } catch {
    return undefined;
  }
}

/** Joins an id and a secret to a key. The id of a local key is also its secret. */
export const keyOf = (id: string, secret: string) => (id === secret ? id : `${id}.${secret}`);

/** A map, because a plain object has a property `constructor`, which a client could send as a key. */
const localKeys = (env: Env) => new Map<string, string>(Object.entries(JSON.parse(env.LOCAL_KEYS || "{}")));

export function unauthenticated(
  detail?: string,
  reason: "unauthenticated" | "key_expired" = "unauthenticated",
): Problem {
  return new Problem(reason, detail, {
    headers: { "www-authenticate": 'ApiKey header="X-Api-Key", Basic realm="Lorry", Bearer realm="Lorry"' },
  });
}

/** @throws Problem `missing_scope` if the caller does not hold the scope */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!holds(caller, scope))
    throw new Problem("missing_scope", `The scope ${scope} is required.`, { extra: { scope } });
}
