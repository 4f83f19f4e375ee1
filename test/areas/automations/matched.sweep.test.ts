import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { assigned, runAutomation, fine, matchFine, fleetVehicle, evidenceMessage } from "../../support/fines.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const jan = { name: "Jan Przykładowy" };

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

describe.concurrent("the same fine", () => {
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

  test("in twenty concurrent requests is entered once", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 50002");
    const one = fine("WGM 50002");
    const all = await Promise.all(Array.from({ length: 20 }, () => runAutomation(ask, { fines: [one] })));
    const items = all.flatMap((each) => each.items);
    expect(items.filter(({ entered }) => entered)).toHaveLength(1);
    expect(items.filter(({ matchStatus }) => matchStatus === "Duplicate")).toHaveLength(19);
  });
});
