import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createCarrierOrder } from "../../support/carriers.ts";
import { simulateInternet, type ReceivedRequest, type ReceiverResponse } from "../../support/simulated-internet.ts";
import { openService, type TestService } from "../../support/service.ts";
import { subscribe, type Subscribed, type Subscription } from "../../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer, vars: { FAILURE_LIMIT: "2", FAILURE_MIN_AGE_S: "0" } });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

/** Creates a company with a webhook to a new receiver. Returns them with a function that updates the webhook. */
async function subscribed(wanted: Record<string, unknown> = {}) {
  const receiver = internet.address();
  const made = await subscribe(service, { callbackUrl: receiver.url, ...wanted });
  const path = `/api/v1/webhooks/${made.id}`;
  return { ...made, receiver, path, put: putting(made, path, receiver.url) };
}

const putting =
  ({ ask }: Subscribed, path: string, callbackUrl: string) =>
  (json: Record<string, unknown>) =>
    ask<Subscription>("PUT", path, { json: { eventType: "All", callbackUrl, ...json } });

const typesOf = (heard: ReceivedRequest[]) =>
  heard.map(({ body }) => (JSON.parse(body) as { eventType: string }).eventType);
const idsOf = (heard: ReceivedRequest[]) => heard.map(({ headers }) => headers["webhook-id"]);
/** Makes a response with this status and a Retry-After that is longer than any test takes. */
const no = (status: number) => (): ReceiverResponse => ({ status, headers: { "retry-after": "3600" } });

describe("a changed webhook", () => {
  test("is returned as it was sent, with a new version, which the same change again keeps", async () => {
    const { put, ask, path, read } = await subscribed({ description: "Our TMS", payload: "Full" });
    const { url } = internet.address();
    const wanted = { eventType: undefined, eventTypes: ["CarrierOrderCreated", "Test"], callbackUrl: url };
    const changed = await put(wanted);
    const { payload, description, eventTypes } = changed.body as unknown as Record<string, unknown>;
    expect({ status: changed.status, payload, description, eventTypes, url: changed.body.callbackUrl }).toEqual({
      status: 200,
      payload: "Thin",
      description: undefined,
      eventTypes: wanted.eventTypes,
      url,
    });
    const etag = (await ask("GET", path)).headers.get("etag");
    expect(changed.headers.get("etag")!.split("-")[0]!.replaceAll('"', "")).toBe(etag!.slice(1).split("-")[0]);
    expect((await put(wanted)).headers.get("etag")).toBe(changed.headers.get("etag"));
    expect(await read()).toEqual(changed.body);
    expect((await ask("PUT", path, { json: {}, headers: { "if-match": '"1"' } })).status).toBe(400);
    const stale = await ask("PUT", path, { json: { ...wanted, eventType: "All" }, headers: { "if-match": '"1"' } });
    expect(stale.status).toBe(412);
  });

  test("receives the event types that it names now, signed with its previous secret", async () => {
    const { put, ask, receiver, subscription } = await subscribed({ eventType: "CarrierOrderCreated" });
    await createCarrierOrder(ask);
    await receiver.waitForRequests(1);
    expect((await put({ eventType: "CarrierOrderCancelled" })).status).toBe(200);
    const { orderId } = await createCarrierOrder(ask);
    await ask("DELETE", `/api/v1/orders/${orderId}`);
    const [, last] = await receiver.waitForRequests(2);
    expect(typesOf(receiver.received)).toEqual(["CarrierOrderCreated", "CarrierOrderCancelled"]);
    expect(() => new Webhook(subscription.secret!).verify(last!.body, last!.headers)).not.toThrow();
  });

  test("delivers pending events to its new address, in order", async () => {
    const { put, receiver, tell, arrived } = await subscribed();
    receiver.respondWith(no(503));
    const ids = [...(await tell({ to: "a" })), ...(await tell({ to: "a" })), ...(await tell({ to: "a" }))];
    await receiver.waitForRequests(1);
    const next = internet.address();
    expect((await put({ callbackUrl: next.url })).body).toMatchObject({ status: "Active", failureCount: 0 });
    await next.waitForRequests(3);
    expect(idsOf(next.received)).toEqual(ids);
    await arrived();
    expect(receiver.received).toHaveLength(1);
  });

  test("ignores a late response of its old address", async () => {
    const { put, receiver, tell, arrived, read } = await subscribed();
    const answered = Promise.withResolvers<ReceiverResponse>();
    receiver.respondWith(() => answered.promise);
    await tell({}, {}, {});
    await receiver.waitForRequests(3);
    const next = internet.address();
    await put({ callbackUrl: next.url });
    answered.resolve({ status: 410 });
    await next.waitForRequests(3);
    await arrived();
    expect(await read()).toMatchObject({ status: "Active", failureCount: 0 });
    expect(new Set(idsOf(next.received))).toEqual(new Set(idsOf(receiver.received)));
  });

  test.each<[string, object, string]>([
    ["is active with another address, and delivers pending events", { callbackUrl: "another" }, "Active"],
    ["is active with another authentication", { authentication: { type: "ApiKey", apiKey: "k" } }, "Active"],
    ["stays disabled with another description only", { description: "Gone for now" }, "Disabled"],
  ])("that was disabled before, %s", async (_, wanted, status) => {
    const { put, receiver, tell, read } = await subscribed();
    receiver.respondWith(no(410));
    await tell({});
    await vi.waitFor(async () => expect((await read()).status).toBe("Disabled"), { timeout: 50_000, interval: 30 });
    receiver.respondWith(() => ({ status: 200 }));
    const another = internet.address();
    const json = JSON.parse(
      JSON.stringify(wanted)
        .replace('"another"', JSON.stringify(another.url))
        .replace('"ApiKey"', '"ApiKey","headerName":"X-Key"'),
    ) as Record<string, unknown>;
    expect((await put(json)).body).toMatchObject({ status });
    const wentOut = status === "Active" ? 1 : 0;
    await vi.waitFor(async () => expect(await read()).toMatchObject({ pending: 1 - wentOut }), { timeout: 50_000 });
    expect(another.received.length + receiver.received.length - 1).toBe(wentOut);
  });
});

