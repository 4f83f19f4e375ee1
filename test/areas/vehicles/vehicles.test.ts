import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient, type Wire } from "../../support/api-client.ts";
import { vehicleRows } from "../../http/bad-input/vehicles.ts";
import { refusalOf, refused } from "../../http/bad-input/refusals.ts";
import { listedVehicles, postVehicle, vehicle, type VehicleAnswer } from "../../support/vehicles.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const path = ({ vehicleId }: VehicleAnswer) => `/api/v1/vehicles/${vehicleId}`;
const read = async (ask: ApiClient, one: VehicleAnswer) => (await ask<VehicleAnswer>("GET", path(one))).body;
const replace = (ask: ApiClient, one: VehicleAnswer, json: unknown) => ask<VehicleAnswer>("PUT", path(one), { json });

const halle = { countryCode: "DE", city: "Halle", coordinates: { latitude: 51.4823, longitude: 11.9706 } };

describe("a vehicle", () => {
  test("is returned by POST as it is stored, with its id also as `id`", async () => {
    const ask = anyone();
    const { status, headers, body } = await ask<VehicleAnswer & { id: string }>("POST", "/api/v1/vehicles", {
      json: vehicle(),
    });
    expect({ status, location: headers.get("location") }).toEqual({ status: 201, location: path(body) });
    const { id, ...view } = body;
    expect(id).toBe(body.vehicleId);
    expect(view).toMatchObject({
      ...vehicle(),
      licensePlate: "WGM12345",
      vin: "WDB96340310123456",
      loading: {
        address: { countryCode: "DE", city: "Leipzig", coordinates: { latitude: 51.3396, longitude: 12.3713 } },
        period: { startDate: "2027-03-24T07:00", endDate: "2027-03-25T18:00" },
      },
      unloading: { address: [{ countryCode: "PL" }] },
      cards: [{ provider: "DKV", last4: "9012" }],
      assignments: [
        {
          driver: { name: "Jan Przykładowy" },
          from: "2027-02-28T23:00:00.000Z",
          to: "2027-03-31T21:59:59.999Z",
        },
      ],
    });
    expect(await read(ask, body)).toEqual(view);
  });

  test("accepts bodies of existing clients", async () => {
    const made = await postVehicle(anyone(), {
      owner: "",
      sources: ["1", 4],
      requirements: { trailerType: "2", vehicleType: "5", capabilities: [1, "GPS", "multitemp", 1] },
      loading: {
        address: { countryCode: "D", city: "Leipzig", coordinates: { lattitude: 51.5, longitude: 12.5 } },
        period: { startDate: "2027-03-24T07:00:00+01:00", endDate: null },
      },
      unloading: { address: { countryCode: "UK" } },
      licensePlate: null,
      vin: "",
      cards: [],
      somethingElse: true,
    });
    expect(made).toMatchObject({
      sources: [1, 4],
      requirements: { trailerType: 2, vehicleType: 5, capabilities: ["adr", "gps", "multiTemp"] },
      loading: {
        address: { countryCode: "DE", coordinates: { latitude: 51.5, longitude: 12.5 } },
        period: { startDate: "2027-03-24T07:00:00+01:00" },
      },
      unloading: { address: [{ countryCode: "GB" }] },
    });
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(["owner", "licensePlate", "vin"]));
  });

  test("can belong to the fleet without being free", async () => {
    const ask = anyone();
    const { body } = await ask<VehicleAnswer>("POST", "/api/v1/vehicles", { json: { licensePlate: "ZH 12 34" } });
    expect(await read(ask, body)).toMatchObject({ licensePlate: "ZH1234" });
  });

  test("has assignments in the local time of its country, in summer and winter", async () => {
    const driver = { name: "Jan Przykładowy", phone: "+48 22 555 01 01" };
    const made = await postVehicle(anyone(), {
      assignments: [
        { driver, from: "2027-03-01", to: "2027-03-31" },
        { driver, from: "2027-04-01T06:00", to: "2027-04-01T06:00" },
        { driver, from: "2027-05-01T06:00Z" },
      ],
    });
    expect(made.assignments).toEqual([
      { driver, from: "2027-02-28T23:00:00.000Z", to: "2027-03-31T21:59:59.999Z" },
      { driver, from: "2027-04-01T04:00:00.000Z", to: "2027-04-01T04:00:00.000Z" },
      { driver, from: "2027-05-01T06:00:00.000Z" },
    ]);
  });

  test("shows only the last digits of a card, in every response and in the archive", async () => {
    const ask = anyone();
    const made = await postVehicle(ask);
    await listedVehicles(ask, 1);
    const stored = await service.archive
      .prepare("select v.view, v.terms from vehicles o join vehicles_views v on v.row = o.row where o.id = ?")
      .bind(made.vehicleId)
      .first();
    for (const seen of [made, await read(ask, made), await listedVehicles(ask, 1), stored]) {
      expect(JSON.stringify(seen)).toContain("9012");
      expect(JSON.stringify(seen)).not.toMatch(/7040|12345678/);
    }
  });

  test("of another company is not found", async () => {
    const made = await postVehicle(anyone());
    const stranger = anyone();
    expect((await stranger("GET", path(made))).status).toBe(404);
    expect((await replace(stranger, made, vehicle())).status).toBe(404);
    expect((await stranger("DELETE", path(made))).status).toBe(404);
  });
});

