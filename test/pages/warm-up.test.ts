import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { openService } from "../support/service.ts";

test("the local warm-up extracts an order and stores nothing", async () => {
  const service = await openService({ vars: { LOCAL_MAIL: "true" } });
  const woken = await service.fetch("/dev/awake", { method: "POST", body: await readFile("docs/sample-order.pdf") });
  expect(woken.status).toBe(204);
  const damaged = await service.fetch("/dev/awake", { method: "POST", body: "%PDF-1.7 and no more" });
  expect(damaged.status).toBe(204);
  const { body } = await apiClient(service, service.company().key)<{ items: object[] }>("GET", "/api/v1/orders");
  expect(body.items).toEqual([]);
  await service.stop();
});

test("the warm-up does not exist in a deployment", async () => {
  const service = await openService();
  const refused = await service.fetch("/dev/awake", { method: "POST", body: await readFile("docs/sample-order.pdf") });
  expect(refused.status).toBe(404);
  await service.stop();
});