describe("an omitted secret", () => {
  const apiKey = { type: "ApiKey", headerName: "X-Key", apiKey: "s3cret" };
  const { apiKey: _, ...without } = apiKey;

  test.each<[string, object]>([
    ["the whole authentication is omitted", {}],
    ["only the secret is omitted", { authentication: { ...without, headerName: "X-Other" } }],
    ["the secret is masked", { authentication: { ...apiKey, apiKey: "***", headerName: "X-Other" } }],
  ])("is kept while the address stays the same: %s", async (_, wanted) => {
    const { put, receiver, tell, arrived } = await subscribed({ authentication: apiKey });
    const { status, body } = await put(wanted as Record<string, unknown>);
    expect({ status, authentication: body.authentication }).toMatchObject({
      status: 200,
      authentication: { type: "ApiKey", apiKey: "***" },
    });
    await tell({});
    await arrived();
    const [heard] = await receiver.waitForRequests(1);
    expect(heard!.headers[body.authentication["headerName"]!.toLowerCase()]).toBe("s3cret");
  });

  const oauth = {
    type: "OAuth2",
    tokenUrl: "https://tokens.beispiel.de/oauth2",
    clientId: "lorry",
    clientSecret: "s3cret",
  };
  const elsewhere = "https://elsewhere.beispiel.de/hooks";
  test.each<[string, object, object, string]>([
    ["another address", apiKey, { callbackUrl: elsewhere, authentication: without }, "/authentication/apiKey"],
    ["another address without authentication", apiKey, { callbackUrl: elsewhere }, "/authentication"],
    [
      "another type of authentication",
      apiKey,
      { authentication: { type: "Basic", username: "a" } },
      "/authentication/password",
    ],
    [
      "another token server",
      oauth,
      { authentication: { ...oauth, tokenUrl: elsewhere, clientSecret: "***" } },
      "/authentication/clientSecret",
    ],
    ["another address that receives tokens", oauth, { callbackUrl: elsewhere }, "/authentication"],
  ])("is required again for %s, and nothing changes without it", async (_, authentication, wanted, pointer) => {
    const { put, read } = await subscribed({ authentication });
    const before = await read();
    expect(await put(wanted as Record<string, unknown>)).toMatchObject({
      status: 400,
      body: { errorCode: "validation_failed", errors: [{ code: "required", pointer }] },
    });
    expect(await read()).toEqual(before);
  });

  test("is refused when the webhook is created", async () => {
    const { ask } = await subscribed();
    const json = { eventType: "All", callbackUrl: elsewhere, authentication: { ...apiKey, apiKey: "***" } };
    expect(await ask("POST", "/api/v1/webhooks", { json })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "required", pointer: "/authentication/apiKey" }] },
    });
  });

  test("of AWS is kept after any change, because it is never sent to a receiver", async () => {
    const aws = { region: "eu-central-1", accessKeyId: "AKIALORRY", secretAccessKey: "s3cret" };
    const { put } = await subscribed({ authentication: { type: "Lambda", functionName: "first", ...aws } });
    const next = { type: "Lambda", ...aws, functionName: "second", secretAccessKey: undefined };
    const { status, body } = await put({ callbackUrl: undefined, authentication: next });
    expect({ status, body }).toMatchObject({ status: 200, body: { authentication: { functionName: "second" } } });
  });
});

test.each<[string, object, number, string]>([
  ["no event type", { eventType: undefined }, 400, "/eventType"],
  ["an unknown event type", { eventType: "OrderEaten" }, 400, "/eventType"],
  ["no URL", { callbackUrl: undefined }, 400, "/callbackUrl"],
  ["an invalid URL", { callbackUrl: "somewhere" }, 422, "/callbackUrl"],
  ["a URL with a password", { callbackUrl: "https://a:b@receiver.beispiel.de/" }, 422, "/callbackUrl"],
  [
    "a reserved header",
    { authentication: { type: "ApiKey", headerName: "Host", apiKey: "a" } },
    400,
    "/authentication/headerName",
  ],
])("%s is refused, and the webhook stays unchanged", async (_, wanted, status, pointer) => {
  const { put, read } = await subscribed();
  const before = await read();
  expect(await put(wanted as Record<string, unknown>)).toMatchObject({ status, body: { errors: [{ pointer }] } });
  expect(await read()).toEqual(before);
});

test("a deleted webhook cannot be changed", async () => {
  const { put, ask, path } = await subscribed();
  await ask("DELETE", path);
  expect((await put({ description: "Late" })).status).toBe(404);
});
