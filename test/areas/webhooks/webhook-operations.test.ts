import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createCarrierOrder } from "../../support/carriers.ts";
import { simulateInternet, type ReceivedRequest, type Receiver } from "../../support/simulated-internet.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({
    internet: internet.answer,
    vars: { FAILURE_LIMIT: "2", FAILURE_MIN_AGE_S: "0", LOCAL_MAIL: "true" },
  });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

interface Webhook {
  subscriptionId: string;
  status: string;
  disabledBecause?: string;
  failureCount: number;
  pending: number;
  emails: string[];
  secret?: string;
  lastFailure?: { status?: number };
}

interface Delivery {
  deliveryId: string;
  eventId: string;
  eventType: string;
  status: string;
  attempts: { kind: string; outcome: string; status?: number; answer?: string }[];
  nextAttemptAt?: string;
}

/** Creates a company with a webhook. Returns them with functions that read the webhook. */
async function subscribed(more: Record<string, unknown> = {}) {
  const ask = apiClient(service, service.company().key);
  const receiver = internet.address();
  const { body } = await ask<Webhook>("POST", "/api/v1/webhooks", {
    json: { eventType: "All", callbackUrl: receiver.url, ...more },
  });
  const path = `/api/v1/webhooks/${body.subscriptionId}`;
  const read = async () => (await ask<Webhook>("GET", path)).body;
  const deliveries = async (query = "") =>
    (await ask<{ items: Delivery[] }>("GET", `${path}/deliveries${query}`)).body.items;
  const becomes = (expected: Partial<Webhook>) =>
    vi.waitFor(async () => expect(await read()).toMatchObject(expected), { timeout: 50_000, interval: 30 });
  return { ask, receiver, path, read, deliveries, becomes };
}

/** Makes a receiver respond with this status and a Retry-After that is longer than any test takes. */
const refusing = (receiver: Receiver, status: number) =>
  receiver.respondWith(() => ({ status, body: `No: ${status}`, headers: { "retry-after": "3600" } }));
const idOf = ({ headers }: ReceivedRequest) => headers["webhook-id"];
const about = ({ body }: ReceivedRequest) => (JSON.parse(body) as { resource: { id: string } }).resource.id;

/** Creates a carrier order, which emits one event. */
const change = async (ask: ApiClient) => (await createCarrierOrder(ask)).orderId;

describe("a webhook that is deleted during its attempts", () => {
  test("is not found by running attempts, nor by those that have not begun", async () => {
    const { ask, receiver, path } = await subscribed();
    receiver.respondWith(internet.silence);
    const tries = Promise.all(Array.from({ length: 8 }, () => ask("POST", `${path}/test`)));
    await receiver.waitForRequests(6);
    expect((await ask("DELETE", path)).status).toBe(204);
    expect((await tries).map(({ status }) => status)).toEqual(Array(8).fill(404));
  });
});

describe("a webhook that answers 410", () => {
  test("is disabled, stores events, and delivers them in order after a reset", async () => {
    const { ask, receiver, path, becomes, deliveries } = await subscribed();
    refusing(receiver, 410);
    const ids = [await change(ask)];
    await becomes({ status: "Disabled", disabledBecause: "Gone", failureCount: 1 });
    for (let i = 0; i < 3; i++) ids.push(await change(ask));
    await becomes({ pending: 4 });
    expect(receiver.received).toHaveLength(1);

    receiver.respondWith(() => ({ status: 200 }));
    const reset = await ask<Webhook>("PUT", `${path}/reset`);
    expect(reset).toMatchObject({ status: 200, body: { status: "Active", failureCount: 0 } });
    expect(reset.body.disabledBecause).toBeUndefined();
    const heard = await receiver.waitForRequests(5);
    expect(heard.slice(1).map(about)).toEqual(ids);
    await becomes({ pending: 0, status: "Active" });
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array(4).fill("Delivered"));
  });
});