describe("a replacement of a vehicle", () => {
  test("changes everything except metadata that is not sent", async () => {
    const ask = anyone();
    const made = await postVehicle(ask);
    const { status, body } = await replace(ask, made, { licensePlate: "WX 1", countryCode: "pl" });
    expect(status).toBe(200);
    const { vehicleId, metadata } = made;
    expect(await read(ask, made)).toEqual(body);
    expect(body).toEqual({
      vehicleId,
      licensePlate: "WX1",
      countryCode: "PL",
      metadata,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  test("with identical values changes no version", async () => {
    const ask = anyone();
    const made = await postVehicle(ask);
    const version = async () => (await ask("GET", path(made))).headers.get("etag");
    const before = await version();
    await replace(ask, made, vehicle());
    expect(await version()).toBe(before);
    await replace(ask, made, vehicle({ range: 151 }));
    expect(await version()).not.toBe(before);
  });

  test("can name an existing card by its last digits", async () => {
    const ask = anyone();
    const made = await postVehicle(ask);
    const cards = [
      { provider: "DKV", last4: "9012" },
      { provider: "UTA", number: "5555-6666" },
    ];
    expect((await replace(ask, made, vehicle({ cards }))).body.cards).toEqual([
      { provider: "DKV", last4: "9012" },
      { provider: "UTA", last4: "6666" },
    ]);
    const unknown = await replace(ask, made, vehicle({ cards: [...cards, { provider: "DKV", last4: "6666" }] }));
    expect(unknown).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/cards/2/number" }] },
    });
    expect((await read(ask, made)).cards).toHaveLength(2);
  });

  test("with another version in If-Match is refused", async () => {
    const ask = anyone();
    const made = await postVehicle(ask);
    const stale = await ask("PUT", path(made), { json: vehicle({ range: 5 }), headers: { "if-match": '"7"' } });
    expect(stale.status).toBe(412);
  });
});

describe("a deleted vehicle", () => {
  test("is neither found nor listed, and can be deleted again", async () => {
    const ask = anyone();
    const [gone, stays] = [await postVehicle(ask), await postVehicle(ask, { licensePlate: "WX 2" })];
    await listedVehicles(ask, 2);
    expect((await ask("DELETE", path(gone))).status).toBe(204);
    expect((await ask("DELETE", path(gone))).status).toBe(204);
    expect((await ask("GET", path(gone))).status).toBe(404);
    expect((await replace(ask, gone, vehicle())).status).toBe(404);
    expect((await listedVehicles(ask, 1)).map(({ vehicleId }) => vehicleId)).toEqual([stays.vehicleId]);
    const kept = await service.archive
      .prepare("select * from vehicles o join vehicles_views v on v.row = o.row where o.id = ?")
      .bind(gone.vehicleId)
      .first();
    expect(kept).toMatchObject({ id: gone.vehicleId, view: "{}" });
    expect(JSON.stringify(kept)).not.toMatch(/Przyk|WGM|dispo|9012/);
  });
});

describe("the vehicle list", () => {
  let ask: ApiClient;
  let ids: string[];

  beforeAll(async () => {
    ask = anyone();
    const made = [
      await postVehicle(ask),
      await postVehicle(ask, {
        owner: "other@trans.example",
        licensePlate: "HH-AB 123",
        countryCode: "DE",
        requirements: { vehicleType: 4, trailerType: 10 },
        loading: { address: halle, period: { startDate: "2027-03-26" } },
        metadata: { internalId: "TRUCK-18" },
      }),
      await postVehicle(ask, {
        licensePlate: "1BX 4821",
        countryCode: "CZ",
        requirements: { trailerType: 2 },
        loading: {
          address: { countryCode: "PL", city: "Wrocław" },
          period: { startDate: "2027-03-30T22:00", endDate: "2027-03-31T06:00" },
        },
        comments: "Pharma",
      }),
      await postVehicle(ask, { licensePlate: "1BX 4822", loading: null, requirements: null }),
    ];
    ids = made.map(({ vehicleId }) => vehicleId);
    await listedVehicles(ask, 4);
  });

  const found = async (query: string) => {
    const { status, body } = await ask<{ items: VehicleAnswer[] }>("GET", `/api/v1/vehicles?${query}`);
    expect(status).toBe(200);
    return body.items.map(({ vehicleId }) => ids.indexOf(vehicleId));
  };

  test.each<[string, number[]]>([
    ["", [3, 2, 1, 0]],
    ["sort=licensePlate", [2, 3, 1, 0]],
    ["sort=availableFrom&availableFrom=2027-01-01", [0, 1, 2]],
    ["owner=Other@trans.example", [1]],
    ["licensePlate=hh ab-123", [1]],
    ["countryCode=PL", [3, 0]],
    ["countryCode=d", [1]],
    ["loadingCountry=DE", [1, 0]],
    ["trailerType=10", [1]],
    ["trailerType=2&vehicleType=1", []],
    ["vehicleType=1", [0]],
    ["internalId=TRUCK-18", [1]],
    ["availableFrom=2027-03-26", [2, 1]],
    ["availableTo=2027-03-24", [0]],
    ["availableFrom=2027-03-25T18:00&availableTo=2027-03-26T00:00", [1, 0]],
    ["availableFrom=2027-03-25T18:01&availableTo=2027-03-25", []],
    ["availableFrom=2027-03-31T07:00", []],
    ["near=51.34,12.37,5", [0]],
    ["near=51.34,12.37,31", [0]],
    ["near=51.34,12.37,33", [1, 0]],
    ["near=51.34,12.37,500", [2, 1, 0]],
    ["near=51.34,12.37,500&loadingCountry=PL", [2]],
    ["near=-51.34,12.37,1000", []],
    ["text=pharma wroc", [2]],
    ["text=przyk", [3, 2, 1, 0]],
    ["updatedSince=2999-01-01", []],
  ])('has the expected vehicles for the query "%s"', async (query, expected) =>
    expect(await found(query)).toEqual(expected),
  );

  test("finds a vehicle that is free for a whole year", async () => {
    const own = anyone();
    const period = { startDate: "2027-01-01", endDate: "2027-12-31" };
    const { vehicleId } = await postVehicle(own, { loading: { address: halle, period } });
    await listedVehicles(own, 1);
    const query = (to: string) => `availableFrom=2026-12-01&availableTo=${to}`;
    expect((await listedVehicles(own, 1, query("2027-01-01")))[0]!.vehicleId).toBe(vehicleId);
    expect(await listedVehicles(own, 0, query("2026-12-31"))).toEqual([]);
    expect((await listedVehicles(own, 1, query("2029-12-31")))[0]!.vehicleId).toBe(vehicleId);
  });

  test("is paged", async () => {
    const seen: number[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page: { body: { items: VehicleAnswer[]; nextCursor?: string } } = await ask(
        "GET",
        `/api/v1/vehicles?limit=1&near=51.34,12.37,500${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.body.items.map(({ vehicleId }) => ids.indexOf(vehicleId)));
      cursor = page.body.nextCursor;
    }
    expect(seen).toEqual([2, 1, 0]);
  });

  test.each([
    "near=51.34,12.37",
    "near=51.34,12.37,abc",
    "near=91,12.37,5",
    "near=51,181,5",
    "near=51,12,1001",
    "trailerType=9",
    "vehicleType=SemiTrailer",
    "countryCode=XX",
    "availableFrom=tomorrow",
    "sort=vin",
  ])("refuses %s, and the error names the parameter", async (query) => {
    const { status, body } = await ask<{ errors: { pointer: string }[] }>("GET", `/api/v1/vehicles?${query}`);
    expect({ status, pointer: body.errors[0]?.pointer }).toEqual({ status: 400, pointer: `/${query.split("=")[0]}` });
  });
});

describe("bad input", () => {
  test.each(vehicleRows)("a vehicle $what is refused and not stored", async (row) => {
    const ask = anyone();
    expect(await refused(ask, row)).toEqual(refusalOf(row));
    expect((await ask<{ items: Wire[] }>("GET", "/api/v1/vehicles")).body.items).toEqual([]);
  });
});

describe("the mapping tables", () => {
  const ask = () => apiClient(service);
  interface Table {
    name: string;
    entries: { id: number; name: string; code?: string }[];
  }

  test("need no key, and have the numbers of freights and vehicles", async () => {
    const { status, body } = await ask()<{ items: Table[] }>("GET", "/api/v1/mappings");
    expect(status).toBe(200);
    expect(body.items.map(({ name, entries }) => [name, entries.map(({ id }) => id)])).toEqual([
      ["automationStatuses", [0, 1, 2, 3, 4, 5]],
      ["capabilities", [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14]],
      ["trailerTypes", [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 50, 51, 52]],
      ["vehicleTypes", [1, 2, 3, 4, 5]],
    ]);
  });

  test.each(["trailerTypes", "trailertypes", "trailer-types"])("are found under the name %s", async (name) => {
    const { body } = await ask()<Table>("GET", `/api/v1/mappings/${name}`);
    expect(body.entries).toContainEqual({ id: 3, name: "Tautliner (Curtainsider)" });
  });

  test("of capabilities have a code for each number, and vehicles accept the numbers", async () => {
    const { body } = await ask()<Table>("GET", "/api/v1/mappings/capabilities");
    const requirements = { capabilities: body.entries.map(({ id }) => id) };
    const made = await postVehicle(anyone(), { requirements });
    expect(made.requirements?.capabilities).toEqual(body.entries.map(({ code }) => code));
  });

  test("are not found under an unknown name", async () => {
    expect((await ask()("GET", "/api/v1/mappings/colours")).status).toBe(404);
  });
});
