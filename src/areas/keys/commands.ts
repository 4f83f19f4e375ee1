import type { Scope } from "../../platform/credential.ts";
import { refuse, type Refusal } from "../../platform/decision.ts";
import { parseKey } from "../../platform/key-format.ts";
import { commandsOn } from "../../platform/command.ts";
import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { type Role, isBlocked, withinRole } from "../accounts/model.ts";
import { accountOf } from "../accounts/commands.ts";
import { localCompany, type Company, type Key } from "../companies/model.ts";
import type { events } from "./model.ts";
import { viewOf } from "./model.ts";
const liveKeys = (company: Company | undefined) => (company?.keys ?? []).filter(({ revokedAt }) => !revokedAt);
const mostKeys = 100;
/** Maximum number of keys, in addition to `mostKeys`, that were replaced but are still valid. */
const mostReplaced = 100;

const past = wrongField(["expiresAt"], "invalid", "expiresAt must be in the future.");

const isOver = ({ expiresAt }: Key, at: string) => expiresAt !== undefined && expiresAt <= at;

/** Maximum number of revoked or expired keys that are stored. The ones that ended first are deleted. */
const mostEnded = 100;

export function withoutLongEnded(keys: Key[], at: string): Key[] {
  const endOf = (key: Key) => key.revokedAt ?? (isOver(key, at) ? key.expiresAt : undefined);
  const ended = keys.filter((key) => endOf(key) !== undefined);
  const recent = ended.toSorted((a, b) => (endOf(a)! > endOf(b)! ? -1 : 1)).slice(0, mostEnded);
  return keys.filter((key) => endOf(key) === undefined || recent.includes(key));
}

const none = { extra: { allowed: [] } };
const over = () => refuse("invalid_state", "The key has expired.", none);

/** Creates the refusal for an unknown key. A caller who has sent a whole key is told to send only the id. */
export const notThere = (sent: string) =>
  refuse(
    "not_found",
    parseKey(sent) && "Send only the id of the key, the part before the dot: the secret must not appear in a URL.",
  );

/**
 * A key that already has a valid replacement cannot be rotated. If the replacement was lost, it must be revoked first.
 */
const replaced = ({ keyId }: Key) =>
  refuse(
    "invalid_state",
    `This key was already replaced by ${keyId}. Rotate ${keyId} instead. If its secret was lost, revoke ${keyId} and then rotate this key again.`,
    {
      extra: { allowed: [], replacedBy: keyId },
    },
  );

/** @param instead the key that the new key replaces. It does not count towards the limit */
function refusalToCreate(company: Company, key: Key, at: string, instead?: Key): Refusal | undefined {
  if (isOver(key, at)) return wrong([past]);
  const good = liveKeys(company).filter((one) => !isOver(one, at));
  const counted = good.filter((one) => one !== instead && one.replacedBy === undefined);
  if (counted.length >= mostKeys || good.length >= mostKeys + mostReplaced)
    return refuse("invalid_state", `A company can have at most ${mostKeys} keys.`);
  if (key.accountId === undefined) return undefined;
  const account = accountOf(company, { accountId: key.accountId });
  if (!account) return wrong([wrongField(["accountId"], "unknown_value", "accountId: The account does not exist.")]);
  if (isBlocked(account, at))
    return refuse("invalid_state", "The account is blocked. Unblock it before creating keys for it.", {
      extra: { allowed: [] },
    });
  const allowed = withinRole(["*"], account.role);
  const beyond = key.scopes.filter((scope) => !allowed.includes("*") && !allowed.includes(scope as Scope));
  const message = `scopes: The role ${account.role} does not include ${beyond.join(", ")}.`;
  return beyond.length > 0 ? wrong([wrongField(["scopes"], "unknown_value", message)]) : undefined;
}

/** Restricts the scopes of an existing key to those that the role of its account allows now. */
function leftBy(role: Role | undefined, held: Key["scopes"]): Key["scopes"] {
  const allowed: readonly string[] = role ? withinRole(["*"], role) : [];
  const isAll = allowed.includes("*") || held.every((scope) => allowed.includes(scope));
  return isAll || !role ? held : withinRole(held, role);
}

const wrong = (errors: ErrorItem[]): Refusal => refuse("validation_failed", undefined, { errors });

export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "keys",
)({
  add: (company, { key }: { key: Key }, { at }) => {
    const now = company ?? localCompany(at);
    const refused = refusalToCreate(now, key, at);
    if (refused) return refused;
    const keys = withoutLongEnded([...now.keys, key], at);
    return { state: { ...now, keys }, about: key.keyId, reply: viewOf(key) };
  },

  all: (company, _ask: object) => ({ reply: liveKeys(company).map(viewOf) }),

  look: (company, { keyId }: { keyId: string }) => {
    const key = liveKeys(company).find((one) => one.keyId === keyId);
    return key ? { reply: viewOf(key) } : notThere(keyId);
  },

  /** Creates a key that replaces another one, which remains valid until `until`. */
  rotate: (company, ask: { keyId: string; until: string; made: Omit<Key, "scopes" | "accountId"> }, { at }) => {
    const old = liveKeys(company).find(({ keyId }) => keyId === ask.keyId);
    if (!company || !old) return refuse("not_found");
    if (isOver(old, at)) return over();
    const instead = liveKeys(company).find(({ keyId }) => keyId === old.replacedBy);
    if (instead && !isOver(instead, at)) return replaced(instead);
    const { scopes: held, accountId, description } = old;
    const left = accountId === undefined ? held : leftBy(accountOf(company, { accountId })?.role, held);
    if (left.length === 0)
      return refuse("invalid_state", "The role of the account does not include any scope of the key.", none);
    const key: Key = { description, ...ask.made, scopes: left, ...(accountId && { accountId }) };
    const refused = refusalToCreate(company, key, at, old);
    if (refused) return refused;
    const until = old.expiresAt && old.expiresAt < ask.until ? old.expiresAt : ask.until;
    const former: Key = { ...old, expiresAt: until, replacedBy: key.keyId, updatedAt: at };
    const keys = [...company.keys.map((one) => (one === old ? former : one)), key];
    // Webhooks of the old key are assigned to the new key. So are webhooks of an earlier replacement of the old key,
    // which was revoked or has expired.
    const before = [old.keyId, old.replacedBy];
    const subscribers = company.subscribers.map((one) =>
      one.keyId && before.includes(one.keyId) ? { ...one, keyId: key.keyId } : one,
    );
    return {
      state: { ...company, keys: withoutLongEnded(keys, at), subscribers },
      about: old.keyId,
      reply: { ...viewOf(key), replaces: viewOf(former) },
    };
  },
});
