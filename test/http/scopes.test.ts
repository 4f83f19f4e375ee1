import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventTypes, scopeOfEvent } from "../../src/events.ts";
import type { Scope } from "../../src/platform/credential.ts";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import { createCarrierOrder as orderPosted } from "../support/carriers.ts";
import { simulateInternet } from "../support/simulated-internet.ts";
import { createFreight as freightPosted } from "../support/freights.ts";
import { oddSenders } from "../support/unusual-orders.ts";
import { openService, type TestService } from "../support/service.ts";
import { sendFeedback, createOrder as orderRead, root as feedback } from "../support/feedback.ts";

// If an operation refuses to show something to a key, no other operation may show it to this key.

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const soon = { timeout: 50_000, interval: 50 };

interface Told {
  id: string;
  eventType: string;
  data?: unknown;
}
interface Webhook {
  subscriptionId: string;
  status: string;
  disabledBecause?: string;
  keyId?: string;
  eventTypes: string[];
  receives?: string[];
}

/** Creates a company. Returns functions that create keys with given scopes. */
function company() {
  const admin = apiClient(service, service.company().key);
  const made = async (scopes: Scope[], more: object = {}) => {
    const { body } = await admin<{ keyId: string; key: string }>("POST", "/api/v1/keys", { json: { scopes, ...more } });
    return { keyId: body.keyId, ask: apiClient(service, body.key), key: body.key };
  };
  return { admin, made, limitedTo: async (...scopes: Scope[]) => (await made(scopes)).ask };
}

/** Causes one event of an order, one of a freight and one of an account. */
async function happened(admin: ApiClient) {
  const { orderId } = await orderPosted(admin);
  const { freightId } = await freightPosted(admin);
  await admin("POST", "/api/v1/accounts", { json: { email: "anna@trans.example", role: "viewer" } });
  await admin("PUT", "/api/v1/accounts/block", { json: { email: "anna@trans.example" } });
  const wanted = ["CarrierOrderCreated", "FreightPublished", "AccountBlocked"];
  await vi.waitFor(async () => expect(await typesFor(admin)).toEqual(expect.arrayContaining(wanted)), soon);
  return { orderId, freightId };
}

const polled = async (ask: ApiClient, query = "") =>
  (await ask<{ items: Told[] }>("GET", `/api/v1/events?payload=Full${query}`)).body.items;
const typesFor = async (ask: ApiClient) => (await polled(ask)).map(({ eventType }) => eventType);
const missing = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  scope: body["scope"],
});

describe("polled events", () => {
  test("are only those that the key may read", async () => {
    const { admin, limitedTo } = company();
    await happened(admin);
    const all = await typesFor(admin);
    for (const scopes of [[], ["orders:read"], ["freights:write"], ["accounts:read", "orders:write"]] as Scope[][]) {
      const areas = scopes.map((scope) => `${scope.split(":")[0]}:read`);
      const readable = all.filter((type) => areas.includes(scopeOfEvent[type as keyof typeof scopeOfEvent]));
      expect(await typesFor(await limitedTo("webhooks:read", ...scopes)), scopes.join()).toEqual(readable);
    }
  });

  test("can be followed from an event that the key may not read", async () => {
    const { admin, limitedTo } = company();
    await happened(admin);
    const ask = await limitedTo("webhooks:read", "freights:read");
    const [order] = (await polled(admin)).filter(({ eventType }) => eventType === "CarrierOrderCreated");
    expect((await polled(ask, `&after=${order!.id}`)).map(({ eventType }) => eventType)).toEqual(["FreightPublished"]);
  });
});

test("a key can neither poll nor subscribe to an event type that it may not read", async () => {
  const { limitedTo } = company();
  const bare = await limitedTo("webhooks:write");
  const callbackUrl = internet.address().url;
  for (const type of eventTypes.filter((one) => one !== "Test")) {
    const refused = { status: 403, scope: scopeOfEvent[type] };
    expect(missing(await bare("GET", `/api/v1/events?eventType=${type}`)), type).toEqual(refused);
    const wanted = { eventTypes: ["Test", type], callbackUrl };
    expect(missing(await bare("POST", "/api/v1/webhooks", { json: wanted })), type).toEqual(refused);
  }
  expect((await bare<{ items: [] }>("GET", "/api/v1/webhooks")).body.items).toEqual([]);
});