describe("a failing webhook", () => {
  test("is disabled, and notifies each address once by a mail with a link that ends the notifications", async () => {
    const { ask, receiver, path, becomes } = await subscribed({ description: "Our TMS" });
    const notified = await ask("PUT", `${path}/notify`, {
      json: { emails: ["it@tms.example", "IT@tms.example", "b@tms.example"] },
    });
    expect(notified).toMatchObject({ status: 200, body: { emails: ["IT@tms.example", "b@tms.example"] } });
    refusing(receiver, 500);
    await Promise.all([change(ask), change(ask)]);
    await becomes({
      status: "Disabled",
      disabledBecause: "Failures",
      failureCount: 2,
      emails: ["IT@tms.example", "b@tms.example"],
    });
    const host = new URL(receiver.url).host;
    const mails = async () =>
      (
        await service
          .fetch("/dev/mail", { headers: { accept: "application/json" } })
          .then((answer) => answer.json<{ items: { to: string; subject: string; text: string }[] }>())
      ).items.filter(({ subject }) => subject.includes(host));
    await vi.waitFor(async () => expect(await mails()).toHaveLength(4), { timeout: 50_000 });
    const toIt = (await mails()).filter(({ to }) => to === "IT@tms.example");
    expect(toIt.map(({ subject }) => subject).sort()).toEqual([
      `Webhook to ${host} is disabled`,
      `You will be notified when the webhook to ${host} fails`,
    ]);
    for (const { text } of toIt) expect(text).toContain("Our TMS");
    for (const { text } of toIt) expect(text).not.toContain("/hooks");

    const [end] = toIt[0]!.text.match(/http\S+\/mail\/[\w-]{64}/)!;
    expect(await (await fetch(end)).text()).toContain('<form method="post">');
    expect((await ask<Webhook>("GET", path)).body.emails).toHaveLength(2);
    expect((await fetch(end, { method: "POST" })).status).toBe(200);
    expect((await fetch(end, { method: "POST" })).status).toBe(200);
    expect((await ask<Webhook>("GET", path)).body.emails).toEqual(["b@tms.example"]);
    expect((await fetch(`${end.slice(0, -4)}AAAA`, { method: "POST" })).status).toBe(200);
    expect((await ask<Webhook>("GET", path)).body.emails).toEqual(["b@tms.example"]);
    expect((await fetch(`${service.url}/mail/nothing`)).status).toBe(404);
  });

  test.each([
    ["an invalid address", ["nobody"], "/emails/0"],
    ["two addresses in one", ["a@b.example, c@d.example"], "/emails/0"],
    ["eleven addresses", Array.from({ length: 11 }, (_, i) => `a${i}@b.example`), "/emails"],
  ])("refuses to notify %s", async (_, emails, pointer) => {
    const { ask, path } = await subscribed();
    const { status, body } = await ask<{ errors: { pointer: string }[] }>("PUT", `${path}/notify`, {
      json: { emails },
    });
    expect({ status, pointer: body.errors[0]?.pointer }).toEqual({ status: 400, pointer });
  });
});

describe("a delivery", () => {
  test("is listed with its attempts, and a manual resend does not count as a failure", async () => {
    const { ask, receiver, path, becomes, deliveries, read } = await subscribed();
    refusing(receiver, 503);
    await change(ask);
    await becomes({ failureCount: 1 });
    const [failed] = await deliveries();
    expect(failed).toMatchObject({
      eventType: "CarrierOrderCreated",
      status: "Pending",
      attempts: [{ kind: "Scheduled", outcome: "Failed", status: 503, answer: "No: 503" }],
    });
    expect(Date.parse(failed!.nextAttemptAt!)).toBeGreaterThan(Date.now());

    const resend = () => ask("POST", `${path}/deliveries/${failed!.deliveryId}/resend`);
    expect((await resend()).status).toBe(202);
    await receiver.waitForRequests(2);
    await vi.waitFor(
      async () => expect((await deliveries())[0]!.attempts).toMatchObject([{}, { kind: "Manual", outcome: "Failed" }]),
      { timeout: 50_000 },
    );
    expect(await read()).toMatchObject({ failureCount: 1, status: "Active" });
    expect((await deliveries())[0]).toMatchObject({ status: "Pending", nextAttemptAt: failed!.nextAttemptAt });

    receiver.respondWith(() => ({ status: 204 }));
    expect((await resend()).status).toBe(202);
    await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ status: "Delivered" }), {
      timeout: 50_000,
    });
    expect(new Set(receiver.received.map(idOf))).toEqual(new Set([failed!.eventId]));
    expect((await ask("POST", `${path}/deliveries/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77/resend`)).status).toBe(404);
  });

  test("is listed with pages and by its status", async () => {
    const { ask, receiver, path, becomes } = await subscribed();
    refusing(receiver, 500);
    await change(ask);
    await becomes({ failureCount: 1 });
    receiver.respondWith(() => ({ status: 200 }));
    for (let i = 0; i < 4; i++) await change(ask);
    await becomes({ pending: 1 });
    const page = async (query: string) =>
      (await ask<{ items: Delivery[]; nextCursor?: string }>("GET", `${path}/deliveries?${query}`)).body;
    expect((await page("status=delivered")).items).toHaveLength(4);
    expect((await page("status=Pending")).items).toHaveLength(1);
    const first = await page("limit=3");
    const rest = await page(`limit=3&cursor=${first.nextCursor}`);
    expect(rest.nextCursor).toBeUndefined();
    expect(new Set([...first.items, ...rest.items].map(({ deliveryId }) => deliveryId)).size).toBe(5);
    expect((await ask("GET", `${path}/deliveries?cursor=x`)).status).toBe(400);
  });
});

