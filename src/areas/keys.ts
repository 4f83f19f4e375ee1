import * as z from "zod";
import { requireScope } from "../http/caller.ts";
import { scopes, type Caller, type Scope } from "../platform/credential.ts";
import { refuse, type Refusal } from "../platform/decision.ts";
import { sha256 } from "../platform/ids.ts";
import { makeKey, makeToken, parseKey } from "../platform/key-format.ts";
import { Answer } from "../http/responses.ts";
import { listOf, listParameters } from "../platform/lists.ts";
import { commandsOn } from "../platform/command.ts";
import { operationsOn } from "../http/operation.ts";
import { objectOf } from "../platform/aggregates.ts";
import { pageOf } from "../http/pages.ts";
import { wrongField, type ErrorItem } from "../platform/problem.ts";
import { spend } from "../http/rate-limit.ts";
import { Id, LineText, Text } from "../domain/shapes.ts";
import { isBlocked, withinRole } from "./accounts/account.ts";
import { accountOf } from "./accounts/commands.ts";
import type { Role } from "./accounts/shapes.ts";
import { localCompany, type Company, type Key } from "./companies.ts";
import { clientOf, presentedBy, scopesAsked, tokenForm } from "./token-requests.ts";

// What it is

const Scopes = z.array(z.enum(scopes)).min(1).describe("What the key may do; `write` includes `read`.");

const KeyInput = z
  .object({
    scopes: Scopes,
    description: LineText(200).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("A moment to come."),
    accountId: Id.optional().describe(
      "Whose key it is: it does what the account's role allows, and nothing while the account is blocked. Without it the key is of the account of the key that asks, if that is somebody's.",
    ),
  })
  .meta({ id: "KeyInput" });

const RotateInput = z
  .object({
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(30 * 86_400)
      .optional()
      .describe("How long the old key goes on being good; a day when not said, 30 days at most."),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("When the new key expires; a moment to come."),
    description: LineText(200).optional().describe("That of the old key when not said."),
  })
  .meta({ id: "KeyRotation" });

const KeyView = z
  .object({
    keyId: z.string(),
    scopes: z.array(z.string()),
    description: z.string().optional(),
    accountId: z.string().optional().describe("Whose it is."),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
    updatedAt: z.string().describe("When it was made, or when another key took its place."),
    lastUsedAt: z.string().optional().describe("To about a minute."),
    replacedBy: z.string().optional().describe("The key that was made in its place."),
  })
  .meta({ id: "KeyView" });

const Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().describe("Seconds."),
    scope: z.string(),
  })
  .meta({ id: "Token" });

const keyExample: z.output<typeof KeyView> = {
  keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000002",
  scopes: ["orders:write", "webhooks:write"],
  description: "Our TMS",
  createdAt: "2026-11-20T08:05:00.000Z",
  updatedAt: "2026-11-20T08:05:00.000Z",
};

const secondKey = "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000003";

// What happens to it

export const events = {};

// What may be asked: the keys are part of their company's state

const { get, post, del } = operationsOn<Company, typeof events>({ binding: "COMPANIES", scope: "accounts" });

const viewOf = ({ keyId, scopes: held, description, accountId, createdAt, updatedAt, expiresAt, replacedBy }: Key) => ({
  keyId,
  scopes: held,
  createdAt,
  updatedAt: updatedAt ?? createdAt,
  ...(description !== undefined && { description }),
  ...(accountId && { accountId }),
  ...(expiresAt && { expiresAt }),
  ...(replacedBy && { replacedBy }),
});

const liveKeys = (company: Company | undefined) => (company?.keys ?? []).filter(({ revokedAt }) => !revokedAt);
const mostKeys = 100;
/** Keys that others took the place of are good a while longer: so many beside them. */
const mostReplaced = 100;

const past = wrongField(["expiresAt"], "invalid", "expiresAt must lie in the future.");

