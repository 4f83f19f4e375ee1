import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../support/api-client.ts";
import { oddSearches, searchRows } from "./bad-input/carrier-searches.ts";
import { documentRows, verdictRows } from "./bad-input/carrier-documents.ts";
import { bodyRows, orderRows, wrongNumbers } from "./bad-input/carriers.ts";
import { refusalOf, refused } from "./bad-input/refusals.ts";
import type { Refused } from "./bad-input/row.ts";
import {
  carrierOrder,
  uploadDocument,
  createCarrierOrder,
  readOrder,
  type CarrierAnswer,
  type DocumentAnswer,
} from "../support/carriers.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;
let ask: ApiClient;
/** The only order, its only document, and the state of the order before any invalid request. */
let orderId: string;
let documentId: string;
let before: { version: string | null; body: unknown };

const seen = async () => {
  const { headers, body } = await ask("GET", `/api/v1/orders/${orderId}`);
  return { version: headers.get("etag"), body };
};

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  ({ orderId } = await createCarrierOrder(ask));
  documentId = (await uploadDocument(ask, orderId, "cmr")).body.documentId;
  before = await seen();
});

afterAll(() => service.stop());

const rows: Refused[] = [orderRows, bodyRows, searchRows, documentRows, verdictRows].flat();

test.each(rows)("$what is refused and stores nothing", async (row) => {
  const path = row.path!.replace("{orderId}", orderId).replace("{documentId}", documentId);
  expect(await refused(ask, { ...row, path })).toEqual(refusalOf(row));
  expect(await seen()).toEqual(before);
});

test.each(oddSearches)("the query accepts $what", async ({ asked }) => {
  const { status, body } = await ask<{ items: { orderId: string }[] }>("POST", "/api/v1/orders/query", { json: asked });
  expect({ status, body }).toMatchObject({ status: 200, body: { items: expect.any(Array) as [] } });
  expect(body.items.length).toBeLessThanOrEqual(1);
});

test("the numbers of refused orders are free, and the archive has no rows of them", async () => {
  for (let start = 0; start < wrongNumbers.length; start += 100) {
    const items = wrongNumbers.slice(start, start + 100).map((orderNumber) => carrierOrder({ orderNumber }));
    const { body } = await ask<{ items: { result: string }[] }>("POST", "/api/v1/orders/upsert", { json: { items } });
    expect(body.items.map(({ result }) => result)).toEqual(items.map(() => "Created"));
  }
  await vi.waitUntil(async () => (await listed()).length === wrongNumbers.length + 1, { timeout: 50_000 });
});

async function listed(): Promise<string[]> {
  const found: string[] = [];
  for (let continuationToken: string | undefined = ""; continuationToken !== undefined;) {
    const { body }: { body: { items: { orderId: string }[]; continuationToken?: string } } = await ask(
      "POST",
      "/api/v1/orders/query",
      { json: { limit: 200, ...(continuationToken && { continuationToken }) } },
    );
    found.push(...body.items.map((row) => row.orderId));
    ({ continuationToken } = body);
  }
  return found;
}

test.each([
  ["a line break", "cmr\r\nSet-Cookie: a=b.txt"],
  ["quotes", 'a";filename="b.exe".txt'],
  ["other alphabets", "Заявка 运单 طلب 🚚.txt"],
  ["10,000 letters", `${"長".repeat(10_000)}.txt`],
  ["surrogate pairs", `${"🚚".repeat(300)}a.txt`],
  ["a path", "../../../../etc/passwd"],
  ["a page", "<script>alert(1)</script>.txt"],
  ["right-to-left marks", "cmr\u202Etxt.exe"],
  ["nothing but dots", ".."],
])("a document name with %s does no harm", async (what, name) => {
  const own = await createCarrierOrder(ask);
  const { status, body } = await ask<DocumentAnswer>("POST", `/api/v1/orders/${own.orderId}/documents`, {
    body: form({ name, bytes: `A paper named with ${what}.` }, { documentType: "cmr" }),
  });
  expect(status).toBe(201);
  expect(body.fileName).toMatch(/^[^/\\\r\n]{1,200}$/);
  const content = await ask("GET", `/api/v1/orders/${own.orderId}/documents/${body.documentId}/content`);
  expect(content.status).toBe(200);
  expect(content.headers.get("set-cookie")).toBeNull();
  expect(content.headers.get("content-disposition")).toMatch(
    /^inline; filename="?[^"/\\\r\n]{1,250}"?(?:; filename\*=UTF-8''[\w%.!~*-]+)?$/,
  );
});

test("an order of maximum size is accepted, found and shown", async () => {
  const letters = (count: number) => "Ž".repeat(count);
  const largest = carrierOrder({
    orderNumber: `G${letters(99)}`,
    carrier: { name: letters(200), vatCode: `CZ${"1".repeat(18)}`, email: `${"a".repeat(60)}@beispiel.example` },
    internalComments: letters(10_000),
    requiredDocumentTypes:
      "cmr,invoice,packingList,deliveryNote,weightTicket,temperatureReport,palletReceipt,photo,other",
    details: { weight: 10_000_000, licensePlates: Array.from({ length: 20 }, (_, at) => `${"A".repeat(12)}${at}`) },
    locations: Array.from({ length: 100 }, (_, at) => ({
      sequence: 10_000 - at,
      type: at % 2 ? "Loading" : "Unloading",
      startDate: "9999-12-31T23:59:59.999999999+14:00",
      name: letters(200),
      countryCode: "CZ",
      postalCode: "0".repeat(20),
      city: letters(200),
      street: letters(300),
      position: { latitude: -90, longitude: 180 },
    })),
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`.padStart(64, "k"), letters(512)])),
  });
  const { orderId: id } = await createCarrierOrder(ask, largest);
  const order = await readOrder(ask, id);
  expect(order.data.locations).toHaveLength(100);
  await vi.waitUntil(
    async () => {
      const asked = { json: { orderNumber: `g${letters(10)}*`, carrier: letters(200) } };
      const { body } = await ask<{ items: CarrierAnswer[] }>("POST", "/api/v1/orders/query", asked);
      return body.items.some((row) => row.orderId === id);
    },
    { timeout: 50_000, interval: 100 },
  );
  const page = await service.fetch(new URL(order.carrierOrder.shareUrl!).pathname);
  expect(page.status).toBe(200);
});
