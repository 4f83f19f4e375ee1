import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import {
  good,
  openPersonalService,
  petra,
  settled,
  storeEverywhere,
  traces,
  type PersonalService,
  type PlacesOfPerson,
} from "../../support/person.ts";
import { completePrivacyRequest, tracesIn } from "../../support/privacy.ts";

// A person's data is exported, and then erased.

let person: PersonalService;
let things: PlacesOfPerson;

beforeAll(async () => {
  person = await openPersonalService();
  things = await storeEverywhere(person.ask);
  await settled(person.ask);
});

afterAll(async () => {
  await person.service.stop();
  await rm(person.state, { recursive: true });
});

interface Gathered {
  type: string;
  id: string;
  url: string;
  mentions: { pointer: string; value: string }[];
}

/** Returns the pointers at which the record, read at its URL, contains the exported value. */
async function answeredOf({ type, url, mentions }: Gathered): Promise<string[]> {
  const { body } = await person.ask<unknown>("GET", url);
  const at = (pointer: string) =>
    pointer
      .split("/")
      .slice(1)
      .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], body);
  return mentions.filter(({ pointer, value }) => at(pointer) === value).map(({ pointer }) => `${type} ${pointer}`);
}

test("a person's data is exported with its pointers, for its own company only", { timeout: 400_000 }, async () => {
  const { vehicleId, orderId } = things;
  const { privacyRequestId: id, records } = await completePrivacyRequest(person.ask, "export", {
    email: petra.email,
    name: petra.name,
  });
  expect(records).toBeGreaterThan(5);
  const path = `/api/v1/privacy/requests/${id}/result`;
  const result = await good(person.ask<{ records: Gathered[]; files: string[]; events: unknown[] }>("GET", path));
  expect(result.records.find((one) => one.id === vehicleId)?.mentions).toContainEqual({
    pointer: "/assignments/0/driver/name",
    value: petra.name,
  });
  const answered = (await Promise.all(result.records.map(answeredOf))).flat();
  for (const place of [
    "Order /0/data/carrier/drivers/0/name",
    "Order /carrierOrder/internalComments",
    "Freight /owner",
    "Freight /internalComments",
    "Document /data/buyer/name",
    "DriverDocument /driver/email",
    "Opportunity /requestedBy/contactPerson/name",
    "Vehicle /comments",
    "TransactionFeed /metadata/askedBy",
  ])
    expect(answered).toContain(place);
  expect(result.files).toContain(`/api/v1/orders/${orderId}/file`);
  const fetched = result.files.filter((file) => file.startsWith("/"));
  const statuses = await Promise.all(fetched.map(async (file) => (await person.ask("GET", file)).status));
  expect(statuses).toEqual(fetched.map(() => 200));
  const types = new Set(result.records.map(({ type }) => type));
  for (const type of ["DocumentCollection", "Quality", "Transaction", "Sender", "Company"])
    expect([...types]).toContain(type);
  expect(result.events.length).toBeGreaterThan(3);
  expect((await apiClient(person.service, "nobody")("GET", path)).status).toBe(401);
});

test("a person is erased without a trace, and other data stays", { timeout: 400_000 }, async () => {
  // Shows that the test can fail: before the erasure, the person is found.
  await person.service.stop();
  const found = await tracesIn(person.state, traces);
  for (const place of ["OrderObject", "FreightObject", "SubscriptionObject", "d1", "r2"])
    expect(found.join("\n"), place).toContain(place);
  person = await openPersonalService(person);
  const { ask, service, company, state } = person;
  const before = await ask<{ items: unknown[] }>("GET", `/api/v1/orders?limit=200`);
  const request = await completePrivacyRequest(ask, "erase", petra);
  expect(request.records).toBeGreaterThan(5);
  expect(request.files).toBeGreaterThan(3);

  const vehicle = await good(ask<{ licensePlate: string }>("GET", `/api/v1/vehicles/${things.vehicleId}`));
  expect(vehicle).toMatchObject({ licensePlate: "WGM12345", assignments: [{ driver: { name: "Erased Person" } }] });
  expect((await ask("GET", `/api/v1/orders/${things.orderId}`)).status).toBe(200);
  expect((await ask("GET", `/api/v1/orders/${things.orderId}/file`)).status).toBe(404);
  expect((await ask("GET", `/api/v1/drivers-documents/${things.documentId}`)).status).toBe(404);
  expect((await ask<{ items: unknown[] }>("GET", "/api/v1/accounts")).body.items).toEqual([]);
  const { body: papers } = await ask<{ carrierOrder: { documents: { documentId: string }[] } }>(
    "GET",
    `/api/v1/orders/${things.given}`,
  );
  const contents = await Promise.all(
    papers.carrierOrder.documents.map(({ documentId }) =>
      ask<string>("GET", `/api/v1/orders/${things.given}/documents/${documentId}/content`),
    ),
  );
  expect(new Set(contents.map(({ status }) => status))).toEqual(new Set([200, 404]));
  const { piles } = things;
  const partOf = (id: string) => ask("GET", `/api/v1/document-collections/${piles.other}/documents/${id}/file`);
  expect((await partOf(piles.named)).status).toBe(404);
  expect((await partOf(piles.unnamed)).status).toBe(200);
  const { objects } = await (await service.mf.getR2Bucket("FILES", "lorry")).list({ prefix: `${company.id}/piles/` });
  expect(objects).toEqual([]);
  expect((await ask("GET", `/api/v1/document-collections/${piles.pile}`)).body).toMatchObject({
    metadata: { scannedBy: "Erased Person" },
  });
  const after = await ask<{ items: unknown[] }>("GET", `/api/v1/orders?limit=200`);
  expect(after.body.items).toHaveLength(before.body.items.length);

  await service.stop();
  expect(await tracesIn(state, traces)).toEqual([]);
});
