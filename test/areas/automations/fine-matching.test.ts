import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { occurredAt } from "../../../src/areas/automations/time-windows.ts";
import { daysLeft, nextReminders, reminders } from "../../../src/areas/automations/deadlines.ts";
import { droveAt, type Assignment } from "../../../src/areas/automations/drivers.ts";
import { duplicateKeys } from "../../../src/areas/automations/duplicates.ts";
import { assignConfidence, matchFine } from "../../../src/areas/automations/match.ts";
import type { MatchContext, Suspect } from "../../../src/areas/automations/match-context.ts";
import { foldedPlate, likenessOf, PlateIndex, plateKey } from "../../../src/areas/automations/plates.ts";
import { meantOf, onRoadAt, type Road } from "../../../src/areas/automations/orders-on-road.ts";

describe("a plate", () => {
  const likenesses: [string, string, string | undefined][] = [
    ["WGM 12345", "wgm-12345", "Same"],
    ["СВ 4471 АК", "CB4471AK", "Same"],
    ["ΑΒΕ-1234", "ABE1234", "Same"],
    ["WGM 12345", "WGM I2345", "Confused"],
    ["WGM 12345", "WGM 1234S", "Confused"],
    ["8OO 123", "B00 I23", "Confused"],
    ["WGM 12345", "WGM 1345", "Near"],
    ["WGM 12345", "WGM 123455", "Near"],
    ["WGM 12345", "WGN 12345", "Near"],
    ["WGM 12346", "WGM 12349", undefined],
    ["WGM 12345", "WGM 12354", undefined],
    ["AB 1", "AB 12", undefined],
    ["WGM 12345", "KRA 99999", undefined],
  ];

  test.each(likenesses)("%s compared with %s is %s", (read, known, likeness) => {
    expect(likenessOf(plateKey(read), plateKey(known))).toBe(likeness);
    expect(likenessOf(plateKey(known), plateKey(read))).toBe(likeness);
  });

  test("is found by the index exactly as by comparing it with each plate of the fleet", () => {
    const plate = fc.stringMatching(/^[A-C0-2OIZ]{4,6}$/);
    fc.assert(
      fc.property(fc.uniqueArray(plate, { maxLength: 8 }), plate, (fleet, read) => {
        const index = new PlateIndex();
        fleet.forEach((one, at) => index.add(one, `${at}`));
        const all = fleet.map((one, at) => ({ vehicleId: `${at}`, likeness: likenessOf(read, one) }));
        const best = ["Same", "Confused", "Near"].map((kind) => all.filter(({ likeness }) => likeness === kind));
        const expected = best.find((some) => some.length > 0) ?? [];
        const found = index.like(read).sort((a, b) => (a.vehicleId < b.vehicleId ? -1 : 1));
        expect(found).toEqual(expected[0]?.likeness === "Near" && expected.length > 5 ? [] : expected);
      }),
    );
  });

  test("folds to the same key for all characters of a confusable group", () => {
    expect(new Set(["B0", "8O", "8Q", "BD"].map(foldedPlate)).size).toBe(1);
  });
});

describe("a local time", () => {
  const times: [string, string, string, string | undefined, string[]][] = [
    ["with minutes", "2026-07-14T09:42", "Europe/Berlin", undefined, ["2026-07-14T07:42:00.000Z"]],
    ["with seconds", "2026-07-14T09:42:07", "Europe/Berlin", undefined, ["2026-07-14T07:42:07.000Z"]],
    ["with an offset", "2026-07-14T09:42+00:00", "Europe/Berlin", undefined, ["2026-07-14T09:42:00.000Z"]],
    ["that is skipped in spring", "2026-03-29T02:30", "Europe/Warsaw", "Gap", ["2026-03-29T01:30:00.000Z"]],
    [
      "that occurs twice in autumn",
      "2026-10-25T02:30",
      "Europe/Warsaw",
      "Fold",
      ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"],
    ],
    [
      "that occurs twice, half an hour apart",
      "2026-04-05T01:45",
      "Australia/Lord_Howe",
      "Fold",
      ["2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"],
    ],
    ["without a time of day", "2026-03-29", "Europe/Warsaw", "Day", ["2026-03-28T23:00:00.000Z"]],
  ];

  test.each(times)("%s is converted to UTC", (_, moment, zone, doubt, begins) => {
    const occurred = occurredAt(moment, zone);
    expect(occurred.doubt).toBe(doubt);
    expect(occurred.windows.map(({ from }) => new Date(from).toISOString())).toEqual(begins);
  });

  test("a day with a gap has 23 hours", () => {
    const [{ from, to }] = occurredAt("2026-03-29", "Europe/Warsaw").windows as [{ from: number; to: number }];
    expect((to - from) / 3_600_000).toBe(23);
  });
});

