import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { FreightView } from "../../../src/areas/freights/views.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import {
  inFuture,
  freight,
  growing,
  hour,
  minute,
  post,
  createFreight,
  put,
  read,
  readArchived,
  refusal,
  stops,
  withdraw,
  type Refused,
} from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const newcomer = () => apiClient(service, service.company().key);

interface Heard {
  eventType: string;
  resource: { id: string; url: string; version: number };
  status: string;
  previousStatus?: string;
}

/** Waits until the log has `count` events of a freight, and returns them. */
async function heard(ask: ApiClient, freightId: string, count: number): Promise<Heard[]> {
  return vi.waitFor(
    async () => {
      const { body } = await ask<{ items: Heard[] }>("GET", "/api/v1/events?limit=200");
      const own = body.items.filter(({ resource }) => resource.id === freightId);
      expect(own.length).toBeGreaterThanOrEqual(count);
      return own;
    },
    { timeout: 50_000, interval: 100 },
  );
}

const offer = async (ask: ApiClient, freightId: string) =>
  (
    await ask<{ offerId: string }>("POST", "/api/v1/freights/offers", {
      json: {
        freightId,
        price: 950,
        carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example" },
      },
    })
  ).body.offerId;

const statusOfOffer = async (ask: ApiClient, freightId: string, offerId: string) =>
  (await ask<{ status: string }>("GET", `/api/v1/freights/${freightId}/offers/${offerId}`)).body.status;

