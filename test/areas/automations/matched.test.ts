import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import {
  assigned,
  runAutomation,
  fine,
  matchFine,
  fleetVehicle,
  orderOnRoad,
  readAutomation,
  evidenceMessage,
} from "../../support/fines.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const jan = { name: "Jan Przykładowy" };

describe.concurrent("plates", () => {
  test("match with Cyrillic letters, with confusable characters and with one different character; an unknown one does not", async () => {
    const ask = anyone();
    const [bulgarian, polish] = [
      await fleetVehicle(ask, "CB 4471 AK", undefined, { countryCode: "BG" }),
      await fleetVehicle(ask, "WGM 12345"),
    ];
    const { automation, items } = await runAutomation(ask, {
      fines: ["СВ 4471 АК", "WGM I234S", "WGM 1345", "KRA 99999"].map((plate) => fine(plate)),
    });
    expect(automation).toMatchObject({ status: 4, Message: "3 of 4 fines must be looked at by a person." });
    expect(items).toMatchObject([
      { matchStatus: "Matched", vehicleId: bulgarian, driver: jan, entered: true },
      { matchStatus: "Matched", vehicleId: polish, driver: jan, entered: false, needsReview: true },
      {
        matchStatus: "Ambiguous",
        vehicleId: null,
        driver: null,
        candidates: [{ vehicleId: polish, licensePlate: "WGM12345", driver: jan }],
        needsReview: true,
      },
      { matchStatus: "VehicleUnknown", vehicleId: null, confidence: 0, candidates: [], needsReview: true },
    ]);
    expect(items[1]!.confidence).toBeLessThan(0.7);
    expect(evidenceMessage(items[1]!, "Plate")).toContain("taken for each other");
  });

  test("of a deleted vehicle match nothing, and those of two vehicles need review", async () => {
    const ask = anyone();
    const gone = await fleetVehicle(ask, "WGM 20001");
    expect((await ask("DELETE", `/api/v1/vehicles/${gone}`)).status).toBe(204);
    const twins = [await fleetVehicle(ask, "WGM 20002"), await fleetVehicle(ask, "WGM-20002", [])];
    const { items } = await runAutomation(ask, { fines: [fine("WGM 20001"), fine("WGM 20002")] });
    expect(items[0]).toMatchObject({ matchStatus: "VehicleUnknown", entered: false });
    expect(items[1]).toMatchObject({ matchStatus: "Ambiguous", vehicleId: null, entered: false });
    expect(items[1]!.candidates.map(({ vehicleId }) => vehicleId).sort()).toEqual([...twins].sort());
    expect(items[1]!.evidence.map(({ message }) => message)).toContain(
      "The fleet has 2 vehicles with the plate WGM20002: keep one of them.",
    );
  });

  test("of a vehicle match immediately after it is created", async () => {
    const ask = anyone();
    const json = { licensePlate: "WGM 20003", assignments: [assigned(jan.name, "2026-01-01")] };
    const { body } = await ask<{ vehicleId: string }>("POST", "/api/v1/vehicles", { json });
    expect(await matchFine(ask, fine("WGM 20003"))).toMatchObject({ vehicleId: body.vehicleId, entered: true });
  });
});

describe.concurrent("a fine", () => {
  const shift = [assigned(jan.name, "2026-01-01"), assigned("Anna Przykładowa", "2027-01-01", "2027-01-02")];
  const bare = { countryCode: undefined, currency: "EUR" };
  const bound = [
    assigned(jan.name, "2026-01-01", "2026-07-14T09:00Z"),
    assigned("Anna Przykładowa", "2026-07-14T09:00Z"),
  ];

  test.each<[string, unknown[], Record<string, unknown>, object, string, string]>([
    [
      "a large town and no country",
      shift,
      { ...bare, place: "Vilnius, Gedimino pr." },
      { countryCode: "LT", entered: true, matchStatus: "Matched" },
      "Time",
      "in Europe/Vilnius is 2026-07-14T06:42:00.000Z.",
    ],
    [
      "no country, and the same driver in every time zone",
      shift,
      bare,
      { countryCode: "PL", entered: true, matchStatus: "Matched" },
      "Time",
      "The fine does not state the place: PL is assumed.",
    ],
    [
      "no country, and different drivers by time zone",
      bound,
      bare,
      { countryCode: "PL", driver: jan, entered: false, needsReview: true },
      "Time",
      "PL is assumed.",
    ],
    [
      "an offset, and no country",
      bound,
      { ...bare, offenceAt: "2026-07-14T10:30+02:00" },
      { driver: jan, entered: true },
      "Time",
      "is 2026-07-14T08:30:00.000Z.",
    ],
    [
      "a time in the future",
      shift,
      { offenceAt: new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 16) },
      { entered: false, needsReview: true },
      "Time",
      "This is in the future.",
    ],
    [
      "no time",
      shift,
      { offenceAt: undefined },
      { matchStatus: "DriverUnknown", confidence: 0 },
      "Time",
      "The fine does not state the time of the offence.",
    ],
    [
      "a deadline that has passed",
      shift,
      { driverStatementUntil: "2026-07-20" },
      { entered: true },
      "Deadline",
      "driverStatementUntil 2026-07-20 had passed when the fine arrived.",
    ],
    [
      "an erased driver",
      [{ driver: { name: "Erased Person" }, from: "2026-01-01" }],
      {},
      { matchStatus: "DriverUnknown", driver: null, entered: false },
      "Driver",
      "No driver was ever assigned",
    ],
  ])("with %s gets the expected match and evidence", async (_, assignments, more, found, step, message) => {
    const ask = anyone();
    expect((await ask("PUT", "/api/v1/company", { json: { name: "Trans", country: "PL" } })).status).toBe(200);
    await fleetVehicle(ask, "WGM 20004", assignments);
    const item = await matchFine(ask, fine("WGM 20004", more));
    expect(item).toMatchObject(found);
    expect(evidenceMessage(item, step)).toContain(message);
  });
});

