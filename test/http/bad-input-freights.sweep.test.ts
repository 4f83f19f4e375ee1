import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import { wrongFreights } from "./bad-input/freights.ts";
import { refusalOf, refused } from "./bad-input/refusals.ts";
import { field, textOf } from "./bad-input/row.ts";
import {
  freight,
  growing,
  hour,
  inFuture,
  createFreight,
  post,
  read,
  stops,
  type Refused,
} from "../support/freights.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;
let ask: ApiClient;
/** The only freight, and its state before any invalid request. */
let freightId: string;
let before: { version: string | null; body: unknown };

const seen = async () => {
  const { headers, body } = await read(ask, freightId);
  return { version: headers.get("etag"), body };
};

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  ({ freightId } = await createFreight(ask));
  before = await seen();
});

afterAll(() => service.stop());

test.each(wrongFreights)("a freight $what is refused and stores nothing", async ({ body, pointer, code }) => {
  const text = textOf(body);
  const row = { what: "", text, ...field(pointer) };
  expect(await refused(ask, { ...row, method: "POST", path: "/api/v1/freights" })).toEqual(refusalOf(row));
  const put = await ask<Refused>("PUT", `/api/v1/freights/${freightId}`, {
    body: text,
    headers: { "content-type": "application/json" },
  });
  expect(put.body.errors?.[0]).toMatchObject({ pointer, code });
  expect(await seen()).toEqual(before);
});

test("an error in a list item names its index", async () => {
  const { body } = await post<Refused>(ask, freight({ sources: [1, null] }));
  expect(body.errors).toMatchObject([
    { field: "sources[1]", pointer: "/sources/1", message: expect.stringMatching(/^sources\[1\]: /) as string },
  ]);
});

test("all errors are reported at once", async () => {
  const [loading, unloading] = stops();
  const payment = { ...growing(), growTo: 900, until: inFuture(-hour), updateRate: "00:00:30" };
  const { status, body } = await post<Refused>(
    ask,
    freight({ locations: [loading, { ...unloading, type: "Stop" }], payment }),
  );
  expect({ status, errors: body.errors?.map(({ pointer, code }) => `${pointer} ${code}`) }).toEqual({
    status: 400,
    errors: [
      "/locations/1/type last_not_unloading",
      "/payment/growTo grow_to_below_from",
      "/payment/updateRate too_small",
      "/payment/until in_the_past",
    ],
  });
});

test("the archive has no rows of refused requests, and their numbers are free", async () => {
  const numbers = wrongFreights.flatMap(({ body }) => {
    const { externalNumber } = body;
    return typeof externalNumber === "string" && externalNumber.startsWith("FR-") ? [externalNumber] : [];
  });
  expect(numbers.length).toBeGreaterThan(50);
  const again = numbers.slice(0, 10).map((externalNumber) => createFreight(ask, { externalNumber }));
  await Promise.all(again);
  await vi.waitUntil(
    async () =>
      (await ask<{ items: unknown[] }>("GET", "/api/v1/freights?limit=200")).body.items.length === again.length + 1,
    { timeout: 50_000 },
  );
});

test("a freight of maximum size is accepted, listed and shown", async () => {
  const own = apiClient(service, service.company().key);
  const letters = (count: number) => "Ž".repeat(count);
  const [loading, unloading] = stops();
  const between = {
    ...loading,
    type: "Stop",
    address: { countryCode: "DE", postalCode: "1".repeat(20), city: letters(200) },
  };
  const body = await createFreight(own, {
    externalNumber: letters(100),
    owner: `${"a".repeat(60)}@beispiel.example`,
    sources: Array.from({ length: 50 }, (_, at) => at + 1),
    locations: [
      { ...loading, sequence: 0 },
      ...Array.from({ length: 48 }, (_, at) => ({ ...between, sequence: at + 1 })),
      { ...unloading, sequence: 100 },
    ],
    comments: letters(10_000),
    internalComments: letters(10_000),
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, letters(512)])),
  });
  expect((await read(own, body.freightId)).body).toMatchObject({
    locations: body.locations,
    comments: letters(10_000),
  });
  await vi.waitUntil(async () => (await own<{ items: unknown[] }>("GET", "/api/v1/freights")).body.items.length === 1, {
    timeout: 50_000,
  });
});