const person = (name: string, from: string, to?: string): Assignment => ({ driver: { name }, from, ...(to && { to }) });

describe("the driver at the time of an offence", () => {
  const [jan, anna] = ["Jan", "Anna"];
  const at = (moment: string) => occurredAt(moment, "UTC");
  const cases: [string, Assignment[], string, string[], boolean][] = [
    ["the assigned driver", [person(jan, "2026-07-01T00:00:00.000Z")], "2026-07-14T09:42", [jan], true],
    [
      "either driver of a team",
      [person(jan, "2026-07-01T00:00:00.000Z"), person(anna, "2026-07-10T00:00:00.000Z")],
      "2026-07-14T09:42",
      [jan, anna],
      false,
    ],
    [
      "the driver whose assignment begins in that minute",
      [person(jan, "2026-07-01T00:00:00.000Z", "2026-07-14T09:42:00.000Z"), person(anna, "2026-07-14T09:42:00.000Z")],
      "2026-07-14T09:42",
      [anna],
      true,
    ],
    [
      "possibly the driver whose assignment ends in that minute",
      [person(jan, "2026-07-01T00:00:00.000Z", "2026-07-14T09:42:00.000Z")],
      "2026-07-14T09:42",
      [jan],
      false,
    ],
    ["unknown before the first assignment", [person(jan, "2026-07-14T10:00:00.000Z")], "2026-07-14T09:42", [], false],
    [
      "certain if two assignments of one driver cover the day",
      [
        person(jan, "2026-07-13T00:00:00.000Z", "2026-07-14T11:59:59.999Z"),
        person(jan, "2026-07-14T12:00:00.000Z", "2026-07-14T23:59:59.999Z"),
      ],
      "2026-07-14",
      [jan],
      true,
    ],
    ["possibly the driver of a part of the day", [person(jan, "2026-07-14T12:00:00.000Z")], "2026-07-14", [jan], false],
  ];

  test.each(cases)("is %s", (_, assignments, moment, names, isSure) => {
    const drove = droveAt(assignments, at(moment));
    expect(drove.drivers.map(({ name }) => name)).toEqual(names);
    expect(drove.isSure).toBe(isSure);
  });

  test("is any driver of either hour, if the clock shows the hour twice", () => {
    const changed = [
      person(jan, "2026-10-24T00:00:00.000Z", "2026-10-25T01:00:00.000Z"),
      person(anna, "2026-10-25T01:00:00.000Z"),
    ];
    const { drivers } = droveAt(changed, occurredAt("2026-10-25T02:30", "Europe/Warsaw"));
    expect(drivers.map(({ name }) => name)).toEqual([jan, anna]);
  });
});

describe("the order of a vehicle at the time of an offence", () => {
  const leipzig = { latitude: 51.34, longitude: 12.37 };
  const stop = (sequence: number, name: string, latitude: number, longitude: number) => ({
    sequence,
    name,
    point: { latitude, longitude },
  });
  const road = (orderId: string, from: string, to: string, more: Partial<Road> = {}): Road => ({
    orderId,
    window: { from: Date.parse(from), to: Date.parse(to) },
    stops: [stop(1, "Hamburg", 53.55, 9.99), stop(2, "Wrocław", 51.11, 17.03)],
    ...more,
  });
  const south = { stops: [stop(1, "München", 48.14, 11.58), stop(2, "Milano", 45.46, 9.19)] };
  const then = occurredAt("2026-07-14T09:42", "UTC");
  const day = ["2026-07-14T06:00:00Z", "2026-07-14T18:00:00Z"] as const;
  const cases: [string, Road[], typeof leipzig | undefined, string | undefined][] = [
    ["the only order", [road("a", ...day)], undefined, "a"],
    [
      "an order that begins within twelve hours",
      [road("a", "2026-07-14T21:00:00Z", "2026-07-15T12:00:00Z")],
      undefined,
      "a",
    ],
    [
      "not an order that begins more than twelve hours later",
      [road("a", "2026-07-14T21:43:01Z", "2026-07-15T12:00:00Z")],
      undefined,
      undefined,
    ],
    [
      "an active order rather than a finished one",
      [road("a", "2026-07-13T06:00:00Z", "2026-07-14T08:00:00Z"), road("b", ...day)],
      undefined,
      "b",
    ],
    ["unknown if two are active", [road("a", ...day), road("b", ...day)], undefined, undefined],
    ["of two active orders the one that passes the place", [road("a", ...day), road("b", ...day, south)], leipzig, "a"],
  ];

  test.each(cases)("is %s", (_, roads, place, orderId) => {
    expect(meantOf(onRoadAt(roads, then, place))?.road.orderId).toBe(orderId);
  });

  test("has the two stops between which the place lies", () => {
    const [found] = onRoadAt([road("a", ...day)], then, leipzig);
    expect(found!.leg).toMatchObject({ from: { name: "Hamburg" }, to: { name: "Wrocław" } });
    expect(found!.leg!.km).toBeGreaterThan(50);
    expect(found!.leg!.km).toBeLessThan(150);
  });
});