describe.concurrent("drivers", () => {
  test("are found by local time, also for a team, without an assignment, and in a clock change", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 30001", [
      assigned(jan.name, "2026-03-01T00:00:00Z", "2026-03-29T01:00:00Z"),
      assigned("Anna Przykładowa", "2026-03-29T01:00:00Z", "2026-06-30T22:00:00Z"),
      assigned(jan.name, "2026-07-01T00:00:00Z", "2026-10-25T01:00:00Z"),
      assigned("Team Zwei", "2026-07-01T00:00:00Z", "2026-07-31T00:00:00Z"),
      assigned("Anna Przykładowa", "2026-10-25T01:00:00Z", "2026-11-30T00:00:00Z"),
    ]);
    const at = (offenceAt: string) => fine("WGM 30001", { offenceAt, countryCode: "PL" });
    const { items } = await runAutomation(ask, {
      fines: [
        at("2026-03-29T01:59"),
        at("2026-03-29T02:30"),
        at("2026-07-14T09:42"),
        at("2026-10-25T01:59"),
        at("2026-10-25T02:30"),
        at("2026-12-24T10:00"),
        at("2026-08-01"),
      ],
    });
    expect(items).toMatchObject([
      { matchStatus: "Matched", driver: jan, entered: true },
      { matchStatus: "Matched", driver: { name: "Anna Przykładowa" }, entered: true },
      { matchStatus: "Ambiguous", driver: null, entered: false },
      { matchStatus: "Matched", driver: jan, entered: true },
      { matchStatus: "Ambiguous", driver: null, entered: false },
      { matchStatus: "DriverUnknown", driver: null, entered: false },
      { matchStatus: "Matched", driver: jan, entered: true },
    ]);
    expect(evidenceMessage(items[1]!, "Time")).toMatch(/skipped .* taken as 2026-03-29T01:30:00.000Z/);
    expect(items[2]!.candidates.map(({ driver }) => driver!.name)).toEqual([jan.name, "Team Zwei"]);
    expect(evidenceMessage(items[4]!, "Time")).toContain("twice");
    expect(items[4]!.candidates.map(({ driver }) => driver!.name)).toEqual([jan.name, "Anna Przykładowa"]);
    expect(evidenceMessage(items[6]!, "Time")).toContain("Only the day is known");
  });

  test("of a purchase around that time are candidates if no driver is assigned", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 30002", []);
    const item = {
      externalId: "B-1",
      occurredAt: "2026-07-14T08:00",
      countryCode: "DE",
      licensePlate: "WGM 30002",
      driver: "Anna Przykładowa",
      productName: "Diesel",
      quantity: 400,
    };
    const posted = await ask("POST", "/api/v1/transactions-feed", { json: { provider: "Karte", items: [item] } });
    expect(posted.status).toBe(202);
    expect(await matchFine(ask, fine("WGM 30002"))).toMatchObject({
      matchStatus: "DriverUnknown",
      vehicleId,
      driver: null,
      candidates: [{ vehicleId, driver: { name: "Anna Przykładowa" } }],
      entered: false,
    });
  });
});

