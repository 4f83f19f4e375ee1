import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import {
  simulateInternet,
  type ReceivedRequest,
  type Receiver,
  type ReceiverResponse,
} from "../../support/simulated-internet.ts";
import type { CompanyApi } from "../../../src/platform/aggregates.ts";
import { orderText } from "../../support/papers/order.ts";
import { openService, type Company, type TestService } from "../../support/service.ts";
import { subscribe, subscriptionOf, type Subscription } from "../../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

/** Creates a webhook to a new receiver, for this company or a new one. */
async function subscribed(wanted: Record<string, unknown> = {}, company?: Company) {
  const address = internet.address();
  return { address, ...(await subscribe(service, { callbackUrl: address.url, ...wanted }, company)) };
}

let posted = 0;

/** Posts a text, and waits until it is extracted or has failed. */
async function order(
  ask: ApiClient,
  inputText = `Nothing to carry, number ${++posted}.`,
  more: Record<string, unknown> = {},
) {
  const { body } = await ask<{ orderId: string; status: string }>("POST", "/api/v1/orders", {
    json: { inputText, ...more },
    headers: { prefer: "wait=15" },
  });
  return body;
}

const bodyOf = ({ body }: ReceivedRequest) =>
  JSON.parse(body) as Record<string, unknown> & { resource: { id: string } };
const ordersIn = (heard: ReceivedRequest[]) => heard.map((one) => bodyOf(one).resource.id);

