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

/** A company of its own with a webhook to an address of its own, and a way to change it. */
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
/** It wants to be left alone for longer than any test takes. */
const no = (status: number) => (): ReceiverResponse => ({ status, headers: { "retry-after": "3600" } });

describe("a webhook that is changed", () => {
  test("is shown as it was sent, in a new version, and once more it is the same version", async () => {
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

  test("hears of the types it names now, signed with the secret it has had", async () => {
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

  test("sends what waits to its new address, in its order", async () => {
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

  test("does not count what its old address answers afterwards", async () => {
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
    ["to another address is active again, and what waited goes out", { callbackUrl: "another" }, "Active"],
    ["with another authentication is active again", { authentication: { type: "ApiKey", apiKey: "k" } }, "Active"],
    ["in its words alone stays disabled", { description: "Gone for now" }, "Disabled"],
  ])("after it was disabled, %s", async (_, wanted, status) => {
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

describe("a secret that is not sent", () => {
  const apiKey = { type: "ApiKey", headerName: "X-Key", apiKey: "s3cret" };
  const { apiKey: _, ...without } = apiKey;

  test.each<[string, object]>([
    ["with all of the authentication", {}],
    ["within it", { authentication: { ...without, headerName: "X-Other" } }],
    ["but as it is shown", { authentication: { ...apiKey, apiKey: "***", headerName: "X-Other" } }],
  ])("%s stays while the address stays", async (_, wanted) => {
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
    ["another address alone", apiKey, { callbackUrl: elsewhere }, "/authentication"],
    ["another kind", apiKey, { authentication: { type: "Basic", username: "a" } }, "/authentication/password"],
    [
      "another token server",
      oauth,
      { authentication: { ...oauth, tokenUrl: elsewhere, clientSecret: "***" } },
      "/authentication/clientSecret",
    ],
    ["another receiver of tokens", oauth, { callbackUrl: elsewhere }, "/authentication"],
  ])("is wanted again with %s, and nothing changes until it comes", async (_, authentication, wanted, pointer) => {
    const { put, read } = await subscribed({ authentication });
    const before = await read();
    expect(await put(wanted as Record<string, unknown>)).toMatchObject({
      status: 400,
      body: { errorCode: "validation_failed", errors: [{ code: "required", pointer }] },
    });
    expect(await read()).toEqual(before);
  });

  test("has to be sent when the webhook is made", async () => {
    const { ask } = await subscribed();
    const json = { eventType: "All", callbackUrl: elsewhere, authentication: { ...apiKey, apiKey: "***" } };
    expect(await ask("POST", "/api/v1/webhooks", { json })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "required", pointer: "/authentication/apiKey" }] },
    });
  });

  test("of AWS stays whatever changes, for it is never sent", async () => {
    const aws = { region: "eu-central-1", accessKeyId: "AKIALORRY", secretAccessKey: "s3cret" };
    const { put } = await subscribed({ authentication: { type: "Lambda", functionName: "first", ...aws } });
    const next = { type: "Lambda", ...aws, functionName: "second", secretAccessKey: undefined };
    const { status, body } = await put({ callbackUrl: undefined, authentication: next });
    expect({ status, body }).toMatchObject({ status: 200, body: { authentication: { functionName: "second" } } });
  });
});

test.each<[string, object, number, string]>([
  ["no type of event", { eventType: undefined }, 400, "/eventType"],
  ["an event nobody tells of", { eventType: "OrderEaten" }, 400, "/eventType"],
  ["no address", { callbackUrl: undefined }, 400, "/callbackUrl"],
  ["what is no address", { callbackUrl: "somewhere" }, 422, "/callbackUrl"],
  ["an address with a password in it", { callbackUrl: "https://a:b@receiver.beispiel.de/" }, 422, "/callbackUrl"],
  [
    "a header that is ours",
    { authentication: { type: "ApiKey", headerName: "Host", apiKey: "a" } },
    400,
    "/authentication/headerName",
  ],
])("%s is refused, and the webhook stays as it was", async (_, wanted, status, pointer) => {
  const { put, read } = await subscribed();
  const before = await read();
  expect(await put(wanted as Record<string, unknown>)).toMatchObject({ status, body: { errors: [{ pointer }] } });
  expect(await read()).toEqual(before);
});

test("a webhook that was deleted cannot be changed", async () => {
  const { put, ask, path } = await subscribed();
  await ask("DELETE", path);
  expect((await put({ description: "Late" })).status).toBe(404);
});