describe.concurrent("orders", () => {
  test("are assigned if exactly one that is not cancelled is active at the time of the offence", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 40001");
    const day = ["2026-07-14T06:00", "2026-07-15T07:00"] as const;
    const cancelled = await orderOnRoad(ask, "WGM 40001", ...day);
    expect((await ask("DELETE", `/api/v1/orders/${cancelled}`)).status).toBe(204);
    const meant = await orderOnRoad(ask, "WGM 40001", ...day);
    await orderOnRoad(ask, "WGM 40001", "2026-07-20T06:00", "2026-07-21T07:00");
    expect(await matchFine(ask, fine("WGM 40001"))).toMatchObject({ orderId: meant, entered: true });
    const other = await orderOnRoad(ask, "WGM 40001", ...day);
    const item = await matchFine(ask, fine("WGM 40001", { offenceAt: "2026-07-14T10:00" }));
    expect(item).toMatchObject({ orderId: null, entered: true });
    const named = item.evidence.filter(({ step }) => step === "Order").map(({ subject }) => subject!.id);
    expect(named.sort()).toEqual([meant, other].sort());
  });
});

describe.concurrent("the same fine", () => {
  test("is a duplicate in the same request, in a later one, and as a reminder with a higher amount", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 50001");
    const one = fine("WGM 50001", { dueDate: "2026-08-01" });
    const first = await runAutomation(ask, { fines: [one, one] });
    expect(first.automation).toMatchObject({ status: 2, data: { counts: { matched: 1, duplicate: 1, entered: 1 } } });
    expect(first.items[1]).toMatchObject({
      matchStatus: "Duplicate",
      duplicateOf: { automationId: first.id, index: 0 },
      driver: jan,
      entered: false,
      needsReview: false,
    });
    const again = await runAutomation(ask, { fines: [{ ...one, reference: "other number" }] });
    expect(again.items[0]).toMatchObject({
      matchStatus: "Duplicate",
      duplicateOf: { automationId: first.id, index: 0 },
    });
    const reminder = await runAutomation(ask, { fines: [{ ...one, amount: 65, dueDate: "2026-09-01" }] });
    expect(reminder.items[0]).toMatchObject({ matchStatus: "Duplicate", duplicateOf: { automationId: first.id } });
    expect(evidenceMessage(reminder.items[0]!, "Duplicate")).toContain("amount, dueDate");
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ["another number", { reference: "K-77/26" }, true],
    ["no number and another authority", { reference: undefined, authority: "Stadt Köln" }, true],
    ["the same number and another offence", { offenceType: "Red light" }, false],
  ])("with %s is a duplicate; different identifying values need review: %#", async (_, more, isLookedAt) => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 50003");
    const one = fine("WGM 50003", { offenceType: "Speeding" });
    const first = await runAutomation(ask, { fines: [one] });
    const { id, automation, items } = await runAutomation(ask, { fines: [{ ...one, ...more }] });
    expect(automation.status).toBe(isLookedAt ? 4 : 2);
    expect(items[0]).toMatchObject({
      matchStatus: "Duplicate",
      duplicateOf: { automationId: first.id, index: 0 },
      entered: false,
      needsReview: isLookedAt,
    });
    expect(evidenceMessage(items[0]!, "Duplicate")).toContain(`with different values: ${Object.keys(more).at(-1)}`);
    const json = { items: [{ index: 0, action: "Enter" }] };
    const { status } = await ask("POST", `/api/v1/automations/${id}/resolve`, { json });
    expect(status).toBe(isLookedAt ? 200 : 409);
  });
});

describe.concurrent("deadlines", () => {
  const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test("that are near emit FineDeadline at once and only once; a duplicate emits none", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 60001");
    const days = { dueDate: ahead(5), appealUntil: ahead(30), discountUntil: ahead(-5) };
    const one = { ...fine("WGM 60001"), ...days };
    const { id } = await runAutomation(ask, { fines: [one, one] });
    interface Event {
      eventType: string;
      resource: { id: string };
    }
    const happened = async () => (await ask<{ items: Event[] }>("GET", "/api/v1/events")).body.items;
    await vi.waitFor(
      async () => expect((await happened()).map(({ eventType }) => eventType)).toContain("FineDeadline"),
      { timeout: 50_000, interval: 200 },
    );
    await runAutomation(ask, { fines: [fine("ZZ 60001")] });
    const told = (await happened()).filter(({ eventType }) => eventType === "FineDeadline");
    const due = { index: 0, deadline: "dueDate", date: days.dueDate, daysLeft: expect.any(Number) };
    expect(told).toMatchObject([{ status: "Success", resource: { type: "Automation", id }, due }]);
    expect((await readAutomation(ask, id)).status).toBe(2);
  });
});