const isOver = ({ expiresAt }: Key, at: string) => expiresAt !== undefined && expiresAt <= at;

/** Keys that were revoked or have expired stay on record, the last ones. */
const mostEnded = 100;

function withoutLongEnded(keys: Key[], at: string): Key[] {
  const endOf = (key: Key) => key.revokedAt ?? (isOver(key, at) ? key.expiresAt : undefined);
  const ended = keys.filter((key) => endOf(key) !== undefined);
  const recent = ended.toSorted((a, b) => (endOf(a)! > endOf(b)! ? -1 : 1)).slice(0, mostEnded);
  return keys.filter((key) => endOf(key) === undefined || recent.includes(key));
}

const none = { extra: { allowed: [] } };
const over = () => refuse("invalid_state", "The key has expired.", none);

/** Whoever sends the whole key is told what belongs there. */
const notThere = (sent: string) =>
  refuse(
    "not_found",
    parseKey(sent) && "Send the id of the key, which ends before the dot: its secret does not belong into an address.",
  );

/** Where a key is good that has taken the place already: should nobody have it, it is revoked first. */
const replaced = ({ keyId }: Key) =>
  refuse("invalid_state", `${keyId} has taken its place already: rotate that, or revoke it first.`, {
    extra: { allowed: [], replacedBy: keyId },
  });

/** Why such a key is not made, if it is not. One that takes the place of another is not one more. */
function notMade(company: Company, key: Key, at: string, instead?: Key): Refusal | undefined {
  if (isOver(key, at)) return wrong([past]);
  const good = liveKeys(company).filter((one) => !isOver(one, at));
  const counted = good.filter((one) => one !== instead && one.replacedBy === undefined);
  if (counted.length >= mostKeys || good.length >= mostKeys + mostReplaced)
    return refuse("invalid_state", `A company may have ${mostKeys} keys.`);
  if (key.accountId === undefined) return undefined;
  const account = accountOf(company, { accountId: key.accountId });
  if (!account) return wrong([wrongField(["accountId"], "unknown_value", "There is no such account.")]);
  if (isBlocked(account, at)) return refuse("invalid_state", "The account is blocked.", { extra: { allowed: [] } });
  const allowed = withinRole(["*"], account.role);
  const beyond = key.scopes.filter((scope) => !allowed.includes("*") && !allowed.includes(scope as Scope));
  const message = `scopes: A ${account.role} has no ${beyond.join(", ")}.`;
  return beyond.length > 0 ? wrong([wrongField(["scopes"], "unknown_value", message)]) : undefined;
}

/** What a role leaves of the scopes of a key that was made before it. */
function leftBy(role: Role | undefined, held: Key["scopes"]): Key["scopes"] {
  const allowed: readonly string[] = role ? withinRole(["*"], role) : [];
  const isAll = allowed.includes("*") || held.every((scope) => allowed.includes(scope));
  return isAll || !role ? held : withinRole(held, role);
}

const wrong = (errors: ErrorItem[]): Refusal => refuse("validation_failed", undefined, { errors });

/** @throws Problem `missing_scope` for what the caller may not do itself */
function requireAll(caller: Caller, held: readonly string[]): void {
  const all = held.includes("*") ? scopes : (held as Scope[]);
  if (!caller.scopes.includes("*")) for (const scope of all) requireScope(caller, scope);
}