describe("a fine", () => {
  const suspect = (more: Partial<Suspect> = {}): Suspect => ({
    vehicleId: "v1",
    likeness: "Same",
    licensePlate: "WGM12345",
    countryCode: "PL",
    assignments: [person("Jan", "2026-01-01T00:00:00.000Z")],
    roads: [],
    purchases: [],
    ...more,
  });
  const known = (...suspects: Suspect[]): MatchContext => ({ zone: "Europe/Berlin", countryCode: "DE", suspects });
  const fine = { licensePlate: "WGM12345", offenceAt: "2026-07-14T09:42" };
  const purchase = (hours: number, more: object = {}) => ({
    transactionId: "t1",
    at: Date.parse("2026-07-14T07:42:00Z") + hours * 3_600_000,
    timed: true,
    countryCode: "DE",
    ...more,
  });
  const berlin = { latitude: 52.52, longitude: 13.4, within: 5 };
  const cases: [string, object, MatchContext, string, boolean][] = [
    ["with a known plate and one driver", {}, known(suspect()), "Matched", true],
    ["without a matching vehicle", {}, known(), "VehicleUnknown", false],
    ["without a plate", { licensePlate: undefined }, known(), "VehicleUnknown", false],
    ["without a time", { offenceAt: undefined }, known(suspect()), "DriverUnknown", false],
    ["at a time without an assigned driver", {}, known(suspect({ assignments: [] })), "DriverUnknown", false],
    ["with confusable characters in the plate", {}, known(suspect({ likeness: "Confused" })), "Matched", false],
    ["with a plate that differs in one character", {}, known(suspect({ likeness: "Near" })), "Ambiguous", false],
    ["with a plate of two vehicles", {}, known(suspect(), suspect({ vehicleId: "v2" })), "Ambiguous", false],
    ["with a plate of another country", { plateCountry: "CZ" }, known(suspect()), "Matched", false],
    [
      "with confusable characters in a plate of another country",
      { plateCountry: "CZ" },
      known(suspect({ likeness: "Confused" })),
      "VehicleUnknown",
      false,
    ],
    [
      "with a fuel purchase too far away",
      {},
      {
        ...known(suspect({ purchases: [purchase(1, { point: berlin })] })),
        point: { latitude: 48.14, longitude: 11.58 },
      },
      "Matched",
      false,
    ],
    [
      "with a fuel purchase by another driver",
      {},
      known(suspect({ purchases: [purchase(-2, { driverSaid: "Anna" })] })),
      "Matched",
      false,
    ],
    [
      "with an uncertain extraction",
      {},
      { ...known(suspect()), reading: { confidence: 0.7, documentId: "d" } },
      "Matched",
      false,
    ],
  ];

  test.each(cases)("%s is matched or left for review", (_, more, all, matchStatus, isEntered) => {
    const match = matchFine({ ...fine, ...more }, all);
    expect(match.matchStatus).toBe(matchStatus);
    expect(match.matchStatus === "Matched" && match.confidence >= assignConfidence).toBe(isEntered);
    expect(match.confidence).toBeLessThanOrEqual(0.99);
  });

  test("has a higher confidence after a purchase in its country, and the buyer as candidate if no driver is assigned", () => {
    const plain = matchFine(fine, known(suspect())).confidence;
    expect(matchFine(fine, known(suspect({ purchases: [purchase(2)] }))).confidence).toBeGreaterThan(plain);
    const said = known(suspect({ assignments: [], purchases: [purchase(2, { driverSaid: "Anna" })] }));
    expect(matchFine(fine, said)).toMatchObject({
      matchStatus: "DriverUnknown",
      candidates: [{ driver: { name: "Anna" } }],
    });
  });

  const minute = (moment: string) => Date.parse(`${moment}Z`);
  const shared = (one: object, other: object) => {
    const names = new Set(duplicateKeys({ ...fine, amount: 40, ...one }, minute));
    return duplicateKeys({ ...fine, amount: 40, ...other }, minute).some((name) => names.has(name));
  };
  const twice: [string, object, object, boolean][] = [
    [
      "the same reference and plate",
      { reference: "A-1" },
      { reference: "a 1", offenceAt: undefined, amount: 60 },
      true,
    ],
    [
      "the same reference and authority, a misread plate",
      { reference: "1", authority: "X" },
      { reference: "1", authority: "x", licensePlate: "WGM1234S" },
      true,
    ],
    ["the same plate, minute and amount", { reference: "A" }, { reference: "B" }, true],
    ["a minute later", {}, { offenceAt: "2026-07-14T09:43" }, true],
    ["a minute before", { offenceAt: "2026-07-14T09:43" }, {}, true],
    ["two minutes later", {}, { offenceAt: "2026-07-14T09:44" }, false],
    [
      "two minutes later, from an odd minute",
      { offenceAt: "2026-07-14T09:43" },
      { offenceAt: "2026-07-14T09:45" },
      false,
    ],
    ["another amount", {}, { amount: 41 }, false],
    ["another plate", {}, { licensePlate: "WGM99999" }, false],
    ["the same day without a time", { offenceAt: "2026-07-14" }, { offenceAt: "2026-07-14" }, false],
  ];

  test.each(twice)("is compared with another fine: %s", (_, one, other, isSame) => {
    expect(shared(one, other)).toBe(isSame);
  });
});

