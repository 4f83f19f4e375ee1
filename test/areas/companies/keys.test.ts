import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient, type ApiRequest } from "../../support/api-client.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
const operator = { authorization: "Bearer operator-of-the-tests" };

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

/** Creates a company with its first key, as the operator does. */
async function found(facts: Record<string, unknown> = {}): Promise<{ companyId: string; keyId: string; key: string }> {
  const { body } = await apiClient(service)<{ companyId: string; keyId: string; key: string }>(
    "POST",
    "/api/v1/companies",
    { json: { name: "Trans Beispiel", ...facts }, headers: operator },
  );
  return body;
}

interface MadeKey {
  keyId: string;
  key?: string;
  scopes: string[];
}

const makeKey = async (ask: ApiClient, scopes: string[], more: Record<string, unknown> = {}) =>
  (await ask<MadeKey>("POST", "/api/v1/keys", { json: { scopes, ...more } })).body;

const token = (sending: ApiRequest) => apiClient(service)("POST", "/oauth2/token", sending);
const urlencoded = (fields: Record<string, string>): ApiRequest => ({ body: new URLSearchParams(fields) });

test("the operator creates a company, and its first key has all scopes", async () => {
  const { companyId, key } = await found();
  const { status, body } = await apiClient(service, key)("GET", "/api/v1/company");
  expect(status).toBe(200);
  expect(body).toMatchObject({ companyId, name: "Trans Beispiel" });
  expect((await apiClient(service, key)("GET", "/api/v1/webhooks")).status).toBe(200);
});

test.each([
  ["pl", 200, "PL"],
  ["POL", 200, "PL"],
  ["D", 200, "DE"],
  ["UK", 200, "GB"],
  ["ZZ", 400, undefined],
  ["Poland", 400, undefined],
])("setting the country %s of a company answers %i", async (country, status, kept) => {
  const ask = apiClient(service, (await found()).key);
  const reply = await ask("PUT", "/api/v1/company", { json: { name: "Trans Beispiel", country } });
  expect({ status: reply.status, country: reply.body.country }).toEqual({ status, country: kept });
});

