import * as z from "zod";
import { requireScope } from "../../http/caller.ts";
import { scopes, type Caller, type Scope } from "../../platform/credential.ts";
import { sha256 } from "../../platform/ids.ts";
import { makeKey, makeToken } from "../../platform/key-format.ts";
import { Answer } from "../../http/responses.ts";
import { listOf, listParameters } from "../../platform/list-parameters.ts";
import { operationsOn } from "../../http/operation.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { paginate } from "../../http/paginate.ts";
import { takeKeyToken } from "../../http/rate-limit.ts";
import { Text } from "../../domain/shapes.ts";
import { type Company, type Key } from "../companies/model.ts";
import { clientOf, presentedBy, scopesAsked, tokenForm } from "./token-requests.ts";
import type { events } from "./model.ts";
import { KeyInput, KeyView, RotateInput, Token, keyExample, secondKey } from "./model.ts";
import { commands, notThere, withoutLongEnded } from "./commands.ts";
const { get, post, del } = operationsOn<Company, typeof events>({ binding: "COMPANIES", scope: "accounts" });

/** @throws Problem `missing_scope` if the caller does not hold all scopes of a key */
function requireAll(caller: Caller, held: readonly string[]): void {
  const all = held.includes("*") ? scopes : (held as Scope[]);
  if (!caller.scopes.includes("*")) for (const scope of all) requireScope(caller, scope);
}

export const operations = {
  list: get("/api/v1/keys", {
    summary: "List the keys of your company",
    query: z.object(listParameters(["createdAt", "updatedAt"], "createdAt")),
    ok: listOf(KeyView),
    example: { reply: { items: [{ ...keyExample, lastUsedAt: "2026-11-23T07:59:30.000Z" }] } },
    async handle({ query: { sort = "createdAt", updatedSince = "", ...page } }, { env, caller: { company }, send }) {
      const [keys, used] = await Promise.all([
        send(commands.all, company, {}),
        objectOf(env, "COMPANIES", company, company).keysUsed(),
      ]);
      const changed = keys.filter(({ updatedAt }) => updatedAt >= updatedSince);
      const { items, ...more } = paginate(changed, { ...page, list: "keys", sort, id: "keyId" });
      return {
        items: items.map((key) => ({ ...key, ...(used[key.keyId] && { lastUsedAt: used[key.keyId] }) })),
        ...more,
      };
    },
  }),

  create: post("/api/v1/keys", {
    summary: "Create a key",
    description:
      "A key can only grant scopes that it has itself. The new key is returned only in this response. Repeating the request with the same Idempotency-Key creates no second key and does not return the key again.",
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
    summary: "Rotate a key",
    description:
      "Creates a key with the scopes and the account of the old one; it is returned only in this response. The old key remains valid for `overlapSeconds`, so that programs can switch without interruption, and then expires. A key cannot rotate a key that has more permissions than itself. A key that already has a valid replacement cannot be rotated again (409, `replacedBy` names the replacement): if the replacement was lost, revoke it first.",
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
      const old = await context.send(commands.look, company, { keyId: params.key });
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
    description: "The key is refused everywhere within 10 seconds.",
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
    summary: "Exchange a key for a bearer token",
    description:
      "OAuth 2.0 client credentials (RFC 6749, 4.4): the key's id is the client id, its secret the client secret. The token is valid for one hour. `scope` lists some of the key's scopes, separated by spaces; without it the token has all scopes of the key.",
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
      takeKeyToken(client, env);
      const { company, keyId } = client;
      const requested = scopesAsked(form, client);
      const token = makeToken(company);
      const { expiresInSeconds } = await objectOf(env, "COMPANIES", company, company).issueToken(await sha256(token), {
        keyId,
        ...(requested && { scopes: requested }),
      });
      return {
        access_token: token,
        token_type: "Bearer" as const,
        expires_in: expiresInSeconds,
        scope: (requested ?? client.scopes).join(" "),
      };
    },
  }),
};
