import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { BoardQuery } from "../../../src/areas/freights/board/board.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { freight, growing, hour, post, createFreight, read, stops, withdraw } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

interface Page {
  items: { freightId: string; version: number; status: string }[];
  nextCursor?: string;
}

const list = async (ask: ApiClient, query = "", place = "") =>
  (await ask<Page>("GET", `/api/v1/freights${place}?${query}`)).body;

/** Waits until the list has `count` freights. */
const counted = (ask: ApiClient, count: number, place = "") =>
  vi.waitUntil(async () => (await list(ask, "limit=200", place)).items.length === count, {
    timeout: 50_000,
    interval: 50,
  });

const made = Date.now();
const day = (days: number) => new Date(made + days * 24 * hour).toISOString().slice(0, 10);

const stop = (at: number, address: object, days: number) => ({
  ...stops()[at]!,
  address,
  period: { startDate: `${day(days)}T08:00:00` },
});

const berlin = { countryCode: "DE", postalCode: "10115", coordinates: { latitude: 52.532, longitude: 13.3849 } };
const potsdam = { countryCode: "DE", postalCode: "14467", coordinates: { latitude: 52.4009, longitude: 13.0591 } };
const lyon = { countryCode: "FR", postalCode: "69001", coordinates: { latitude: 45.7675, longitude: 4.8336 } };
const london = { countryCode: "GB", postalCode: "EC1A 1BB", city: "London" };