describe("POST", () => {
  test("answers an empty object as text, and the id and location of the freight in headers", async () => {
    const ask = newcomer();
    const { status, headers, body } = await ask("POST", "/api/v1/freights", { json: freight() });
    expect({ status, type: headers.get("content-type"), body }).toEqual({
      status: 200,
      type: "text/plain; x-api-version=1.0",
      body: {},
    });
    const freightId = headers.get("x-freight-id")!;
    expect(headers.get("location")).toBe(`/api/v1/freights/${freightId}`);
    expect(headers.get("etag")).toBe('"1"');
    expect((await read(ask, freightId)).body).toMatchObject({ freightId, status: "Published", version: 1 });
  });

  test.each([
    ["application/json", true],
    ["application/json, text/plain, */*", true],
    ["text/plain;q=0.5, application/json; x-api-version=1.0", true],
    ["text/plain, application/json;q=0.9", false],
    ["application/json;q=0", false],
    ["text/plain", false],
    ["*/*", false],
  ])("with Accept %s answers the freight as JSON: %s", async (accept, isJson) => {
    const { headers, body } = await post(newcomer(), freight(), { accept });
    expect(headers.get("content-type")).toMatch(isJson ? /^application\/json;/ : /^text\/plain;/);
    expect("freightId" in body).toBe(isJson);
  });

  test("answers the sent and the derived values", async () => {
    const sent = freight({ payment: growing(), metadata: { internalId: "TMS-1" }, internalComments: "For us" });
    const { body } = await post(newcomer(), sent);
    const { locations, ...rest } = sent as { locations: { address: { coordinates: { latitude: number } } }[] };
    const published = Date.parse(body.publishedAt!);
    expect(body).toMatchObject({
      ...rest,
      payment: { ...growing(), until: expect.any(String) as string, currency: "EUR" },
      locations: locations.map((stop) => ({
        ...stop,
        address: {
          ...stop.address,
          coordinates: { ...stop.address.coordinates, lattitude: stop.address.coordinates.latitude },
        },
      })),
      status: "Published",
      currentPrice: 1000,
      nextPrice: 1060,
      nextPriceAt: new Date(published + hour).toISOString(),
      offers: { open: 0 },
      publications: [{ source: 1 }],
    });
    expect(body.expiresAt).toBe((sent["payment"] as { until: string }).until);
  });

  test("accepts bodies of existing clients", async () => {
    const [loading, unloading] = stops();
    const { body } = await post(newcomer(), {
      type: "Spot",
      externalNumber: "",
      owner: null,
      sources: ["1", 7, "7"],
      locations: [
        {
          ...unloading,
          type: "unloading",
          sequence: 9,
          address: { countryCode: "POL", city: "Wrocław", coordinates: {} },
        },
        {
          ...loading,
          sequence: 4,
          address: { countryCode: "D", postalCode: "04158", coordinates: { lattitude: 51.3, longitude: 12.3 } },
        },
      ],
      requirements: {
        trailerTypes: ["3"],
        vehicleTypes: [1],
        loadingSide: "side",
        temperature: { min: 2, max: 8, regime: "Continous" },
        capabilities: [1, "10"],
      },
      payment: { ...growing(), updateRate: undefined, updateRangeInHours: "02:00:00", currency: "pln" },
    });
    expect(body).toMatchObject({
      sources: [1, 7],
      locations: [
        {
          sequence: 4,
          type: "Loading",
          address: { countryCode: "DE", coordinates: { latitude: 51.3, lattitude: 51.3, longitude: 12.3 } },
        },
        { sequence: 9, type: "Unloading", address: { countryCode: "PL", city: "Wrocław" } },
      ],
      requirements: {
        trailerTypes: [3],
        vehicleTypes: [1],
        loadingSide: "Side",
        temperature: { min: 2, max: 8, regime: "Continuous" },
        capabilities: [1, 10],
      },
      payment: { updateRate: "02:00:00", currency: "PLN" },
    });
    expect(body).not.toHaveProperty("externalNumber");
    expect(body).not.toHaveProperty("owner");
    const found = body.locations[1]!.address.coordinates!;
    expect(found.latitude).toBeCloseTo(51.1, 0);
    expect(found.longitude).toBeCloseTo(17.0, 0);
  });

  test("accepts the view of a freight as it was read", async () => {
    const ask = newcomer();
    const { externalNumber: _, ...first } = await createFreight(ask, { payment: growing() });
    const { status, body } = await post(ask, first);
    expect({ status, locations: body.locations, payment: body.payment }).toEqual({
      status: 200,
      locations: first.locations,
      payment: first.payment,
    });
  });

  test("reads a time without an offset as local time at the stop", async () => {
    const day = inFuture(72 * hour).slice(0, 10);
    const [loading, unloading] = stops();
    const at = (countryCode: string, city: string) => ({
      ...loading,
      address: { countryCode, city },
      period: { startDate: `${day}T06:00`, endDate: `${day}T08:00` },
    });
    const later = { ...unloading, period: { startDate: inFuture(120 * hour) } };
    const ends = async (stop: unknown) => (await createFreight(newcomer(), { locations: [stop, later] })).expiresAt;
    expect(await ends(at("FI", "Helsinki"))).toBe(`${day}T06:00:00.000Z`);
    expect(await ends(at("DE", "Berlin"))).toBe(`${day}T07:00:00.000Z`);
    expect(await ends(at("PT", "Lisboa"))).toBe(`${day}T08:00:00.000Z`);
  });

  test("warns of a price that never grows", async () => {
    const never = { from: 1000, growTo: 1300, until: inFuture(30 * minute), updateRate: "01:00:00" };
    const { warnings, currentPrice, nextPrice } = await createFreight(newcomer(), { payment: never });
    expect({ codes: warnings?.map(({ code }) => code), currentPrice, nextPrice }).toEqual({
      codes: ["price_never_grows"],
      currentPrice: 1000,
      nextPrice: undefined,
    });
  });

  test("without a price creates a freight for which carriers name theirs", async () => {
    const body = await createFreight(newcomer(), { payment: { term: 45 } });
    expect(body).not.toHaveProperty("currentPrice");
    expect(body.payment).toEqual({ currency: "EUR", term: 45 });
  });

  test("without sources creates a draft without events, which PUT publishes", async () => {
    const ask = newcomer();
    const body = freight({ sources: [] });
    const draft = (await post(ask, body)).body;
    expect(draft).toMatchObject({ status: "Draft", sources: [], publications: [] });
    expect(draft).not.toHaveProperty("publishedAt");
    const { body: published } = await put(ask, draft.freightId, { ...body, sources: [1] });
    expect(published).toMatchObject({ status: "Published", version: 2, publishedAt: published.updatedAt });
    const told = await heard(ask, draft.freightId, 1);
    expect(told.map(({ eventType }) => eventType)).toEqual(["FreightPublished"]);
  });
});

