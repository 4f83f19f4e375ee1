import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { postVehicle, vehicle, type VehicleAnswer } from "../../support/vehicles.ts";
import { inFuture, hour, createFreight, put, freight, withdraw } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Match {
  vehicleId?: string;
  freightId?: string;
  score: number;
  distanceKm?: number;
  reasons: { criterion: string; fits: boolean; score: number; detail: string }[];
  vehicle?: VehicleAnswer;
  freight?: Record<string, unknown>;
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

const at = (latitude: number, longitude: number) => ({ countryCode: "DE", coordinates: { latitude, longitude } });
/** The address at which the freights of these tests are loaded in two days. */
const leipzig = at(51.3878, 12.3426);
const period = () => ({ startDate: inFuture(24 * hour), endDate: inFuture(96 * hour) });
const there = (more: Record<string, unknown> = {}) => ({
  loading: { address: leipzig, period: period() },
  requirements: { trailerType: 3, capacity: 24, ldm: 13.6, capabilities: ["gps"] },
  ...more,
});

const vehiclesFor = async (ask: ApiClient, freightId: string, query = "") =>
  (await ask<{ items: Match[] }>("GET", `/api/v1/freights/${freightId}/matches${query}`)).body.items;
const freightsFor = async (ask: ApiClient, vehicleId: string) =>
  (await ask<{ items: Match[] }>("GET", `/api/v1/vehicles/${vehicleId}/matches`)).body.items;

/**
 * Waits until there are `many` matches, and returns them. The archive follows changes with a delay of about a second.
 */
const soon = (many: number, find: () => Promise<Match[]>) =>
  vi.waitFor(
    async () => {
      const found = await find();
      expect(found).toHaveLength(many);
      return found;
    },
    { timeout: 50_000, interval: 200 },
  );

describe("the vehicles that match a freight", () => {
  let ask: ApiClient;
  let freightId: string;
  let made: Record<string, string>;

  beforeAll(async () => {
    ask = anyone();
    ({ freightId } = await createFreight(ask));
    const vehicles: [string, Record<string, unknown>][] = [
      ["here", there()],
      ["near", there({ loading: { address: at(51.6, 12.34), period: period() } })],
      ["without gps", there({ requirements: { trailerType: 3, capacity: 24, ldm: 13.6 } })],
      ["far, and goes far", there({ loading: { address: at(53.55, 10), period: period() }, range: 400 })],
      ["far", there({ loading: { address: at(53.55, 10), period: period() } })],
      ["later", there({ loading: { address: leipzig, period: { startDate: inFuture(57 * hour) } } })],
      ["a refrigerator", there({ requirements: { trailerType: 2, capacity: 24, ldm: 13.6 } })],
      ["small", there({ requirements: { trailerType: 3, capacity: 12, ldm: 7 } })],
      ["of the fleet", { loading: null, licensePlate: "WX 77" }],
      ["removed", there()],
    ];
    made = {};
    for (const [name, more] of vehicles) made[name] = (await postVehicle(ask, more)).vehicleId;
    await soon(5, () => vehiclesFor(ask, freightId));
    await ask("DELETE", `/api/v1/vehicles/${made["removed"]}`);
    await soon(4, () => vehiclesFor(ask, freightId));
  });

  const named = (found: Match[]) =>
    found.map(({ vehicleId }) => Object.entries(made).find(([, id]) => id === vehicleId)?.[0]);

  test("are sorted by score, each with its reasons", async () => {
    const found = await vehiclesFor(ask, freightId);
    expect(named(found)).toEqual(["here", "near", "without gps", "far, and goes far"]);
    expect(found.map(({ distanceKm }) => distanceKm)).toEqual([0, 24, 0, 288]);
    expect(found[0]!.reasons.map(({ criterion, fits, score }) => [criterion, fits, score])).toEqual([
      ["distance", true, 1],
      ["dates", true, 1],
      ["trailer", true, 1],
      ["vehicle", true, 1],
      ["load", true, 1],
      ["capabilities", true, 1],
      ["unloading", true, 1],
      ["partLoad", true, 1],
    ]);
    expect(found[0]!.score).toBe(1);
    expect(found[2]!.reasons[5]).toEqual({ criterion: "capabilities", fits: false, score: 0, detail: "Without gps." });
  });

  test("show the vehicle without its cards and drivers", async () => {
    const [first] = await vehiclesFor(ask, freightId);
    expect(first!.vehicle).toMatchObject({ licensePlate: "WGM12345", requirements: { trailerType: 3 } });
    expect(JSON.stringify(first)).not.toMatch(/9012|Przyk|WDB|TRUCK/);
  });

  test("are limited to the requested number", async () => {
    expect(named(await vehiclesFor(ask, freightId, "?limit=2"))).toEqual(["here", "near"]);
    const { status } = await ask("GET", `/api/v1/freights/${freightId}/matches?limit=0`);
    expect(status).toBe(400);
  });

  test("belong to the company of the freight", async () => {
    const other = anyone();
    const own = (await createFreight(other)).freightId;
    const { vehicleId } = await postVehicle(other, there());
    expect((await soon(1, () => vehiclesFor(other, own)))[0]!.vehicleId).toBe(vehicleId);
    expect((await other("GET", `/api/v1/freights/${freightId}/matches`)).status).toBe(404);
    expect(await vehiclesFor(ask, freightId)).toHaveLength(4);
  });

  test("change when the freight changes", async () => {
    const own = anyone();
    const { freightId: id, ...body } = await createFreight(own);
    await postVehicle(own, there());
    await soon(1, () => vehiclesFor(own, id));
    const changed = freight({ externalNumber: body.externalNumber, requirements: { trailerTypes: [2] } });
    expect((await put(own, id, changed)).status).toBe(200);
    expect(await vehiclesFor(own, id)).toEqual([]);
  });

  test("of an archived freight are refused with 410", async () => {
    const own = anyone();
    const { freightId: id } = await createFreight(own);
    await withdraw(own, id);
    const { status, headers, body } = await own<{ errorCode: string }>("GET", `/api/v1/freights/${id}/matches`);
    expect({ status, code: body.errorCode }).toEqual({ status: 410, code: "freight_archived" });
    expect(headers.get("link")).toContain(`/api/v1/freights/archive/${id}`);
  });
});

describe("the freights that match a vehicle", () => {
  test("are live, and shown without future prices", async () => {
    const ask = anyone();
    const { vehicleId } = await postVehicle(ask, there());
    const first = await createFreight(ask, {
      payment: { from: 1000, growTo: 1317, until: inFuture(6 * hour), updateRate: "01:00:00" },
    });
    const [draft, gone] = [await createFreight(ask, { sources: [] }), await createFreight(ask)];
    await createFreight(ask, { requirements: { trailerTypes: [13] } });
    await soon(3, () => freightsFor(ask, vehicleId));
    await withdraw(ask, gone.freightId);
    const found = await soon(2, () => freightsFor(ask, vehicleId));
    expect(new Set(found.map((match) => match.freightId))).toEqual(new Set([first.freightId, draft.freightId]));
    const match = found.find((one) => one.freightId === first.freightId)!;
    expect(match).toMatchObject({
      score: 1,
      distanceKm: 0,
      freight: { freightId: first.freightId, currentPrice: 1000 },
    });
    expect(JSON.stringify(found)).not.toMatch(/1317|growTo|until|updateRate|dispo@/);
  });

  test("have the same score as the vehicle has for the freight", async () => {
    const ask = anyone();
    const { freightId } = await createFreight(ask);
    const { vehicleId } = await postVehicle(
      ask,
      there({ loading: { address: at(51.5, 12), period: period() }, range: 200 }),
    );
    const [one] = await soon(1, () => vehiclesFor(ask, freightId));
    const [other] = await soon(1, () => freightsFor(ask, vehicleId));
    expect({ score: one!.score, reasons: one!.reasons }).toEqual({ score: other!.score, reasons: other!.reasons });
  });

  test("are found by postal code if the position of the vehicle is unknown", async () => {
    const ask = anyone();
    const loading = { address: { countryCode: "DE", postalCode: "04199", city: "Nirgendwo" }, period: period() };
    const { vehicleId, loading: kept } = await postVehicle(ask, there({ loading }));
    const { freightId } = await createFreight(ask);
    expect(kept!.address.coordinates).toBeUndefined();
    const [match] = await soon(1, () => freightsFor(ask, vehicleId));
    expect(match!.distanceKm).toBeUndefined();
    expect(match!.reasons[0]).toEqual({
      criterion: "distance",
      fits: true,
      score: 0.5,
      detail: "Both in DE-04; the distance is not known.",
    });
    expect((await soon(1, () => vehiclesFor(ask, freightId)))[0]!.vehicleId).toBe(vehicleId);
  });

  test.each([
    ["for a year", { startDate: inFuture(-200 * 24 * hour), endDate: inFuture(165 * 24 * hour) }, 1],
    ["at an unknown time", undefined, 0.5],
  ])("are found for a vehicle that is free %s, and the vehicle for the freight", async (_, free, score) => {
    const ask = anyone();
    const { freightId } = await createFreight(ask);
    const { vehicleId } = await postVehicle(ask, there({ loading: { address: leipzig, period: free } }));
    const [match] = await soon(1, () => vehiclesFor(ask, freightId));
    expect(match!.reasons[1]).toMatchObject({ criterion: "dates", fits: true, score });
    expect((await soon(1, () => freightsFor(ask, vehicleId)))[0]!.freightId).toBe(freightId);
  });

  test("are none for a vehicle without availability", async () => {
    const ask = anyone();
    const { vehicleId } = (await ask<VehicleAnswer>("POST", "/api/v1/vehicles", { json: vehicle({ loading: null }) }))
      .body;
    expect(await freightsFor(ask, vehicleId)).toEqual([]);
  });
});
