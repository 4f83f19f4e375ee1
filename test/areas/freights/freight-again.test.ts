import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FreightView } from "../../../src/areas/freights/views.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createOffer, readOffer, type OfferAnswer } from "../../support/offers.ts";
import { inFuture, freight, hour, createFreight, put, read, stops } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

// A freight that is sent again, either as it was read or in another notation.

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const [loading, unloading] = stops();
const locations = [loading!, unloading!];
/** The stops of the freight without their coordinates, which the service then takes from the gazetteer. */
const byTown = locations.map(({ address: { countryCode, postalCode, city }, ...stop }) => ({
  ...stop,
  address: { countryCode, postalCode, city },
}));

const statusOf = async (one: OfferAnswer) => (await readOffer(ask, one)).body.status;

describe("a freight sent back as it was read", () => {
  test("changes no version and no offer", async () => {
    const { freightId } = await createFreight(ask, { locations: byTown });
    const one = await createOffer(ask, freightId);
    const { body: shown } = await read(ask, freightId);
    for (const { address } of shown.locations) expect(address.coordinates).toBeDefined();
    for (let time = 1; time <= 2; time++)
      expect((await put(ask, freightId, shown)).body).toEqual({ ...shown, version: shown.version });
    const { body: worded } = await put(ask, freightId, { ...shown, comments: "Ring the bell" });
    expect(worded).toMatchObject({ version: shown.version + 1, comments: "Ring the bell" });
    expect((await put(ask, freightId, { ...worded, locations: byTown })).body.version).toBe(worded.version);
    expect(await statusOf(one)).toBe("Submitted");
  });

  test("is changed if it has other coordinates", async () => {
    const { freightId } = await createFreight(ask, { locations: byTown });
    const one = await createOffer(ask, freightId);
    const { locations: route, ...shown } = (await read(ask, freightId)).body;
    const [first, last] = route as [FreightView["locations"][number], FreightView["locations"][number]];
    const coordinates = { latitude: 51.3, longitude: 12.4 };
    await put(ask, freightId, {
      ...shown,
      locations: [{ ...first, address: { ...first.address, coordinates } }, last],
    });
    expect(await statusOf(one)).toBe("Outdated");
  });
});

describe("the same freight in another notation", () => {
  const day = inFuture(48 * hour).slice(0, 10);
  const from = (startDate: string, endDate: string) => ({
    locations: [{ ...loading, period: { startDate, endDate } }, unloading],
  });
  const trailers = (trailerTypes: number[], more: object = {}) => ({ requirements: { trailerTypes, ...more } });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["trailers in another order", trailers([1, 3]), trailers([3, 1, 3])],
    ["no capabilities", trailers([1], { capabilities: [] }), trailers([1])],
    ["seconds, and an offset", from(`${day}T08:00`, `${day}T12:00`), from(`${day}T08:00:00`, `${day}T12:00+01:00`)],
    ["the end of a day", from(`${day}T08:00`, day), from(`${day}T08:00`, `${day}T23:59:59`)],
    [
      "other numbers of the stops",
      {},
      { locations: locations.map((one) => ({ ...one, sequence: one.sequence * 10 })) },
    ],
  ])("makes no offer outdated: %s", async (_, before, after) => {
    const body = freight({ locations });
    const { freightId } = await createFreight(ask, { ...body, ...before });
    const one = await createOffer(ask, freightId);
    expect((await put(ask, freightId, { ...body, ...after })).status).toBe(200);
    expect(await statusOf(one)).toBe("Submitted");
    await put(ask, freightId, { ...body, ...after, ...trailers([2]) });
    expect(await statusOf(one)).toBe("Outdated");
  });
});