describe("a test event", () => {
  test("is sent at once, returns its result, and does not count", async () => {
    const { ask, receiver, path, read, becomes } = await subscribed({ payload: "Full" });
    refusing(receiver, 410);
    await change(ask);
    await becomes({ status: "Disabled" });
    const failed = await ask("POST", `${path}/test`);
    expect(failed).toMatchObject({ status: 200, body: { delivered: false, status: 410, answer: "No: 410" } });
    receiver.respondWith(() => ({ status: 202 }));
    const good = await ask<{ eventId: string }>("POST", `${path}/test`);
    expect(good).toMatchObject({ status: 200, body: { delivered: true, status: 202 } });
    const sent = receiver.received.at(-1)!;
    expect(idOf(sent)).toBe(good.body.eventId);
    expect(JSON.parse(sent.body)).toMatchObject({ eventType: "Test", data: { message: expect.any(String) as string } });
    expect(await read()).toMatchObject({ status: "Disabled", failureCount: 1, pending: 1 });
  });
});

describe("a reset", () => {
  test("with rotateSecret creates a secret that signs together with the old one", async () => {
    const { ask, receiver, path } = await subscribed();
    const { body } = await ask<Webhook>("PUT", `${path}/reset`, { json: { rotateSecret: true } });
    expect(body.secret).toMatch(/^whsec_/);
    await change(ask);
    const [heard] = await receiver.waitForRequests(1);
    expect(heard!.headers["webhook-signature"]!.split(" ")).toHaveLength(2);
    expect((await ask<Webhook>("PUT", `${path}/reset`, { json: {} })).body.secret).toBeUndefined();
  });

  test("with replayFrom repeats the events since that time, with their ids", async () => {
    const { ask, receiver, path } = await subscribed();
    const ids = [await change(ask), await change(ask)];
    const first = (await receiver.waitForRequests(2)).map(idOf);
    await logged(ask, 2);
    const other = internet.address();
    const { body } = await ask<Webhook>("POST", "/api/v1/webhooks", {
      json: { eventType: "All", callbackUrl: other.url },
    });
    const replayFrom = new Date(Date.now() - 3_600_000).toISOString();
    await ask("PUT", `${path}/reset`, { json: { replayFrom } });
    expect((await receiver.waitForRequests(4)).slice(2).map(idOf)).toEqual(first);
    await ask("PUT", `/api/v1/webhooks/${body.subscriptionId}/reset`, { json: { replayFrom } });
    expect((await other.waitForRequests(2)).map(about)).toEqual(ids);
  });
});

interface Happening {
  id: string;
  eventType: string;
  data?: unknown;
}

/** Waits until the event log has `count` events, and returns them. */
const logged = (ask: ApiClient, count: number, query = "") =>
  vi.waitFor(
    async () => {
      const { items } = (await ask<{ items: Happening[] }>("GET", `/api/v1/events${query}`)).body;
      expect(items).toHaveLength(count);
      return items;
    },
    { timeout: 50_000, interval: 50 },
  );

describe("the event log", () => {
  test("has the events that webhooks deliver, in the same order, also without a webhook", async () => {
    const ask = apiClient(service, service.company().key);
    const sent = await createCarrierOrder(ask);
    await ask("DELETE", `/api/v1/orders/${sent.orderId}`);
    const items = await logged(ask, 2);
    expect(items.map(({ eventType }) => eventType)).toEqual(["CarrierOrderCreated", "CarrierOrderCancelled"]);
    expect(items[0]!.data).toBeUndefined();
    expect(await logged(ask, 1, `?after=${items[0]!.id}&payload=Full`)).toMatchObject([
      { id: items[1]!.id, data: { orderId: sent.orderId } },
    ]);
    expect(await logged(ask, 0, `?after=${items[1]!.id}`)).toEqual([]);
    expect(await logged(ask, 1, "?eventType=carrierordercancelled")).toMatchObject([{ id: items[1]!.id }]);
    expect(await logged(ask, 0, "?since=2126-01-01")).toEqual([]);
    const stranger = apiClient(service, service.company().key);
    expect(await logged(stranger, 0)).toEqual([]);
    const foreign = await stranger<{ errorCode: string }>("GET", `/api/v1/events?after=${items[0]!.id}`);
    expect(foreign).toMatchObject({ status: 400, body: { errorCode: "invalid_cursor" } });
  });

  test("has a schema of each event type in the catalogue", async () => {
    const ask = apiClient(service, service.company().key);
    const { items } = (
      await ask<{ items: { eventType: string; description: string; schema: object }[] }>(
        "GET",
        "/api/v1/webhooks/event-types",
      )
    ).body;
    expect(items.map(({ eventType }) => eventType)).toContain("OrderDocumentStatusChanged");
    for (const { description, schema } of items) {
      expect(description).toMatch(/\.$/);
      expect("type" in schema || "$ref" in schema).toBe(true);
    }
  });
});