describe("an external number", () => {
  test("belongs to one live freight of a company, whatever its case and spacing", async () => {
    const ask = newcomer();
    await createFreight(ask, { externalNumber: "FR 1" });
    const again = await post<Refused>(ask, freight({ externalNumber: "fr  1" }));
    expect(refusal(again)).toEqual({ status: 409, code: "duplicate_external_number" });
    expect((await post(newcomer(), freight({ externalNumber: "FR 1" }))).status).toBe(200);
  });

  test("is free once the freight is archived", async () => {
    const ask = newcomer();
    const { freightId } = await createFreight(ask, { externalNumber: "FR 2" });
    await withdraw(ask, freightId);
    const next = await createFreight(ask, { externalNumber: "FR 2" });
    expect(next.freightId).not.toBe(freightId);
  });

  test("in twenty concurrent requests creates one freight", async () => {
    const ask = newcomer();
    const body = freight();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post<Refused>(ask, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.errorCode))).toEqual(
      new Set([undefined, "duplicate_external_number"]),
    );
  });

  test("can be changed, removed and added by PUT, and the previous one is free", async () => {
    const ask = newcomer();
    const body = freight({ externalNumber: "A-1" });
    const { freightId } = (await post(ask, body)).body;
    await createFreight(ask, { externalNumber: "A-3" });
    const named = async (externalNumber?: string) => {
      const { status, body: now } = await put(ask, freightId, { ...body, externalNumber });
      return status === 200 ? now.externalNumber : status;
    };
    expect(await named("A-2")).toBe("A-2");
    expect(await named("A-3")).toBe(409);
    expect((await read(ask, freightId)).body.externalNumber).toBe("A-2");
    expect((await post(ask, freight({ externalNumber: "A-1" }))).status).toBe(200);
    expect(await named()).toBeUndefined();
    expect((await post(ask, freight({ externalNumber: "A-2" }))).status).toBe(200);
    expect(await named("A-4")).toBe("A-4");
  });

  test("of a refused request is free", async () => {
    const ask = newcomer();
    const wrong = freight({ externalNumber: "B-1", payment: { ...growing(), until: inFuture(1000 * hour) } });
    expect((await post(ask, wrong)).status).toBe(400);
    expect((await post(ask, freight({ externalNumber: "B-1" }))).status).toBe(200);
  });
});