export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "keys",
)({
  add: (company, { key }: { key: Key }, { at }) => {
    const now = company ?? localCompany(at);
    const refused = notMade(now, key, at);
    if (refused) return refused;
    const keys = withoutLongEnded([...now.keys, key], at);
    return { state: { ...now, keys }, about: key.keyId, reply: viewOf(key) };
  },

  /** All that are not revoked, as they are shown. */
  all: (company, _ask: object) => ({ reply: liveKeys(company).map(viewOf) }),

  /** A key that is not revoked, as it is shown. */
  look: (company, { keyId }: { keyId: string }) => {
    const key = liveKeys(company).find((one) => one.keyId === keyId);
    return key ? { reply: viewOf(key) } : notThere(keyId);
  },

  /** Another key takes the place of one that is good until then. */
  rotate: (company, ask: { keyId: string; until: string; made: Omit<Key, "scopes" | "accountId"> }, { at }) => {
    const old = liveKeys(company).find(({ keyId }) => keyId === ask.keyId);
    if (!company || !old) return refuse("not_found");
    if (isOver(old, at)) return over();
    const instead = liveKeys(company).find(({ keyId }) => keyId === old.replacedBy);
    if (instead && !isOver(instead, at)) return replaced(instead);
    const { scopes: held, accountId, description } = old;
    const left = accountId === undefined ? held : leftBy(accountOf(company, { accountId })?.role, held);
    if (left.length === 0) return refuse("invalid_state", "Its account may do nothing of that any more.", none);
    const key: Key = { description, ...ask.made, scopes: left, ...(accountId && { accountId }) };
    const refused = notMade(company, key, at, old);
    if (refused) return refused;
    const until = old.expiresAt && old.expiresAt < ask.until ? old.expiresAt : ask.until;
    const former: Key = { ...old, expiresAt: until, replacedBy: key.keyId, updatedAt: at };
    const keys = [...company.keys.map((one) => (one === old ? former : one)), key];
    // Webhooks follow their key, also from one that took its place before and was revoked.
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

export const operations = {
  list: get("/api/v1/keys", {
    summary: "List the keys of your company",
    query: z.object(listParameters(["createdAt", "updatedAt"], "createdAt")),
    ok: listOf(KeyView),
    example: { reply: { items: [{ ...keyExample, lastUsedAt: "2026-11-23T07:59:30.000Z" }] } },
    async handle({ query: { sort = "createdAt", updatedSince = "", ...page } }, { env, caller: { company }, look }) {
      const [keys, used] = await Promise.all([
        look(commands.all, company, {}),
        objectOf(env, "COMPANIES", company, company).keysUsed(),
      ]);
      const asked = keys.filter(({ updatedAt }) => updatedAt >= updatedSince);
      const { items, ...more } = pageOf(asked, { ...page, list: "keys", sort, id: "keyId" });
      return {
        items: items.map((key) => ({ ...key, ...(used[key.keyId] && { lastUsedAt: used[key.keyId] }) })),
        ...more,
      };
    },
  }),

  create: post("/api/v1/keys", {
    summary: "Make a key",
    description:
      "A key gives no scope that it does not have itself. The new key is shown only in this answer. A request repeated with the same Idempotency-Key makes no second key and shows none.",
    body: KeyInput,
    ok: KeyView.extend({ key: z.string().optional() }).meta({ id: "NewKey" }),
    status: 201,
    refuses: ["invalid_state"],
    example: {
      body: { scopes: ["orders:write", "webhooks:write"], description: "Our TMS" },
      reply: { ...keyExample, key: `${keyExample.keyId}.secret` },
    },
    async handle({ body }, context) {
      for (const scope of body.scopes) requireScope(context.caller, scope);
      const accountId = body.accountId ?? context.caller.account?.accountId;
      const { keyId, key, hash } = await makeKey(context.caller.company);
      const expiresAt = body.expiresAt && new Date(body.expiresAt).toISOString();
      const entry: Key = {
        keyId,
        hash,
        scopes: body.scopes,
        description: body.description,
        createdAt: new Date().toISOString(),
        expiresAt,
        ...(accountId && { accountId }),
      };
      const outcome = await context.execute(commands.add, context.caller.company, { key: entry });
      return new Answer({ ...outcome.reply, ...(!outcome.replayed && { key }) }, { replayed: outcome.replayed });
    },
  }),

  rotate: post("/api/v1/keys/:key/rotate", {
    summary: "Make a key in the place of another",
    description:
      "The new key may do what the old one may and belongs to whom that belongs to; it is shown only in this answer. The old one goes on being good for `overlapSeconds`, so that programs can change without a gap, and expires then. A key rotates none that may do more than itself. One whose place a good key has taken already is not rotated again (409, `replacedBy` names it): revoke that one first should nobody have it.",
    body: RotateInput,
    optionalBody: true,
    ok: KeyView.extend({ key: z.string().optional(), replaces: KeyView }).meta({ id: "RotatedKey" }),
    status: 201,
    refuses: ["invalid_state"],
    example: {
      body: { overlapSeconds: 3600, description: "Our TMS, second key" },
      reply: {
        ...keyExample,
        keyId: secondKey,
        key: `${secondKey}.secret`,
        replaces: { ...keyExample, expiresAt: "2026-11-23T09:05:00.000Z", replacedBy: secondKey },
      },
    },
    async handle({ params, body: { overlapSeconds = 86_400, expiresAt, description } }, context) {
      const { company } = context.caller;
      const old = await context.look(commands.look, company, { keyId: params.key });
      requireAll(context.caller, old.scopes);
      const { keyId, key, hash } = await makeKey(company);
      const now = Date.now();
      const made = {
        keyId,
        hash,
        createdAt: new Date(now).toISOString(),
        ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
        ...(description !== undefined && { description }),
      };
      const until = new Date(now + overlapSeconds * 1000).toISOString();
      const { reply, ...more } = await context.execute(commands.rotate, company, { keyId: params.key, until, made });
      return new Answer({ ...reply, ...(!more.replayed && { key }) }, more);
    },
  }),

  remove: del("/api/v1/keys/:key", {
    summary: "Revoke a key",
    description: "Refused everywhere within 10 seconds.",
    ok: z.object({}),
    status: 204,
    decide(company, { params }, { at }) {
      const key = company?.keys.find(({ keyId }) => keyId === params.key);
      if (!company || !key) return notThere(params.key);
      if (key.revokedAt) return { reply: {} };
      const keys = company.keys.map((one) => (one === key ? { ...one, revokedAt: at } : one));
      return { state: { ...company, keys: withoutLongEnded(keys, at) }, about: key.keyId, reply: {} };
    },
  }),

  token: post("/oauth2/token", {
    summary: "Trade a key for a bearer token",
    description:
      "OAuth 2.0 client credentials (RFC 6749, 4.4): the key's id is the client id, its secret the client secret. The token lives an hour. `scope` names some of the key's scopes, divided by blanks; without it the token may do what the key may.",
    access: "public",
    media: ["application/x-www-form-urlencoded"],
    body: z
      .object({
        grant_type: Text(100),
        client_id: Text(200).optional(),
        client_secret: Text(200).optional(),
        scope: Text(500).optional(),
      })
      .meta({ id: "TokenRequest" }),
    ok: Token,
    refuses: ["unauthenticated", "key_expired", "account_blocked", "company_suspended", "rate_limited"],
    example: {
      body: { grant_type: "client_credentials", client_id: keyExample.keyId, client_secret: "secret" },
      reply: {
        access_token: "lorryt_0193a5f13b7a7c108e556d2f9b0a4c31.token",
        token_type: "Bearer",
        expires_in: 3600,
        scope: "orders:write webhooks:write",
      },
    },
    async handle(_, { request, env }) {
      const form = await tokenForm(request);
      const client = await clientOf(presentedBy(form, request), request, env);
      spend(client, env);
      const { company, keyId } = client;
      const asked = scopesAsked(form, client);
      const token = makeToken(company);
      const { expiresInSeconds } = await objectOf(env, "COMPANIES", company, company).issueToken(await sha256(token), {
        keyId,
        ...(asked && { scopes: asked }),
      });
      return {
        access_token: token,
        token_type: "Bearer" as const,
        expires_in: expiresInSeconds,
        scope: (asked ?? client.scopes).join(" "),
      };
    },
  }),
};