describe("a reminder of a deadline", () => {
  const dated = { dueDate: "2026-12-22", discountUntil: "2026-12-10", countryCode: "PL" };

  test("is due seven, three and one days before the deadline, in the time zone of the fine's country", () => {
    const told: Record<string, number> = {};
    const moments: string[] = [];
    for (let at = "2026-11-20T00:00:00.000Z"; ;) {
      const [next] = nextReminders(dated, told, at).sort((a, b) => a.due - b.due);
      if (!next) break;
      at = new Date(Math.max(next.due, Date.parse(at))).toISOString();
      moments.push(`${next.deadline} ${next.days} ${at}`);
      told[next.deadline] = next.days;
    }
    expect(moments).toEqual([
      "discountUntil 7 2026-12-02T23:00:00.000Z",
      "discountUntil 3 2026-12-06T23:00:00.000Z",
      "discountUntil 1 2026-12-08T23:00:00.000Z",
      "dueDate 7 2026-12-14T23:00:00.000Z",
      "dueDate 3 2026-12-18T23:00:00.000Z",
      "dueDate 1 2026-12-20T23:00:00.000Z",
    ]);
  });

  test("is due at once if the deadline is near when the fine arrives, and never if it has passed", () => {
    const at = "2026-12-20T10:00:00.000Z";
    expect(nextReminders(dated, {}, at)).toMatchObject([{ deadline: "dueDate", days: 3 }]);
    expect(daysLeft("2026-12-22", dated, at)).toBe(2);
    expect(nextReminders({ dueDate: "2026-02-30" }, {}, at)).toEqual([]);
    expect(nextReminders({ dueDate: "not a day" }, {}, at)).toEqual([]);
  });

  test("is never due twice for the same number of days", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 * 24 }), { maxLength: 30 }), (hours) => {
        const told: Record<string, number> = {};
        const seen: number[] = [];
        for (const hour of [...hours].sort((a, b) => a - b)) {
          const at = new Date(Date.parse("2026-11-20T00:00:00Z") + hour * 3_600_000).toISOString();
          for (const { deadline, days, due } of nextReminders({ dueDate: dated.dueDate, countryCode: "PL" }, told, at))
            if (due <= Date.parse(at)) {
              seen.push(days);
              told[deadline] = days;
            }
        }
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
        expect(seen.every((days) => (reminders as readonly number[]).includes(days))).toBe(true);
      }),
    );
  });
});
