import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../../src/platform/env.ts";
import { apiClient } from "../../support/api-client.ts";
import { createCarrierOrder } from "../../support/carriers.ts";
import { forgottenAfter } from "../../support/privacy.ts";
import { openService, type TestService } from "../../support/service.ts";

// How long events and deliveries are kept. A company can configure a shorter time than the default, but not a longer
// one.

let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: () => new Answer(null, { status: 204 }) });
});

afterAll(() => service.stop());

test("events and deliveries are deleted after their retention period, and their records stay", async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  const { body: webhook } = await ask<{ subscriptionId: string }>("POST", "/api/v1/webhooks", {
    json: { eventType: "All", callbackUrl: "https://receiver.example/hook" },
  });
  const { orderId } = await createCarrierOrder(ask);
  const told = async () => (await ask<{ items: unknown[] }>("GET", "/api/v1/events")).body.items.length;
  const sent = async () => {
    const path = `/api/v1/webhooks/${webhook.subscriptionId}/deliveries?status=Delivered`;
    return (await ask<{ items: unknown[] }>("GET", path)).body.items.length;
  };
  await vi.waitFor(async () => expect([await told(), await sent()]).toEqual([1, 1]), {
    timeout: 50_000,
    interval: 100,
  });
  expect((await ask("PUT", "/api/v1/privacy/retention", { json: { events: 31 } })).status).toBe(400);
  const json = { events: 1, deliveries: 2 };
  expect((await ask("PUT", "/api/v1/privacy/retention", { json })).body).toEqual(json);

  const env = (await service.mf.getBindings("lorry")) as unknown as Env;
  const after = async (days: number) => {
    await forgottenAfter(env, company, json, days);
    return [await told(), await sent()];
  };
  expect(await after(0.9)).toEqual([1, 1]);
  expect(await after(1.1)).toEqual([0, 1]);
  expect(await after(2.1)).toEqual([0, 0]);
  expect((await ask("GET", `/api/v1/orders/${orderId}`)).status).toBe(200);
});