describe("PUT", () => {
  test("replaces everything except metadata that are not sent", async () => {
    const ask = newcomer();
    const sent = { payment: growing(), metadata: { a: "1" }, internalComments: "For us" };
    const { freightId } = await createFreight(ask, sent);
    const { body } = await put(ask, freightId, { sources: [1], locations: stops() });
    expect(body).toMatchObject({ version: 2, status: "Published", metadata: { a: "1" }, requirements: {} });
    expect(body.payment).toEqual({ currency: "EUR" });
    for (const field of ["externalNumber", "owner", "comments", "internalComments", "totalDistance", "currentPrice"])
      expect(body).not.toHaveProperty(field);
    expect((await put(ask, freightId, { sources: [1], locations: stops(), metadata: {} })).body.metadata).toEqual({});
  });

  test("with identical values changes no version and sends no event", async () => {
    const ask = newcomer();
    const body = freight({ payment: growing(), metadata: { a: "1", b: "2" } });
    const { freightId } = (await post(ask, body)).body;
    const again = await put(ask, freightId, { ...body, metadata: { b: "2", a: "1" } });
    expect(again.body.version).toBe(1);
    await put(ask, freightId, { ...body, comments: "Other" });
    const told = await heard(ask, freightId, 2);
    expect(told.map(({ eventType, resource }) => [eventType, resource.version])).toEqual([
      ["FreightPublished", 1],
      ["FreightUpdated", 2],
    ]);
  });

  test.each([
    [
      "another day of loading",
      () => ({ locations: [{ ...stops()[0]!, period: { startDate: inFuture(50 * hour) } }, stops()[1]!] }),
    ],
    [
      "another stop",
      () => ({ locations: [stops()[0]!, { ...stops()[1]!, address: { countryCode: "PL", city: "Opole" } }] }),
    ],
    ["another trailer", () => ({ requirements: { trailerTypes: [2] } })],
  ])("with %s makes open offers outdated", async (_, change) => {
    const ask = newcomer();
    const body = freight();
    const { freightId } = (await post(ask, body)).body;
    const offerId = await offer(ask, freightId);
    await put(ask, freightId, { ...body, ...change() });
    expect(await statusOfOffer(ask, freightId, offerId)).toBe("Outdated");
  });

  test("with other comments or another price leaves offers unchanged", async () => {
    const ask = newcomer();
    const body = freight();
    const { freightId } = (await post(ask, body)).body;
    const offerId = await offer(ask, freightId);
    await put(ask, freightId, { ...body, comments: "Other", payment: { from: 1100 } });
    expect(await statusOfOffer(ask, freightId, offerId)).toBe("Submitted");
    expect((await read(ask, freightId)).body).toMatchObject({ currentPrice: 1100, offers: { open: 1, best: 950 } });
  });

  test("with another version in If-Match is refused", async () => {
    const ask = newcomer();
    const { freightId } = await createFreight(ask);
    const headers = { "if-match": '"7"' };
    const refused = await ask<Refused>("PUT", `/api/v1/freights/${freightId}`, { json: freight(), headers });
    expect(refusal(refused)).toEqual({ status: 412, code: "version_mismatch" });
  });
});

describe("DELETE", () => {
  test("moves the freight with its offers and prices to the archive, and can be repeated", async () => {
    const ask = newcomer();
    const { freightId } = await createFreight(ask, { payment: growing() });
    const offerId = await offer(ask, freightId);
    for (let time = 1; time <= 2; time++) expect((await withdraw(ask, freightId)).status).toBe(204);
    const gone = await ask<Refused>("GET", `/api/v1/freights/${freightId}`);
    expect(refusal(gone)).toEqual({ status: 410, code: "freight_archived" });
    const link = /^<([^>]+)>; rel="archives"$/.exec(gone.headers.get("link")!)![1]!;
    const { body } = await ask<FreightView>("GET", link);
    expect(body).toMatchObject({
      freightId,
      status: "Withdrawn",
      archiveReason: "Withdrawn",
      currentPrice: 1000,
      offers: [{ offerId, status: "Declined", reason: "FreightWithdrawn" }],
      priceHistory: [{ price: 1000 }],
      publications: [{ source: 1, status: expect.stringMatching(/^(Pending|Removed)$/) as string }],
    });
    for (const field of ["winner", "nextPrice", "expiresAt"]) expect(body).not.toHaveProperty(field);
    const told = await heard(ask, freightId, 4);
    expect(told.map(({ eventType }) => eventType)).toEqual([
      "FreightPublished",
      "OfferSubmitted",
      "FreightWithdrawn",
      "OfferDeclined",
    ]);
    expect(told[2]).toMatchObject({ status: "Withdrawn", previousStatus: "Published" });
    expect(told[2]!.resource.url).toMatch(new RegExp(`${link}$`));
  });

  test("prevents further changes", async () => {
    const ask = newcomer();
    const { freightId } = await createFreight(ask);
    await withdraw(ask, freightId);
    const refused = await put<Refused>(ask, freightId, freight());
    expect({ ...refusal(refused), is: refused.body.currentStatus, allowed: refused.body.allowed }).toEqual({
      status: 409,
      code: "invalid_state",
      is: "Withdrawn",
      allowed: [],
    });
  });
});

test("a live freight is not in the archive", async () => {
  const ask = newcomer();
  const { freightId } = await createFreight(ask);
  expect((await ask("GET", `/api/v1/freights/archive/${freightId}`)).status).toBe(404);
  await withdraw(ask, freightId);
  expect((await readArchived(ask, freightId)).status).toBe("Withdrawn");
});
