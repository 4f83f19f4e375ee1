import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../../src/platform/env.ts";
import { good, openPersonalService, settled, storeEverywhere, type PersonalService } from "../../support/person.ts";
import { forgottenAfter } from "../../support/privacy.ts";

let person: PersonalService;

beforeAll(async () => {
  person = await openPersonalService();
});

afterAll(async () => {
  await person.service.stop();
  await rm(person.state, { recursive: true });
});

test("records that have not changed for the retention period are deleted", { timeout: 400_000 }, async () => {
  const { service, ask, company } = person;
  const things = await storeEverywhere(ask);
  await settled(ask);
  const kinds = [
    "orders",
    "opportunities",
    "documents",
    "driversDocuments",
    "freights",
    "feedback",
    "mails",
    "audit",
    "quality",
    "documentCollections",
    "transactions",
    "transactionFeeds",
    "automations",
  ];
  const json = Object.fromEntries(kinds.map((kind) => [kind, 30]));
  expect(await good(ask("PUT", "/api/v1/privacy/retention", { json }))).toEqual(json);
  await good(ask("DELETE", `/api/v1/freights/${things.freightId}`));
  const lists = [
    "orders",
    "opportunities",
    "drivers-documents",
    "documents/quality",
    "document-collections",
    "mails",
    "freights/archive",
    "audit",
  ];
  const lengths = () =>
    Promise.all(lists.map(async (list) => (await ask<{ items: [] }>("GET", `/api/v1/${list}`)).body.items.length));
  await vi.waitFor(async () => expect(await lengths()).not.toContain(0), { timeout: 150_000, interval: 250 });
  await settled(ask);
  const env = await service.mf.getBindings("lorry");
  const retained = (days: number) => forgottenAfter(env as unknown as Env, company.id, json, days);

  await retained(29);
  expect(await lengths()).not.toContain(0);
  await retained(31);
  expect(await lengths()).toEqual(lists.map(() => 0));
  for (const path of [`orders/${things.orderId}`, `orders/${things.given}`, `freights/archive/${things.freightId}`])
    expect((await ask("GET", `/api/v1/${path}`)).status, path).toBe(404);
  expect((await ask("GET", `/api/v1/vehicles/${things.vehicleId}`)).status).toBe(200);
  const { body } = await ask<{ items: { resource: { id: string } }[] }>("GET", "/api/v1/events?limit=200");
  const gone = [things.orderId, things.given, things.freightId, things.documentId];
  expect(body.items.filter(({ resource }) => gone.includes(resource.id))).toEqual([]);
  const { objects } = await (env["FILES"] as R2Bucket).list({ prefix: `${company.id}/` });
  expect(objects.map(({ key }) => key)).toEqual([]);
});