test.each(["", "Bearer ", "Bearer wrong", "Basic b3BlcmF0b3I6eA=="])(
  "no company is created with the authorization %j",
  async (authorization) => {
    const reply = await apiClient(service)("POST", "/api/v1/companies", {
      json: { name: "A" },
      headers: { authorization },
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toContain("Bearer");
  },
);

describe("a key", () => {
  test("authenticates as X-Api-Key, with Basic, and as a bearer token", async () => {
    const { companyId, keyId, key } = await found();
    const basic = `Basic ${btoa(`${keyId}:${key.slice(keyId.length + 1)}`)}`;
    const made = await token({
      ...urlencoded({ grant_type: "client_credentials" }),
      headers: { authorization: basic },
    });
    expect(made.body).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
    for (const headers of [
      { "x-api-key": key },
      { authorization: basic },
      { authorization: `Bearer ${String(made.body.access_token)}` },
      { authorization: `bEARER ${String(made.body.access_token)}` },
    ] as Record<string, string>[]) {
      const { status, body } = await apiClient(service)("GET", "/api/v1/company", { headers });
      expect({ status, companyId: body.companyId }, JSON.stringify(headers)).toEqual({ status: 200, companyId });
    }
  });

  test("is shown once and never listed", async () => {
    const { key } = await found();
    const ask = apiClient(service, key);
    const made = await makeKey(ask, ["orders:read"], { description: "Our TMS" });
    expect(made.key).toMatch(/^lorry_[0-9a-f]{40}\.[\w-]{43}$/);

    const { body } = await ask<{ items: MadeKey[] }>("GET", "/api/v1/keys");
    expect(body.items.find(({ keyId }) => keyId === made.keyId)).toMatchObject({ description: "Our TMS" });
    expect(JSON.stringify(body)).not.toContain(made.key!.split(".")[1]);
    expect(JSON.stringify(body)).not.toContain("hash");
  });

  test("requested twice with one Idempotency-Key is created and shown once", async () => {
    const ask = apiClient(service, (await found()).key);
    const sending = { json: { scopes: ["orders:read"] }, headers: { "idempotency-key": "make-one" } };
    const first = await ask<MadeKey>("POST", "/api/v1/keys", sending);
    const second = await ask<MadeKey>("POST", "/api/v1/keys", sending);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.body).toEqual({ ...first.body, key: undefined });
    expect((await ask<{ items: unknown[] }>("GET", "/api/v1/keys")).body.items).toHaveLength(2);
  });

  test.each([
    [["orders:read"], "GET", "/api/v1/orders", 200, undefined],
    [["orders:write"], "GET", "/api/v1/orders", 200, undefined],
    [["orders:read"], "POST", "/api/v1/orders", 403, "orders:write"],
    [["orders:write"], "GET", "/api/v1/webhooks", 403, "webhooks:read"],
    [["webhooks:read"], "POST", "/api/v1/webhooks", 403, "webhooks:write"],
    [["orders:write", "webhooks:write"], "GET", "/api/v1/keys", 403, "accounts:read"],
    [["accounts:read"], "POST", "/api/v1/keys", 403, "accounts:write"],
    [["freights:write"], "DELETE", "/api/v1/webhooks/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77", 403, "webhooks:write"],
  ])("with the scopes %j requesting %s %s gets %i", async (scopes, method, path, status, missing) => {
    const { key } = await makeKey(apiClient(service, (await found()).key), scopes);
    const reply = await apiClient(service, key)(method, path, method === "POST" ? { json: {} } : {});
    expect({ status: reply.status, missing: reply.body.scope }).toEqual({ status, missing });
  });

  test("cannot create a key with a scope that it lacks", async () => {
    const { key } = await makeKey(apiClient(service, (await found()).key), ["accounts:write", "orders:read"]);
    const ask = apiClient(service, key);
    const refused = await ask("POST", "/api/v1/keys", { json: { scopes: ["accounts:read", "orders:write"] } });
    expect(refused).toMatchObject({ status: 403, body: { errorCode: "missing_scope", scope: "orders:write" } });
    expect((await ask("POST", "/api/v1/keys", { json: { scopes: ["accounts:read", "orders:read"] } })).status).toBe(
      201,
    );
  });

  test("cannot be created with an expiry in the past", async () => {
    const json = { scopes: ["orders:read"], expiresAt: "2020-01-01T00:00:00+02:00" };
    const reply = await apiClient(service, (await found()).key)("POST", "/api/v1/keys", { json });
    expect(reply).toMatchObject({
      status: 400,
      body: { errorCode: "validation_failed", errors: [{ field: "expiresAt", pointer: "/expiresAt" }] },
    });
  });

  test("that is revoked stays on record until a hundred others are revoked", async () => {
    const { key } = await found({ requestsPerSecond: 10_000 });
    const ask = apiClient(service, key);
    const revoke = async (keyId: string) => (await ask("DELETE", `/api/v1/keys/${keyId}`)).status;
    const revoked: string[] = [];
    for (let i = 0; i < 101; i++) {
      revoked.push((await makeKey(ask, ["orders:read"])).keyId);
      expect(await revoke(revoked.at(-1)!)).toBe(204);
    }
    expect(await revoke(revoked[0]!)).toBe(404);
    expect(await revoke(revoked[1]!)).toBe(204);
    expect((await ask("GET", "/api/v1/company")).status).toBe(200);
  });

  test("that has expired is refused with key_expired", async () => {
    const { key } = await makeKey(apiClient(service, (await found()).key), ["orders:read"], {
      expiresAt: new Date(Date.now() + 4_000).toISOString(),
    });
    const expired = async () => {
      const { status, body } = await apiClient(service, key)("GET", "/api/v1/orders");
      expect({ status, code: body.errorCode }).toEqual({ status: 401, code: "key_expired" });
    };
    await vi.waitFor(expired, { timeout: 50_000, interval: 200 });
  });

  test("that is revoked is refused within 10 seconds, and so is its token", async () => {
    const ask = apiClient(service, (await found()).key);
    const made = await makeKey(ask, ["orders:read"]);
    const [id, secret] = made.key!.split(".") as [string, string];
    const form = urlencoded({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const bearer = `Bearer ${String((await token(form)).body.access_token)}`;
    const used = [apiClient(service, made.key), apiClient({ fetch: withHeader("authorization", bearer) })];
    for (const use of used) expect((await use("GET", "/api/v1/orders")).status).toBe(200);

    expect((await ask("DELETE", `/api/v1/keys/${made.keyId}`)).status).toBe(204);
    const revoked = Date.now();
    expect((await ask("DELETE", `/api/v1/keys/${made.keyId}`)).status).toBe(204);
    expect(JSON.stringify((await ask("GET", "/api/v1/keys")).body)).not.toContain(made.keyId);
    let taken = revoked;
    for (const use of used) {
      const refused = async () => {
        const asked = Date.now();
        const { status } = await use("GET", "/api/v1/orders");
        if (status === 200) taken = asked;
        expect(status).toBe(401);
      };
      await vi.waitFor(refused, { timeout: 50_000, interval: 500 });
    }
    expect(taken - revoked).toBeLessThan(10_000);
    expect((await token(form)).body).toMatchObject({ error: "invalid_client" });
  });

  test("that is rotated gets a successor with the same scopes, and works until its overlap ends", async () => {
    const ask = apiClient(service, (await found()).key);
    const old = await makeKey(ask, ["orders:write"], { description: "Our TMS" });
    const rotated = await ask<MadeKey & { replaces: Record<string, string> }>(
      "POST",
      `/api/v1/keys/${old.keyId}/rotate`,
      { json: { overlapSeconds: 1 } },
    );
    expect(rotated).toMatchObject({
      status: 201,
      body: { scopes: ["orders:write"], description: "Our TMS", replaces: { keyId: old.keyId } },
    });
    expect(rotated.body.replaces.replacedBy).toBe(rotated.body.keyId);
    const fresh = apiClient(service, rotated.body.key);
    expect((await fresh("GET", "/api/v1/orders")).status).toBe(200);
    const expired = async () =>
      expect((await apiClient(service, old.key)("GET", "/api/v1/orders")).body.errorCode).toBe("key_expired");
    await vi.waitFor(expired, { timeout: 50_000, interval: 200 });
    const [id = "", secret = ""] = old.key!.split(".");
    const client = { grant_type: "client_credentials", client_id: id };
    for (const [sent, code] of [
      [secret, "key_expired"],
      ["another", "unauthenticated"],
    ] as const)
      expect(await token(urlencoded({ ...client, client_secret: sent }))).toMatchObject({
        status: 401,
        body: { errorCode: code, error: "invalid_client" },
      });
    expect((await fresh("GET", "/api/v1/orders")).status).toBe(200);
    const again = await ask("POST", `/api/v1/keys/${old.keyId}/rotate`);
    expect(again).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
  });

  test("cannot be rotated twice, unless its successor is revoked", async () => {
    const ask = apiClient(service, (await found()).key);
    const old = await makeKey(ask, ["orders:read"]);
    const rotate = () => ask<MadeKey & Record<string, unknown>>("POST", `/api/v1/keys/${old.keyId}/rotate`);
    const { keyId } = (await rotate()).body;
    expect(await rotate()).toMatchObject({ status: 409, body: { errorCode: "invalid_state", replacedBy: keyId } });
    expect((await ask("DELETE", `/api/v1/keys/${keyId}`)).status).toBe(204);
    const again = await rotate();
    expect(again.status).toBe(201);
    expect(again.body["replaces"]).toMatchObject({ keyId: old.keyId, replacedBy: again.body.keyId });
  });

  test("can be rotated although its company has the maximum number of keys", async () => {
    const ask = apiClient(service, (await found({ requestsPerSecond: 10_000 })).key);
    const made: MadeKey[] = [];
    for (let i = 0; i < 99; i++) made.push(await makeKey(ask, ["orders:read"]));
    const more = () => ask("POST", "/api/v1/keys", { json: { scopes: ["orders:read"] } });
    expect(await more()).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
    for (const { keyId } of made) expect((await ask("POST", `/api/v1/keys/${keyId}/rotate`)).status).toBe(201);
    expect(await more()).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
  });

  test("that is rotated gets only the scopes that the current role of its account allows", async () => {
    const ask = apiClient(service, (await found()).key);
    const { body: account } = await ask<{ accountId: string }>("POST", "/api/v1/accounts", {
      json: { email: "anna@trans.example", role: "forwarder" },
    });
    const old = await makeKey(ask, ["orders:write", "freights:read"], { accountId: account.accountId });
    let last: string | undefined;
    const rotated = async (role: string) => {
      if (last) await ask("DELETE", `/api/v1/keys/${last}`);
      await ask("PUT", `/api/v1/accounts/${account.accountId}`, { json: { role } });
      const reply = await ask<MadeKey & Record<string, unknown>>("POST", `/api/v1/keys/${old.keyId}/rotate`);
      last = reply.body.keyId;
      return reply;
    };
    expect((await rotated("forwarder")).body.scopes).toEqual(["orders:write", "freights:read"]);
    expect(await rotated("viewer")).toMatchObject({ status: 201, body: { scopes: ["orders:read", "freights:read"] } });
    expect(await rotated("carrier")).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
  });

  test("cannot rotate a key with more scopes than its own", async () => {
    const { key, keyId } = await found();
    const own = await makeKey(apiClient(service, key), ["accounts:write"]);
    const refused = await apiClient(service, own.key)("POST", `/api/v1/keys/${keyId}/rotate`);
    expect(refused).toMatchObject({ status: 403, body: { errorCode: "missing_scope" } });
  });

  test("shows when it was last used", async () => {
    const ask = apiClient(service, (await found()).key);
    const made = await makeKey(ask, ["orders:read"]);
    const listed = async () => {
      const { body } = await ask<{ items: (MadeKey & { lastUsedAt?: string })[] }>("GET", "/api/v1/keys");
      return body.items.find(({ keyId }) => keyId === made.keyId)!;
    };
    expect((await listed()).lastUsedAt).toBeUndefined();
    const before = Date.now();
    await apiClient(service, made.key)("GET", "/api/v1/orders");
    expect(Date.parse((await listed()).lastUsedAt!)).toBeGreaterThanOrEqual(before);
  });

  test("of another company is not found", async () => {
    const [ours, theirs] = [await found(), await found()];
    const ask = apiClient(service, ours.key);
    expect((await ask("DELETE", `/api/v1/keys/${theirs.keyId}`)).body).toMatchObject({ errorCode: "not_found" });
    expect((await apiClient(service, theirs.key)("GET", "/api/v1/company")).status).toBe(200);

    const disguised = theirs.key.replace(theirs.keyId, ours.keyId);
    expect((await apiClient(service, disguised)("GET", "/api/v1/company")).status).toBe(401);
  });

  test.each([
    "nobody",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "null",
    "lorry_",
    `lorry_${"0".repeat(40)}.${"A".repeat(43)}`,
    `lorryt_${"0".repeat(32)}.${"A".repeat(43)}`,
    "x".repeat(8_000),
  ])("that was never created is refused: %.30s", async (key) => {
    for (const headers of [
      { "x-api-key": key },
      { authorization: `Bearer ${key}` },
      { authorization: `Basic ${btoa(key)}` },
      { authorization: `Basic ${btoa(`${key}:${key}`)}` },
    ] as Record<string, string>[]) {
      const reply = await apiClient(service)("GET", "/api/v1/company", { headers });
      expect(reply.status, JSON.stringify(headers)).toBe(401);
      expect(reply.body).toMatchObject({ errorCode: "unauthenticated" });
      expect(reply.headers.get("www-authenticate")).toContain("X-Api-Key");
    }
  });
});

test("the rate limit of a company applies to each of its keys, and its state is in every response", async () => {
  const ask = apiClient(service, (await found({ requestsPerSecond: 1 })).key);
  const { key } = await makeKey(ask, ["orders:read"]);
  const limited = [];
  for (let i = 0; i < 4; i++) limited.push(await apiClient(service, key)("GET", "/api/v1/orders"));
  expect(limited[0]!.headers.get("ratelimit-policy")).toBe('"key";q=1;w=1;burst=2');
  expect(limited[0]!.headers.get("ratelimit")).toBe('"key";r=1;t=1');
  const last = limited.at(-1)!;
  expect(last.status).toBe(429);
  expect(last.body).toMatchObject({ errorCode: "rate_limited" });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});

describe("a token", () => {
  test("is issued for a local key too", async () => {
    const { key } = service.company();
    const made = await token(urlencoded({ grant_type: "client_credentials", client_id: key, client_secret: key }));
    expect(made.status).toBe(200);
    const headers = { authorization: `Bearer ${String(made.body.access_token)}` };
    expect((await apiClient(service)("GET", "/api/v1/orders", { headers })).status).toBe(200);
  });

  test.each([
    ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["no grant", {}, 400, "unsupported_grant_type"],
    ["no client", { grant_type: "client_credentials" }, 401, "invalid_client"],
    ["a wrong secret", { grant_type: "client_credentials", client_id: "a", client_secret: "b" }, 401, "invalid_client"],
    [
      "a client id outside Latin-1",
      { grant_type: "client_credentials", client_id: "ż", client_secret: "łódź" },
      401,
      "invalid_client",
    ],
  ])("is not issued for %s", async (_, fields, status, error) => {
    const reply = await token(urlencoded(fields));
    expect(reply.status).toBe(status);
    expect(reply.body.error).toBe(error);
  });

  test("cannot be used to get another token, which would escape its scopes and expiry", async () => {
    const [id, secret] = (await makeKey(apiClient(service, (await found()).key), ["orders:read"])).key!.split(".") as [
      string,
      string,
    ];
    const grant = { grant_type: "client_credentials" };
    const first = await token(urlencoded({ ...grant, client_id: id, client_secret: secret }));
    expect(first.body.scope).toBe("orders:read");
    const bearer = String(first.body.access_token);
    for (const sending of [
      urlencoded({ ...grant, client_id: bearer, client_secret: bearer }),
      { ...urlencoded(grant), headers: { authorization: `Basic ${btoa(`${bearer}:${bearer}`)}` } },
    ]) {
      expect(await token(sending)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    }
  });

  test("is refused with 413 if its request is too large", async () => {
    const reply = await token({ body: `grant_type=client_credentials&x=${"x".repeat(20_000)}` });
    expect({ status: reply.status, code: reply.body.errorCode }).toEqual({ status: 413, code: "payload_too_large" });
  });
});

const withHeader =
  (name: string, value: string): TestService["fetch"] =>
  (path, init) =>
    service.fetch(path, { ...init, headers: { ...(init?.headers as Record<string, string>), [name]: value } });
