import * as z from "zod";
import { basicKey, keyOf, recognise, requireScope, unauthenticated } from "../kit/caller.ts";
import type { Caller } from "../kit/credential.ts";
import { readText } from "../kit/body.ts";
import { refuse } from "../kit/decision.ts";
import { sha256 } from "../kit/ids.ts";
import type { Env } from "../kit/env.ts";
import { makeKey, makeToken, parseToken } from "../kit/keys.ts";
import { Answer } from "../kit/http.ts";
import { operationsOn, stepsOn } from "../kit/operation.ts";
import { objectOf } from "../kit/owners.ts";
import { invalid, Problem, wrongField } from "../kit/problem.ts";
import { LineText, Text } from "../kit/shapes.ts";
import { localCompany, type Company, type Key } from "./companies.ts";

// What it is

const areas = ["orders", "freights", "documents", "fleet", "finance", "webhooks", "accounts"] as const;
export const scopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const);
const Scopes = z.array(z.enum(scopes)).min(1).describe("What the key may do; `write` includes `read`.");

const KeyInput = z
  .object({
    scopes: Scopes,
    description: LineText(200).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("A moment to come."),
  })
  .meta({ id: "KeyInput" });

const KeyView = z
  .object({
    keyId: z.string(),
    scopes: z.array(z.string()),
    description: z.string().optional(),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
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
};

// What happens to it

export const events = {};

// What may be asked: the keys are part of their company's state

const { get, post, del } = operationsOn<Company, typeof events>({ binding: "COMPANIES", scope: "accounts" });

const viewOf = ({ keyId, scopes: held, description, createdAt, expiresAt }: Key) => ({
  keyId,
  scopes: held,
  createdAt,
  ...(description !== undefined && { description }),
  ...(expiresAt && { expiresAt }),
});

const past = wrongField(["expiresAt"], "invalid", "expiresAt must lie in the future.");

/** Revoked keys that stay on record, the last ones. */
const mostRevoked = 100;

function withoutLongRevoked(keys: Key[]): Key[] {
  const revoked = keys.filter(({ revokedAt }) => revokedAt);
  const recent = revoked.toSorted((a, b) => (a.revokedAt! > b.revokedAt! ? -1 : 1)).slice(0, mostRevoked);
  return keys.filter((key) => !key.revokedAt || recent.includes(key));
}

export const steps = stepsOn<Company, typeof events>(
  "COMPANIES",
  "keys",
)({
  add: (company, { key }: { key: Key }, { at }) => {
    const now = company ?? localCompany(at);
    if (key.expiresAt && key.expiresAt <= at)
      return refuse("validation_failed", "1 field is wrong.", { errors: [past] });
    if (now.keys.filter(({ revokedAt }) => !revokedAt).length >= 100)
      return refuse("invalid_state", "A company may have 100 keys.");
    return { state: { ...now, keys: [...now.keys, key] }, reply: viewOf(key) };
  },
});

export const operations = {
  list: get("/api/v1/keys", {
    summary: "List the keys of your company",
    ok: z.object({ items: z.array(KeyView) }),
    example: { reply: { items: [keyExample] } },
    decide: (company) => ({
      reply: { items: (company?.keys ?? []).filter(({ revokedAt }) => !revokedAt).map(viewOf) },
    }),
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
      const { keyId, key, hash } = await makeKey(context.caller.company);
      const expiresAt = body.expiresAt && new Date(body.expiresAt).toISOString();
      const entry: Key = {
        keyId,
        hash,
        scopes: body.scopes,
        description: body.description,
        createdAt: new Date().toISOString(),
        expiresAt,
      };
      const outcome = await context.perform(steps.add, context.caller.company, { key: entry });
      return new Answer({ ...outcome.reply, ...(!outcome.replayed && { key }) }, { replayed: outcome.replayed });
    },
  }),

  remove: del("/api/v1/keys/:key", {
    summary: "Revoke a key",
    description: "Refused everywhere within 10 seconds.",
    ok: z.object({}),
    status: 204,
    decide(company, { params }, { at }) {
      const key = company?.keys.find(({ keyId }) => keyId === params.key);
      if (!company || !key) return refuse("not_found");
      if (key.revokedAt) return { reply: {} };
      const keys = company.keys.map((one) => (one === key ? { ...one, revokedAt: at } : one));
      return { state: { ...company, keys: withoutLongRevoked(keys) }, reply: {} };
    },
  }),

  token: post("/oauth2/token", {
    summary: "Trade a key for a bearer token",
    description:
      "OAuth 2.0 client credentials (RFC 6749, 4.4): the key's id is the client id, its secret the client secret. The token lives an hour.",
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
    refuses: ["unauthenticated"],
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
      const { company, keyId } = await clientOf(presentedBy(form, request), env);
      const token = makeToken(company);
      const { expiresInSeconds, scopes: held } = await objectOf(env, "COMPANIES", company, company).issueToken(
        keyId,
        await sha256(token),
      );
      return {
        access_token: token,
        token_type: "Bearer" as const,
        expires_in: expiresInSeconds,
        scope: held.join(" "),
      };
    },
  }),
};

/** Largest token request in bytes. */
const formLimit = 10_000;

async function tokenForm(request: Request): Promise<Map<string, string>> {
  const form = new Map(new URLSearchParams(await readText(request, formLimit)));
  if (form.get("grant_type") === "client_credentials") return form;
  const item = wrongField(["grant_type"], "unknown_value", "grant_type must be client_credentials.");
  const error = invalid([item]);
  throw new Problem("validation_failed", error.message, { errors: [item], extra: { error: "unsupported_grant_type" } });
}

function presentedBy(form: Map<string, string>, request: Request): string | undefined {
  const basic = /^basic (.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic) return basicKey(basic);
  const [id, secret] = [form.get("client_id"), form.get("client_secret")];
  return id && secret ? keyOf(id, secret) : undefined;
}

/** Only a key is traded: a token that bought tokens would outlive its hour. */
async function clientOf(presented: string | undefined, env: Env): Promise<Caller> {
  if (!presented || parseToken(presented)) throw clientRefused();
  return recognise(presented, env).catch((error: unknown) => {
    throw error instanceof Problem ? clientRefused() : error;
  });
}

function clientRefused(): Problem {
  const { headers } = unauthenticated();
  return new Problem("unauthenticated", "The client id or secret is wrong.", {
    headers,
    extra: { error: "invalid_client" },
  });
}