describe("a webhook", () => {
  async function subscribed(ask: ApiClient, wanted: object = { eventType: "All" }) {
    const receiver = internet.address();
    const { status, body } = await ask<Webhook>("POST", "/api/v1/webhooks", {
      json: { callbackUrl: receiver.url, payload: "Full", ...wanted },
    });
    expect(status).toBe(201);
    const heard = () => receiver.received.map(({ body: sent }) => (JSON.parse(sent) as Told).eventType);
    return { path: `/api/v1/webhooks/${body.subscriptionId}`, webhook: body, receiver, heard };
  }

  test("for all events receives only those that its key may read, and its log shows a key only those too", async () => {
    const { admin, made, limitedTo } = company();
    const { keyId, ask } = await made(["webhooks:write", "freights:read"]);
    const limited = await subscribed(ask);
    const whole = await subscribed(admin);
    expect(limited.webhook).toMatchObject({ eventTypes: ["All"], keyId });
    expect(limited.webhook.receives).toEqual(expect.arrayContaining(["FreightPublished", "Test"]));
    expect(limited.webhook.receives).not.toContain("CarrierOrderCreated");
    expect(whole.webhook.receives).toBeUndefined();
    await happened(admin);
    await vi.waitFor(() => expect(whole.heard()).toHaveLength(3), soon);
    await vi.waitFor(() => expect(limited.heard()).toEqual(["FreightPublished"]), soon);

    const logFor = async (key: ApiClient) =>
      (await key<{ items: { deliveryId: string; eventType: string }[] }>("GET", `${whole.path}/deliveries`)).body.items;
    const ofOrders = await limitedTo("webhooks:write", "orders:read");
    expect((await logFor(ofOrders)).map(({ eventType }) => eventType)).toEqual(["CarrierOrderCreated"]);
    const all = await logFor(admin);
    expect(all).toHaveLength(3);
    for (const { deliveryId, eventType } of all) {
      const { status } = await ofOrders("POST", `${whole.path}/deliveries/${deliveryId}/resend`);
      expect(status, eventType).toBe(eventType === "CarrierOrderCreated" ? 202 : 404);
    }
  });

  test("gets no replay of events that its key may not read", async () => {
    const { admin, limitedTo } = company();
    await happened(admin);
    const limited = await subscribed(await limitedTo("webhooks:write", "freights:read"));
    const replayFrom = new Date(Date.now() - 3_600_000).toISOString();
    await admin("PUT", `${limited.path}/reset`, { json: { replayFrom } });
    await vi.waitFor(() => expect(limited.heard()).toEqual(["FreightPublished"]), soon);
    await freightPosted(admin);
    await vi.waitFor(() => expect(limited.heard()).toEqual(["FreightPublished", "FreightPublished"]), soon);
  });

  test("created with a token of few scopes receives only what the token may read", async () => {
    const { admin, made } = company();
    const { key, keyId } = await made(["webhooks:write", "orders:read", "freights:read"]);
    const form = { grant_type: "client_credentials", client_id: keyId, client_secret: key.slice(keyId.length + 1) };
    const traded = (scope: string) =>
      apiClient(service)<Record<string, string>>("POST", "/oauth2/token", {
        body: new URLSearchParams({ ...form, scope }),
      });
    expect(await traded("orders:write")).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    const { status, body } = await traded("freights:read  webhooks:write");
    expect({ status, scope: body["scope"] }).toEqual({ status: 200, scope: "freights:read webhooks:write" });
    const bearer: ApiClient = (method, path, sending) =>
      apiClient(service)(method, path, {
        ...sending,
        headers: { ...sending?.headers, authorization: `Bearer ${body["access_token"]}` },
      });
    expect(missing(await bearer("GET", "/api/v1/orders"))).toEqual({ status: 403, scope: "orders:read" });
    const webhook = await subscribed(bearer);
    await happened(admin);
    await freightPosted(admin);
    await vi.waitFor(() => expect(webhook.heard()).toEqual(["FreightPublished", "FreightPublished"]), soon);
  });

  test("follows its key when the key is rotated, stops with it, and continues with the key that resets it", async () => {
    const { admin, made, limitedTo } = company();
    const { keyId, ask } = await made(["webhooks:write", "orders:read"]);
    const { path, heard } = await subscribed(ask, { eventType: "CarrierOrderCreated" });
    const { body: rotated } = await admin<{ keyId: string }>("POST", `/api/v1/keys/${keyId}/rotate`, {
      json: { overlapSeconds: 0 },
    });
    expect((await admin<Webhook>("GET", path)).body).toMatchObject({ status: "Active", keyId: rotated.keyId });
    await orderPosted(admin);
    await vi.waitFor(() => expect(heard()).toHaveLength(1), soon);

    expect((await admin("DELETE", `/api/v1/keys/${rotated.keyId}`)).status).toBe(204);
    const stopped = (await admin<Webhook>("GET", path)).body;
    expect(stopped).toMatchObject({ status: "Disabled", disabledBecause: "KeyRevoked", receives: [] });
    const missed = new Date().toISOString();
    await orderPosted(admin);
    await vi.waitFor(async () => expect(await typesFor(admin)).toHaveLength(2), soon);

    const json = { replayFrom: missed };
    const bare = await limitedTo("webhooks:write");
    expect(missing(await bare("PUT", `${path}/reset`, { json }))).toEqual({ status: 403, scope: "orders:read" });
    const next = await made(["webhooks:write", "orders:read"]);
    const reset = (await next.ask<Webhook>("PUT", `${path}/reset`, { json })).body;
    expect(reset).toMatchObject({ status: "Active", keyId: next.keyId });
    await vi.waitFor(() => expect(heard()).toHaveLength(2), soon);
    await orderPosted(admin);
    await vi.waitFor(() => expect(heard()).toHaveLength(3), soon);
  });

  test("cannot be changed by a key that may not read the events that it receives or that wait in it", async () => {
    const { admin, made, limitedTo } = company();
    const { path, webhook, receiver } = await subscribed(admin, { eventTypes: ["CarrierOrderCreated", "Test"] });
    const elsewhere = internet.address();
    const json = { eventType: "Test", callbackUrl: elsewhere.url };
    const bare = await limitedTo("webhooks:write", "freights:read");
    expect(missing(await bare("PUT", path, { json }))).toEqual({ status: 403, scope: "orders:read" });
    expect((await admin<Webhook>("GET", path)).body).toEqual(
      expect.objectContaining({ eventTypes: webhook.eventTypes }),
    );

    receiver.respondWith(() => ({ status: 503, headers: { "retry-after": "3600" } }));
    await orderPosted(admin);
    await receiver.waitForRequests(1);
    expect((await admin("PUT", path, { json: { ...json, callbackUrl: receiver.url } })).status).toBe(200);
    expect(missing(await bare("PUT", path, { json }))).toEqual({ status: 403, scope: "orders:read" });
    const named = { ...json, eventType: "FreightPublished" };
    const { ask, keyId } = await made(["webhooks:write", "orders:read"]);
    expect(missing(await ask("PUT", path, { json: named }))).toEqual({ status: 403, scope: "freights:read" });
    expect(elsewhere.received).toEqual([]);

    expect(await ask<Webhook>("PUT", path, { json: { ...json, eventType: "All" } })).toMatchObject({
      status: 200,
      body: { keyId, eventTypes: ["All"] },
    });
    await elsewhere.waitForRequests(1);
    await freightPosted(admin);
    await orderPosted(admin);
    const types = () => elsewhere.received.map(({ body }) => (JSON.parse(body) as Told).eventType);
    await vi.waitFor(() => expect(types()).toEqual(["CarrierOrderCreated", "CarrierOrderCreated"]), soon);
  });

  test("receives only what the role of its account still permits its key", async () => {
    const { admin, made } = company();
    const account = { email: "anna@trans.example", role: "forwarder" };
    const { accountId } = (await admin<{ accountId: string }>("POST", "/api/v1/accounts", { json: account })).body;
    const { ask } = await made(["webhooks:write", "orders:read"], { accountId });
    const { path } = await subscribed(ask);
    await admin("PUT", `/api/v1/accounts/${accountId}`, { json: { role: "carrier" } });
    expect((await admin<Webhook>("GET", path)).body).toMatchObject({ disabledBecause: "KeyRevoked", receives: [] });
    await admin("PUT", `/api/v1/accounts/${accountId}`, { json: { role: "viewer" } });
    const { status, receives } = (await admin<Webhook>("GET", path)).body;
    expect({ status, hears: receives?.includes("CarrierOrderCreated") }).toEqual({ status: "Active", hears: true });
  });
});