describe("the list of live freights", () => {
  let ask: ApiClient;
  const ids: string[] = [];

  beforeAll(async () => {
    ask = apiClient(service, service.company().key);
    const bodies = [
      {
        externalNumber: "FR-2026-60",
        owner: "Anna@trans.example",
        locations: [stop(0, berlin, 2), stop(1, lyon, 5)],
        payment: { from: 999.99 },
        requirements: { trailerTypes: [1, 3] },
      },
      {
        externalNumber: "FR-2026-61",
        owner: "piotr@trans.example",
        locations: [stop(0, potsdam, 3), stop(1, london, 6)],
        payment: { from: 1000 },
        sources: [1, 4],
        requirements: { trailerTypes: [2] },
        comments: "Kühlgut, +2 °C",
        metadata: { internalId: "TMS-61" },
      },
      {
        externalNumber: undefined,
        owner: undefined,
        locations: [stop(0, lyon, 4), stop(1, berlin, 7)],
        payment: {},
        requirements: {},
        sources: [],
      },
    ];
    for (const body of bodies) ids.push((await createFreight(ask, body)).freightId);
    const carrier = { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example" };
    await ask("POST", "/api/v1/freights/offers", { json: { freightId: ids[0], price: 900, carrier } });
    ids.push((await createFreight(ask)).freightId);
    await withdraw(ask, ids[3]!);
    await vi.waitUntil(
      async () =>
        (await list(ask)).items.length === 3 &&
        (await list(ask, "hasOffers=true")).items.length === 1 &&
        (await list(ask, "", "/archive")).items.length === 1,
      { timeout: 50_000, interval: 50 },
    );
  });

  const found = async (query: string) => (await list(ask, query)).items.map(({ freightId }) => ids.indexOf(freightId));

  test.each<[string, number[]]>([
    ["", [2, 1, 0]],
    ["sort=createdAt", [0, 1, 2]],
    ["sort=-price", [1, 0, 2]],
    ["sort=-externalNumber", [1, 0, 2]],
    ["sort=loadingDate", [0, 1, 2]],
    ["status=draft", [2]],
    ["status=Published", [1, 0]],
    ["status=Withdrawn", []],
    ["owner=anna@TRANS.example", [0]],
    ["externalNumber=fr 2026 61", [1]],
    ["externalNumber=FR-2026-*", [1, 0]],
    ["externalNumber=*61", [1]],
    ["externalNumber=-", []],
    ["source=4", [1]],
    ["source=1", [1, 0]],
    ["trailerType=3", [0]],
    ["trailerType=2", [1]],
    ["loadingCountry=de", [1, 0]],
    ["unloadingCountry=UK", [1]],
    ["loadingPostalCode=1", [1, 0]],
    ["loadingPostalCode=144", [1]],
    ["loadingPostalCode=0", []],
    ["loadingPostalCode=.", []],
    ["unloadingPostalCode=ec1", [1]],
    ["loadingNear=52.52,13.40,5", [0]],
    ["loadingNear=52.52,13.40,50", [1, 0]],
    ["loadingNear=48.85,2.35,400", [2]],
    ["loadingNear=52.52,13.40,50&unloadingNear=45.76,4.83,10", [0]],
    ["unloadingNear=51.5,-0.1,20", [1]],
    ["priceFrom=999.99&priceTo=999.99", [0]],
    ["priceFrom=1000", [1]],
    ["priceTo=500", []],
    ["hasOffers=true", [0]],
    ["hasOffers=false", [2, 1]],
    ["internalId=TMS-61", [1]],
    ["text=kuhlgut", [1]],
    ["text=lond", [1]],
    [`loadingFrom=${day(3)}`, [2, 1]],
    [`loadingFrom=${day(3)}&loadingTo=${day(3)}`, [1]],
    [`unloadingTo=${day(5)}`, [0]],
    ["createdFrom=2999-01-01", []],
    ["updatedSince=2020-01-01", [2, 1, 0]],
    ["archivedFrom=2020-01-01", []],
  ])('has the expected freights for the query "%s"', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test("has the same views as reading, without shares", async () => {
    const { shares, ...whole } = (await read(ask, ids[0]!)).body;
    expect(shares).toEqual([]);
    expect((await list(ask, "hasOffers=true")).items).toEqual([whole]);
  });

  test.each<[string, number[]]>([
    ["", [3]],
    ["status=Withdrawn", [3]],
    ["status=Published", []],
    ["archivedFrom=2020-01-01", [3]],
    ["archivedTo=2020-01-01", []],
    ["sort=-archivedAt", [3]],
    ["hasOffers=false", [3]],
  ])(
    'does not affect the archive list, which has the expected freights for the query "%s"',
    async (query, expected) => {
      const { items } = await list(ask, query, "/archive");
      expect(items.map(({ freightId }) => ids.indexOf(freightId))).toEqual(expected);
    },
  );
});

test("a freight moves from the live list to the archive list, and is never in both", async () => {
  const ask = apiClient(service, service.company().key);
  const { freightId } = await createFreight(ask);
  await counted(ask, 1);
  await withdraw(ask, freightId);
  await counted(ask, 1, "/archive");
  expect((await list(ask)).items).toEqual([]);
});

test("a changed freight is listed with its current values", async () => {
  const ask = apiClient(service, service.company().key);
  const body = freight({ payment: growing() });
  const { freightId } = (await post(ask, body)).body;
  await ask("PUT", `/api/v1/freights/${freightId}`, { json: { ...body, payment: { from: 1500 } } });
  await vi.waitUntil(async () => (await list(ask, "priceFrom=1500")).items.length === 1, { timeout: 50_000 });
  expect((await list(ask, "priceTo=1499")).items).toEqual([]);
});

test.each([
  ["loadingNear=52,13", "loadingNear"],
  ["loadingNear=91,13,10", "loadingNear"],
  ["loadingNear=52,13,-1", "loadingNear"],
  ["loadingNear=52,13,5000", "loadingNear"],
  ["priceFrom=ten", "priceFrom"],
  ["priceFrom=1.005", "priceFrom"],
  ["trailerType=9", "trailerType"],
  ["source=0", "source"],
  ["hasOffers=perhaps", "hasOffers"],
  ["status=Gone", "status"],
  ["sort=comments", "sort"],
  ["loadingFrom=tomorrow", "loadingFrom"],
  ["loadingPostalCode=04158%0A", "loadingPostalCode"],
  ["unloadingPostalCode=12345678901", "unloadingPostalCode"],
  ["text=paper%00", "text"],
])("%s is refused, and the error names the field", async (query, field) => {
  const ask = apiClient(service, service.company().key);
  const refused = async (path: string) => {
    const { status, body } = await ask<{ errors: { field: string }[] }>("GET", `${path}?${query}`);
    return { status, fields: body.errors.map((error) => error.field) };
  };
  const doors = ["/api/v1/freights", ...(field in BoardQuery.shape ? ["/board/freights.json"] : [])];
  expect(await Promise.all(doors.map(refused))).toEqual(doors.map(() => ({ status: 400, fields: [field] })));
});