describe("a webhook", () => {
  test("is created, listed, read and deleted; its secret is shown once", async () => {
    const { ask, address, subscription, id } = await subscribed({ description: "Our TMS" });
    const { secret, ...view } = subscription;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(view).toMatchObject({
      status: "Active",
      eventTypes: ["All"],
      callbackUrl: address.url,
      payload: "Thin",
      description: "Our TMS",
      failureCount: 0,
      pending: 0,
    });
    expect((await ask("GET", "/api/v1/webhooks")).body).toEqual({ items: [view] });
    expect((await ask("GET", `/api/v1/webhooks/${id}`)).body).toEqual(view);

    expect((await ask("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(204);
    expect((await ask("GET", `/api/v1/webhooks/${id}`)).status).toBe(404);
    expect((await ask("GET", "/api/v1/webhooks")).body).toEqual({ items: [] });
  });

  test("requested twice with one Idempotency-Key is created once, and the repetition also returns the secret", async () => {
    const ask = apiClient(service, service.company().key);
    const sending = {
      json: { eventType: "All", callbackUrl: internet.address().url },
      headers: { "idempotency-key": "subscribe" },
    };
    const first = await ask<Subscription>("POST", "/api/v1/webhooks", sending);
    const second = await ask<Subscription>("POST", "/api/v1/webhooks", sending);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(first.body.secret).toMatch(/^whsec_/);
    expect(second.body).toEqual(first.body);
    expect((await ask<{ items: unknown[] }>("GET", "/api/v1/webhooks")).body.items).toHaveLength(1);
  });

  test("of another company is not found", async () => {
    const { id, ask } = await subscribed();
    const other = apiClient(service, service.company().key);
    expect((await other("GET", `/api/v1/webhooks/${id}`)).status).toBe(404);
    expect((await other("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(404);
    expect((await other("GET", "/api/v1/webhooks")).body).toEqual({ items: [] });
    expect((await ask("GET", `/api/v1/webhooks/${id}`)).status).toBe(200);
  });

  test("that is closed but still in its company's index does not hide the others from the list", async () => {
    const { id, company } = await subscribed();
    const { ask, id: other } = await subscribed({}, company);
    await (
      await subscriptionOf(service, company, id)
    ).execute(JSON.stringify({ company: company.id, id, name: "webhooks.close", ask: {} }));
    const { status, body } = await ask<{ items: Subscription[] }>("GET", "/api/v1/webhooks");
    expect({ status, ids: body.items?.map(({ subscriptionId }) => subscriptionId) }).toEqual({
      status: 200,
      ids: [other],
    });
  });

  test("that is added again to its company's index keeps the start time of its subscription", async () => {
    const { id, company } = await subscribed();
    const objects = await service.mf.getDurableObjectNamespace("COMPANIES", "lorry");
    const index = objects.get(objects.idFromName(`${company.id}/${company.id}`)) as unknown as CompanyApi;
    const before = await index.subscribers();
    expect(before).toMatchObject([{ id, eventTypes: ["All"] }]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const ask = { id, eventTypes: ["All"] };
    await index.execute(JSON.stringify({ company: company.id, id: company.id, name: "companies.subscribe", ask }));
    expect(await index.subscribers()).toEqual(before);
  });

  test("is listed with pages", async () => {
    const { ask, company } = await subscribed();
    for (let i = 0; i < 4; i++) await subscribed({}, company);
    const seen: string[] = [];
    let query = "?limit=2";
    for (let pages = 1; query; pages++) {
      const { body } = await ask<{ items: Subscription[]; nextCursor?: string }>("GET", `/api/v1/webhooks${query}`);
      seen.push(...body.items.map(({ subscriptionId }) => subscriptionId));
      query = body.nextCursor ? `?limit=2&cursor=${body.nextCursor}` : "";
      expect(pages).toBeLessThanOrEqual(3);
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });
});

describe("a delivery", () => {
  test("has a thin payload: the resource with its version and status", async () => {
    const { ask, address } = await subscribed();
    const { orderId } = await order(ask, undefined, { metadata: { internalId: "TMS-1" } });
    const [heard] = await address.waitForRequests(1);
    expect(bodyOf(heard!)).toEqual({
      id: heard!.headers["webhook-id"],
      eventType: "OrderFailed",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
      sequence: expect.any(Number) as number,
      resource: {
        type: "Order",
        id: orderId,
        url: expect.stringMatching(`/api/v2/orders/${orderId}$`) as string,
        version: bodyOf(heard!).sequence,
      },
      status: "Failed",
      previousStatus: "Processing",
      metadata: { internalId: "TMS-1" },
    });
    expect(heard!.method).toBe("POST");
    expect(heard!.headers["content-type"]).toMatch(/^application\/json/);
  });

  test("has the extracted data if the webhook has full payloads", async () => {
    const { ask, address } = await subscribed({ payload: "full" });
    const { orderId } = await order(ask, orderText("WH-2026-0001"));
    const [heard] = await address.waitForRequests(1);
    const { body } = await ask<unknown[]>("GET", `/api/v2/orders/${orderId}`);
    expect(bodyOf(heard!)).toMatchObject({ eventType: "OrderProcessed", data: body });
  });

  test("is signed as Standard Webhooks specifies", async () => {
    const { ask, address, subscription } = await subscribed();
    await order(ask);
    const [heard] = await address.waitForRequests(1);
    const { headers, body } = heard!;
    const standard = new Webhook(subscription.secret!);
    expect(standard.verify(body, headers)).toEqual(bodyOf(heard!));
    expect(() => standard.verify(body.replace("Failed", "Succeeded"), headers)).toThrow("No matching signature");

    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
    expect(headers["webhook-signature"]).toBe(standard.sign(headers["webhook-id"]!, at, body));
  });

  test("is verified with a library that reproduces the published example of Standard Webhooks", () => {
    const standard = new Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    const at = new Date(1_614_265_330_000);
    expect(standard.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, '{"test": 2432232314}')).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  test("goes to webhooks of its company that subscribed to its event before, and to no others", async () => {
    const first = await subscribed({ eventTypes: ["OrderFailed"], eventType: undefined });
    const before = await order(first.ask);
    await first.address.waitForRequests(1);
    const late = await subscribed({}, first.company);
    const deaf = await subscribed({ eventType: "OrderProcessed" }, first.company);
    const stranger = await subscribed();
    const after = await order(first.ask);
    await late.address.waitForRequests(1);
    await first.address.waitForRequests(2);
    expect(ordersIn(first.address.received)).toEqual([before.orderId, after.orderId]);
    expect(ordersIn(late.address.received)).toEqual([after.orderId]);
    expect([...deaf.address.received, ...stranger.address.received]).toEqual([]);
    const ids = [first, late].map(({ address }) => address.received.at(-1)!.headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
  });

  test("is successful with any 2xx status", async () => {
    const { ask, address, read } = await subscribed();
    address.respondWith(() => ({ status: 204 }));
    await order(ask);
    await address.waitForRequests(1);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ pending: 0, failureCount: 0 }), {
      timeout: 50_000,
    });
    expect((await read()).lastSuccessAt).toBeDefined();
  });
});

/**
 * Makes a receiver respond only to the first requests, so that the webhook's state does not change while the test reads
 * it.
 */
const answersOnly = (address: Receiver, times: number, said: ReceiverResponse) =>
  address.respondWith(() => (address.received.length <= times ? said : internet.silence()));

/**
 * These tests run concurrently, because a first retry comes after 4 to 6 s, and a request without a response ends after
 * 15 s.
 */
describe.concurrent("a failed delivery", () => {
  test("is repeated after about 5 seconds, with the same id and body", async ({ expect }) => {
    const { ask, address, subscription, read } = await subscribed();
    let look: () => void;
    const looked = new Promise<void>((resolve) => (look = resolve));
    address.respondWith(async () => {
      if (address.received.length === 1) return { status: 500, body: "Not now" };
      await looked;
      return { status: 200 };
    });
    await order(ask);
    await address.waitForRequests(1);
    await vi.waitFor(
      async () => expect(await read()).toMatchObject({ pending: 1, failureCount: 1, lastFailure: { status: 500 } }),
      { timeout: 50_000 },
    );
    look!();
    const [first, second] = await address.waitForRequests(2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_000);
    expect(second!.at - first!.at).toBeLessThan(30_000);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    new Webhook(subscription.secret!).verify(second!.body, second!.headers);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ pending: 0, failureCount: 0 }), {
      timeout: 50_000,
    });
  });

  test.each([301, 302, 307, 308])("is one with the redirect %i, which is not followed", async (status) => {
    const { ask, address, read } = await subscribed();
    const elsewhere = internet.address();
    answersOnly(address, 1, { status, headers: { location: elsewhere.url } });
    await order(ask);
    await address.waitForRequests(1);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ failureCount: 1, lastFailure: { status } }), {
      timeout: 50_000,
    });
    expect(elsewhere.received).toEqual([]);
  });

  test.each([400, 401, 404, 410, 429, 503])("is one with the status %i", async (status) => {
    const { ask, address, read } = await subscribed();
    answersOnly(address, 1, { status });
    await order(ask);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ failureCount: 1, lastFailure: { status } }), {
      timeout: 50_000,
    });
  });

  test("is one without a response for 15 seconds", async ({ expect }) => {
    const { ask, address, read } = await subscribed();
    address.respondWith(internet.silence);
    const began = Date.now();
    await order(ask);
    await address.waitForRequests(1);
    await vi.waitFor(async () => expect((await read()).lastFailure?.error).toBe("timeout"), { timeout: 50_000 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(15_000);
  });

  test("sets the webhook to Failing after the third time", async ({ expect }) => {
    const { ask, address, read } = await subscribed();
    answersOnly(address, 3, { status: 500 });
    for (let i = 0; i < 3; i++) await order(ask);
    await vi.waitFor(async () => expect(await read()).toMatchObject({ status: "Failing", failureCount: 3 }), {
      timeout: 50_000,
    });
  });

  test("is not repeated once the webhook is deleted", async ({ expect }) => {
    const { ask, address, id, read } = await subscribed();
    address.respondWith(() => ({ status: 500 }));
    await order(ask);
    await vi.waitFor(async () => expect((await read()).failureCount).toBeGreaterThan(0), { timeout: 50_000 });
    await ask("DELETE", `/api/v1/webhooks/${id}`);
    const before = address.received.length;
    await order(ask);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(address.received).toHaveLength(before);
  });

  test("delays later events of the same resource, and no others", async ({ expect }) => {
    const { tell, address } = await subscribed();
    const failing = new Set(["first of A"]);
    address.respondWith((heard) => ({ status: failing.delete(String(bodyOf(heard)["status"])) ? 500 : 200 }));
    const events = ["first of A", "first of B", "second of A", "second of B", "third of A"];
    await tell(...events.map((status) => ({ to: status.slice(-1), status })));
    const heard = (await address.waitForRequests(6)).map((one) => String(bodyOf(one)["status"]));
    expect(heard.filter((said) => said.endsWith("A"))).toEqual([
      "first of A",
      "first of A",
      "second of A",
      "third of A",
    ]);
    expect(heard.filter((said) => said.endsWith("B"))).toEqual(["first of B", "second of B"]);
    expect(heard.indexOf("second of B")).toBeLessThan(heard.lastIndexOf("first of A"));
  });
});

test("a delivery whose response never ends is successful", async () => {
  const { ask, address, read } = await subscribed();
  address.respondWith(() => ({ status: 200, body: endless() }));
  await order(ask);
  await vi.waitFor(() => expect(address.received).toHaveLength(1), { timeout: 50_000 });
  await vi.waitFor(async () => expect(await read()).toMatchObject({ pending: 0, failureCount: 0 }), {
    timeout: 50_000,
  });
  expect(address.received).toHaveLength(1);
});

/** Makes a body that sends 4 KiB every 20 ms until it is cancelled. */
function endless(): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout;
  return new ReadableStream({
    start: (controller) => void (timer = setInterval(() => controller.enqueue(new Uint8Array(4096).fill(97)), 20)),
    cancel: () => clearInterval(timer),
  });
}