const nothing = "0193a5f2-0000-7000-8000-000000000000";

describe("records of other areas also need the scopes of these areas", () => {
  test.each([
    ["GET", `/api/v1/freights/${nothing}/matches`, ["freights:read"], "fleet:read"],
    ["GET", `/api/v1/vehicles/${nothing}/matches`, ["fleet:read"], "freights:read"],
    ["GET", "/api/v1/mails", ["documents:read", "orders:read", "freights:read"], "finance:read"],
    ["GET", `/api/v1/mails/${nothing}`, ["documents:read", "freights:read"], "orders:read"],
    ["GET", `/api/v1/mails/${nothing}/file`, ["documents:read", "orders:read"], "freights:read"],
    ["POST", "/api/v1/privacy/export", ["accounts:write"], "orders:read"],
    ["GET", `/api/v1/privacy/requests/${nothing}/result`, ["accounts:read", "orders:read"], "freights:read"],
    ["POST", "/api/v1/transactions-feed/reconcile", ["finance:write"], "documents:read"],
    ["POST", "/api/v1/automations/fines", ["finance:write"], "documents:read"],
  ] satisfies [string, string, Scope[], Scope][])("%s %s with %j", async (method, path, scopes, scope) => {
    const ask = await company().limitedTo(...scopes);
    const json = path.endsWith("/fines") ? { documentIds: [nothing] } : { documentId: nothing, email: "a@b.example" };
    expect(missing(await ask(method, path, method === "POST" ? { json } : {}))).toEqual({ status: 403, scope });
  });
});

