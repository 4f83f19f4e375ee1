import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type * as z from "zod";
import { operations } from "../../src/api.ts";
import { apiClient, type ApiClient, type Wire } from "../support/api-client.ts";
import { createCarrierOrder } from "../support/carriers.ts";
import { postVehicle } from "../support/vehicles.ts";
import { freight, post } from "../support/freights.ts";
import { openService, type TestService } from "../support/service.ts";

// UUIDs in capital letters, as Microsoft's software writes them. UUIDs in paths are tested in
// contract/callers.sweep.test.ts.

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const capitals = (id: string) => id.toUpperCase();

test("every id of a body or a query is accepted in any case and parsed to lower case", () => {
  const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
  const shapesOf = (shape: unknown) => Object.entries((shape as z.ZodObject | undefined)?.shape ?? {});
  const fields = operations.flatMap(({ id: operation, operation: { query, body } }) =>
    [...shapesOf(query), ...shapesOf(body)].map(
      ([name, shape]) => [`${operation} ${name}`, shape as z.ZodType] as const,
    ),
  );
  const ids = fields.filter(([name]) => /(?<!internal|external|client|sequence|_)Ids?$/.test(name));
  expect(ids.length).toBeGreaterThan(15);
  for (const [name, shape] of ids) {
    const sent = name.endsWith("s") ? [capitals(id)] : capitals(id);
    expect([shape.safeParse(sent).data].flat(), name).toEqual([id]);
  }
});

test("ids in bodies are accepted in capitals", async () => {
  const { vehicleId } = await postVehicle(ask);
  const item = { occurredAt: "2026-11-19T18:42", externalId: "1", productName: "Diesel", quantity: 40 };
  const feed = { provider: "Beispielkarte", items: [item] };
  const { feedId } = (await ask<{ feedId: string }>("POST", "/api/v1/transactions-feed", { json: feed })).body;
  const listed = await ask<{ items: Wire[] }>("GET", `/api/v1/transactions-feed?feedId=${capitals(feedId)}`);
  const transactionId = listed.body.items[0]!["transactionId"] as string;

  const corrections = [{ path: "/vehicleId", value: capitals(vehicleId) }];
  const json = { subject: { type: "Transaction", id: capitals(transactionId) }, rating: "Bad", corrections };
  const feedback = await ask("POST", "/api/v1/feedback", { json });
  expect(feedback).toMatchObject({ status: 201, body: { subject: { id: transactionId } } });
  expect(feedback.body["corrections"]).toMatchObject([{ value: vehicleId }]);
  const transaction = await ask("GET", `/api/v1/transactions-feed/${transactionId}`);
  expect(transaction.body).toMatchObject({ vehicleId, status: "Matched" });

  const { freightId } = (await post(ask, freight())).body;
  const recipients = [{ email: "dispo@vzorova-doprava.example" }];
  const share = { freightIds: [capitals(freightId)], recipients };
  const shared = await ask<{ items: Wire[] }>("POST", "/api/v1/freights/share", { json: share });
  expect(shared.body.items).toMatchObject([{ freightId }]);
});

test("ids that filter a list are accepted in capitals", async () => {
  const { orderId } = await createCarrierOrder(ask);
  const { headers } = await ask("DELETE", `/api/v1/orders/${capitals(orderId)}`);
  const requestId = headers.get("x-request-id")!;
  await vi.waitFor(
    async () => {
      const query = `resourceId=${capitals(orderId)}&requestId=${capitals(requestId)}`;
      const { body } = await ask<{ items: Wire[] }>("GET", `/api/v1/audit?${query}`);
      expect(body.items).toMatchObject([{ operation: "carrierOrders.cancel", resource: { id: orderId } }]);
    },
    { timeout: 50_000 },
  );
});

test("ids in the URLs of pages are accepted in capitals", async () => {
  const order = await createCarrierOrder(ask);
  const { pathname } = new URL(order.shareUrl);
  const form = new FormData();
  form.set("file", new File(["A CMR note"], "cmr.txt"));
  const handedIn = await apiClient(service)<{ documents: { documentId: string }[] }>("POST", pathname, {
    body: form,
    headers: { accept: "application/json" },
  });
  const { documentId } = handedIn.body.documents[0]!;
  const file = await service.fetch(`${pathname}/documents/${capitals(documentId)}`);
  expect([file.status, await file.text()]).toEqual([200, "A CMR note"]);

  const { freightId } = (await post(ask, freight())).body;
  await vi.waitFor(async () => expect((await service.fetch(`/board/${capitals(freightId)}`)).status).toBe(200), {
    timeout: 50_000,
    interval: 200,
  });
});
