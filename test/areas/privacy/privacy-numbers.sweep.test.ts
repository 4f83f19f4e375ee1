import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { carrierOrder } from "../../support/carriers.ts";
import { completePrivacyRequest } from "../../support/privacy.ts";
import { openService, type TestService } from "../../support/service.ts";

// Phone numbers of a person, and numbers that only look like them.

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

const soon = { timeout: 50_000, interval: 100 };
const anyone = () => apiClient(service, service.company().key);

/** Writes a date like a phone number: 2026-11-20 becomes 20 26 11 20. */
const asNumber = (day: string) => day.replaceAll("-", "").match(/../g)!.join(" ");
const today = () => new Date().toISOString().slice(0, 10);

interface Order {
  orderId: string;
  carrierOrder: { internalComments: string };
}

const orderSaying = async (ask: ApiClient, internalComments: string): Promise<string> => {
  const { status, body } = await ask<Order>("POST", "/api/v1/orders", { json: carrierOrder({ internalComments }) });
  expect(status).toBe(201);
  return body.orderId;
};
const commentOf = async (ask: ApiClient, orderId: string) =>
  (await ask<Order>("GET", `/api/v1/orders/${orderId}`)).body.carrierOrder.internalComments;
const listed = async (ask: ApiClient) =>
  (await ask<{ items: { orderId: string; createdAt: string }[] }>("GET", "/api/v1/orders")).body.items;
const told = async (ask: ApiClient) =>
  (await ask<{ items: { resource: { id: string } }[] }>("GET", "/api/v1/events")).body.items;

test("a phone number that looks like today's date is erased, and dates stay", { timeout: 200_000 }, async () => {
  const ask = anyone();
  const number = asNumber(today());
  const named = await orderSaying(ask, `Driver:\nTel. ${number}\n+45 ${number}, from ${today()} on`);
  const other = await orderSaying(ask, `Nobody is named here. Since ${today()}, at 52.${number.replaceAll(" ", "")}`);
  await vi.waitFor(async () => {
    expect(await listed(ask)).toHaveLength(2);
    expect(await told(ask)).toHaveLength(2);
  }, soon);
  const before = await listed(ask);
  const said = await commentOf(ask, other);

  expect(await completePrivacyRequest(ask, "erase", { phone: number })).toMatchObject({
    records: 1,
    files: 0,
    events: 1,
  });
  expect(await commentOf(ask, named)).toBe(`Driver:\nTel. +000000000\n+000000000, from ${today()} on`);
  expect(await commentOf(ask, other)).toBe(said);
  expect((await listed(ask)).map(({ createdAt }) => createdAt)).toEqual(before.map(({ createdAt }) => createdAt));
  expect((await told(ask)).map(({ resource }) => resource.id)).toEqual([other]);
});

test.each([
  [
    "+48 601 777 423",
    ["0048 601-777-423", "601777423", "tel:+48(601)777.423", "48601777423"],
    ["1.601777423", "60177742"],
  ],
  ["22 29 67 56", ["22.29.67.56", "+45 22296756", "(22296756)"], ["52.2296756", "122296756", "222967.56"]],
  ["+49 (0)1512 3456789", ["01512/3456789", "+4915123456789", "0049 1512 3456789"], ["123456"]],
])("%s is found in every notation", { timeout: 200_000 }, async (phone, written, others) => {
  const ask = anyone();
  const named = await Promise.all(written.map((text) => orderSaying(ask, `Call ${text}!`)));
  const unnamed = await Promise.all(others.map((text) => orderSaying(ask, `Mind ${text}!`)));
  await completePrivacyRequest(ask, "erase", { phone });
  for (const orderId of named)
    expect(await commentOf(ask, orderId)).toMatch(/^Call \S*\+000000000!$|^Call \(\+000000000\)!$/);
  for (const [place, orderId] of unnamed.entries())
    expect(await commentOf(ask, orderId)).toBe(`Mind ${others[place]}!`);
});

test("a single word is refused as a name, because it has other meanings", async () => {
  const reply = await anyone()("POST", "/api/v1/privacy/erase", { json: { name: "Toll" } });
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: "name" }] } });
});

test("the placeholders of erased persons are never found, and the search ends", async () => {
  const ask = anyone();
  await orderSaying(ask, "Erased Person, +000000000");
  const nobody = { name: "Erased Person", phone: "+000000000", email: "erased@privacy.invalid" };
  expect(await completePrivacyRequest(ask, "erase", nobody)).toMatchObject({ records: 0, files: 0, events: 0 });
}, 200_000);

test("escaped JSON text in a field is searched, and the person is erased from it", async () => {
  const ask = anyone();
  const note = JSON.stringify({ said: "Driver:\nZden\u011bk P\u0159\u00edklad", by: "TMS" }).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const orderId = await orderSaying(ask, note);
  expect(await completePrivacyRequest(ask, "erase", { name: "Zden\u011bk P\u0159\u00edklad" })).toMatchObject({
    records: 1,
  });
  expect(await commentOf(ask, orderId)).toBe('{"said":"Driver: Erased Person","by":"TMS"}');
}, 200_000);