test("the audit log hides changes of records that a key may not read", async () => {
  const { admin, limitedTo } = company();
  await happened(admin);
  const types = async (ask: ApiClient) => {
    const { body } = await ask<{ items: { resource: { type: string } }[] }>("GET", "/api/v1/audit?limit=200");
    return new Set(body.items.map(({ resource }) => resource.type));
  };
  await vi.waitFor(async () => expect(await types(admin)).toEqual(new Set(["Company", "Order", "Freight"])), soon);
  expect(await types(await limitedTo("accounts:read"))).toEqual(new Set(["Company"]));
  const ofOrders = await limitedTo("accounts:read", "orders:read");
  expect(await types(ofOrders)).toEqual(new Set(["Company", "Order"]));
  expect(missing(await ofOrders("GET", "/api/v1/audit?resourceType=Freight"))).toEqual({
    status: 403,
    scope: "freights:read",
  });
});

test("feedback hides records that a key may not read", async () => {
  const { admin, limitedTo } = company();
  const { id } = await orderRead(admin, oddSenders[0]!.paper("99001", "BX-4711/26", 37));
  const { body: given } = await sendFeedback(admin, id, { rating: "Good" });
  const kinds = async (ask: ApiClient) =>
    (await ask<{ kinds: { kind: string }[] }>("GET", `${feedback}/metrics`)).body.kinds.map(({ kind }) => kind);
  const listed = async (ask: ApiClient) => (await ask<{ items: object[] }>("GET", feedback)).body.items.length;
  await vi.waitFor(async () => expect([await kinds(admin), await listed(admin)]).toEqual([["order"], 1]), soon);

  const ofDocuments = await limitedTo("documents:read");
  expect([await kinds(ofDocuments), await listed(ofDocuments)]).toEqual([[], 0]);
  const refused = { status: 403, scope: "orders:read" };
  for (const path of [`/${given.feedbackId}`, "?type=Order", "/metrics?kind=order"])
    expect(missing(await ofDocuments("GET", `${feedback}${path}`)), path).toEqual(refused);
  const ofBoth = await limitedTo("documents:read", "orders:read");
  expect([await kinds(ofBoth), await listed(ofBoth)]).toEqual([["order"], 1]);
  expect((await ofBoth("GET", `${feedback}/${given.feedbackId}`)).status).toBe(200);
});
