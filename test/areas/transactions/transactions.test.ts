import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openService, type TestService } from "../../support/service.ts";
import { anomalyTypes, transactionClient, purchase, type TransactionClient } from "../../support/transactions.ts";

let service: TestService;
const fresh = (): TransactionClient => transactionClient(service, service.company());

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stop());

describe("posting transactions", () => {
  test("each item is accepted, recognised as a duplicate, or rejected with its errors", async () => {
    const mine = fresh();
    const item = purchase({ externalId: "T-1" });
    const first = await mine.post([
      item,
      { ...item, station: "Another" },
      purchase({ occurredAt: "yesterday" }),
      "nothing",
      purchase({ grossAmount: "12.50", quantity: "1" }),
    ]);
    expect(first).toMatchObject({ status: "Partial", accepted: 2, duplicates: 1, rejectedCount: 2 });
    expect(first.rejected.map(({ row, errors }) => [row, errors[0]!.field])).toEqual([
      [3, "occurredAt"],
      [4, ""],
    ]);
    expect(await mine.post([item])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await mine.list()).toHaveLength(2);
    expect(await mine.feed(first.feedId)).toMatchObject({ accepted: 2, duplicates: 1 });
  });

  test("transactions without a number are distinguished by card, time, product and quantity", async () => {
    const mine = fresh();
    const item = { ...purchase({ cardNumber: "7040 1234 5678" }), externalId: undefined };
    expect(await mine.post([item, item, { ...item, quantity: 401 }])).toMatchObject({ accepted: 2, duplicates: 1 });
  });

  test("only the last digits of a card are shown, and the transaction is found by the full number", async () => {
    const mine = fresh();
    const shown = await mine.one(purchase({ cardNumber: "7040 1234 5678 9012" }));
    expect(shown["cardLast4"]).toBe("9012");
    expect(JSON.stringify(shown)).not.toContain("70401234");
    expect(await mine.list("cardNumber=7040123456789012")).toHaveLength(1);
    expect(await mine.list("cardNumber=9012")).toHaveLength(1);
    expect(await mine.list("cardNumber=7040123456789013")).toHaveLength(0);
  });

  test("times without an offset are local times of the station", async () => {
    const mine = fresh();
    const at = async (occurredAt: string, countryCode: string) =>
      (await mine.one(purchase({ occurredAt, countryCode })))["occurredAt"];
    expect(await at("2026-10-05T08:00", "PL")).toBe("2026-10-05T06:00:00.000Z");
    expect(await at("2026-10-05T08:00", "LT")).toBe("2026-10-05T05:00:00.000Z");
    expect(await at("2026-10-05T08:00:00+01:00", "LT")).toBe("2026-10-05T07:00:00.000Z");
  });

  test.each([
    [{ provider: "X", items: [] }],
    [{ provider: "X", items: Array.from({ length: 1001 }, () => purchase()) }],
    [{ provider: "", items: [purchase()] }],
    [{ items: [purchase()] }],
    [{ provider: "X" }],
    [[]],
  ])("a malformed feed is refused", async (body) => {
    const refused = await fresh().json<{ errorCode: string }>("/transactions-feed", "POST", body, 400);
    expect(refused.errorCode).toBe("validation_failed");
  });
});

describe("matching", () => {
  test("uses the plate, then the card, then the VIN; the driver is the one assigned at that time", async () => {
    const mine = fresh();
    const { vehicleId } = await mine.vehicle({
      licensePlate: "WGM 12345",
      countryCode: "PL",
      vin: "WDB96340310123456",
      cards: [{ provider: "Beispielkarte", number: "7040 1234 5678 9012" }],
      assignments: [
        { driver: { name: "Jan Przykładowy" }, from: "2026-10-01", to: "2026-10-09" },
        { driver: { name: "Ewa Przykładowa" }, from: "2026-10-10", to: "2026-10-19" },
        { driver: { name: "Erased Person" }, from: "2026-10-20" },
      ],
    });
    expect(await mine.one(purchase({ occurredAt: "2026-10-22T08:00" }))).not.toHaveProperty("driver");
    const found = { status: "Matched", vehicleId, anomalies: [] };
    const jan = { driver: { name: "Jan Przykładowy" } };
    expect(await mine.one(purchase({ licensePlate: "wgm-12345" }))).toMatchObject({
      ...found,
      ...jan,
      matchedBy: "LicensePlate",
    });
    const noPlate = { licensePlate: undefined };
    expect(
      await mine.one(purchase({ ...noPlate, cardNumber: "7040123456789012", occurredAt: "2026-10-12T08:00" })),
    ).toMatchObject({
      ...found,
      matchedBy: "Card",
      driver: { name: "Ewa Przykładowa" },
    });
    expect(
      await mine.one(purchase({ ...noPlate, vin: "WDB96340310123456", occurredAt: "2026-10-08T08:00" })),
    ).toMatchObject({ ...found, matchedBy: "Vin" });
    // This plate contains a Cyrillic letter that looks like a Latin one.
    expect(await mine.one(purchase({ licensePlate: "WGМ 12345", occurredAt: "2026-10-07T08:00" }))).toMatchObject(
      found,
    );
  });

  test("a vehicle that is created later gets its earlier transactions", async () => {
    const mine = fresh();
    const before = await mine.one(purchase());
    expect(before).toMatchObject({ status: "Unmatched" });
    expect(anomalyTypes(before)).toEqual(["UnknownPlate"]);
    const { vehicleId } = await mine.vehicle({ licensePlate: "WGM 12345" });
    await vi.waitFor(
      async () =>
        expect(await mine.list(`vehicleId=${vehicleId}`)).toMatchObject([{ status: "Matched", anomalies: [] }]),
      {
        timeout: 50_000,
      },
    );
  });

  test("a deleted vehicle gets no further transactions", async () => {
    const mine = fresh();
    const { vehicleId } = await mine.vehicle({ licensePlate: "WGM 12345" });
    await mine.one(purchase());
    await mine.asked(`/vehicles/${vehicleId}`, { method: "DELETE" });
    expect(await mine.one(purchase({ occurredAt: "2026-10-06T08:00" }))).toMatchObject({ status: "Unmatched" });
    expect(await mine.list(`vehicleId=${vehicleId}`)).toHaveLength(1);
  });
});

describe("anomalies", () => {
  const truck = { licensePlate: "WGM 12345", tankCapacity: 600, vin: "WDB96340310123456" };

  test("two normal purchases have none", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    expect(await mine.one(purchase({ odometer: 100_000 }))).toMatchObject({ status: "Matched", anomalies: [] });
    expect(await mine.one(purchase({ odometer: 101_000, occurredAt: "2026-10-06T08:00" }))).toMatchObject({
      status: "Matched",
      anomalies: [],
    });
  });

  test("CardVehicleMismatch: the card belongs to another vehicle", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    await mine.vehicle({ licensePlate: "PO 99999", cards: [{ provider: "X", number: "7040999988887777" }] });
    const flagged = await mine.one(purchase({ cardNumber: "7040999988887777" }));
    expect(flagged).toMatchObject({
      status: "Flagged",
      anomalies: [{ type: "CardVehicleMismatch", expected: "PO99999", actual: "WGM12345" }],
    });
  });

  test.each([
    [600, { quantity: 631 }, [{ type: "VolumeExceedsTank", expected: 600, actual: 631 }]],
    [600, { quantity: 630 }, []],
    [undefined, { quantity: 1576 }, [{ type: "VolumeExceedsTank", expected: 1500, actual: 1576 }]],
    [600, { quantity: 900, unit: "kg" }, []],
    [600, { quantity: 900, productName: "AdBlue" }, []],
  ])("VolumeExceedsTank: a tank of %j litres and a purchase of %j", async (tankCapacity, said, anomalies) => {
    const mine = fresh();
    await mine.vehicle({ ...truck, tankCapacity });
    expect((await mine.one(purchase(said))).anomalies).toMatchObject(anomalies);
  });

  test.each([
    [undefined, "Super 95 E10", [{ type: "FuelTypeMismatch", expected: "Diesel", actual: "Petrol" }]],
    [undefined, "LNG", []],
    ["Lng", "Diesel", [{ type: "FuelTypeMismatch", expected: "Lng", actual: "Diesel" }]],
    ["Diesel", "Olej napędowy", []],
  ])("FuelTypeMismatch: a vehicle for %j gets %s", async (fuelType, productName, anomalies) => {
    const mine = fresh();
    await mine.vehicle({ ...truck, fuelType });
    expect((await mine.one(purchase({ productName }))).anomalies).toMatchObject(anomalies);
  });

  test("TwoFillsTooClose: two stations within an hour, but not two pumps of one station", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    const first = await mine.one(purchase());
    expect((await mine.one(purchase({ occurredAt: "2026-10-05T08:07" }))).anomalies).toEqual([]);
    const second = await mine.one(purchase({ occurredAt: "2026-10-05T08:50", station: "Autohof Muster" }));
    expect(second.anomalies).toMatchObject([{ type: "TwoFillsTooClose", expected: 60, actual: 43 }]);
    expect((await mine.one(purchase({ occurredAt: "2026-10-05T10:00", station: "Autohof Drei" }))).anomalies).toEqual(
      [],
    );
    expect(first.anomalies).toEqual([]);
  });

  test("ImpossibleSpeed: by position, and by odometer", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    await mine.one(purchase({ latitude: 52.52, longitude: 13.4, odometer: 100_000 }));
    const far = await mine.one(
      purchase({ occurredAt: "2026-10-05T10:00", latitude: 48.14, longitude: 11.58, station: "Muster Süd" }),
    );
    expect(far.anomalies).toMatchObject([{ type: "ImpossibleSpeed", expected: 110 }]);
    const long = await mine.one(
      purchase({ licensePlate: "WGM 12345", occurredAt: "2026-10-06T08:00", odometer: 109_000 }),
    );
    expect(anomalyTypes(long)).toEqual(["ImpossibleSpeed"]);
  });

  test("OdometerBackwards: also for a row that is imported late", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    await mine.one(purchase({ odometer: 100_500 }));
    expect((await mine.one(purchase({ occurredAt: "2026-10-07T08:00", odometer: 100_400 }))).anomalies).toMatchObject([
      { type: "OdometerBackwards", expected: 100_500, actual: 100_400 },
    ]);
    expect((await mine.one(purchase({ occurredAt: "2026-10-01T08:00", odometer: 100_600 }))).anomalies).toMatchObject([
      { type: "OdometerBackwards", expected: 100_500, actual: 100_600 },
    ]);
  });

  test("PriceOutlier: a price above the others of that country and week", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    const prices = [1.2, 1.21, 1.22, 1.23, 1.5];
    await mine.post(
      prices.map((unitPrice, day) =>
        purchase({
          externalId: `T-${unitPrice}`,
          unitPrice,
          occurredAt: `2026-10-0${5 + day}T08:00`,
          netAmount: undefined,
          vatAmount: undefined,
        }),
      ),
    );
    expect(await mine.list("anomaly=PriceOutlier")).toMatchObject([
      { externalId: "T-1.5", anomalies: [{ type: "PriceOutlier", expected: 1.22, actual: 1.5 }] },
    ]);
  });

  test("VatInconsistent: a difference of more than two cents", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    expect((await mine.one(purchase({ grossAmount: 595.02 }))).anomalies).toEqual([]);
    const wrong = await mine.one(purchase({ occurredAt: "2026-10-06T08:00", grossAmount: 595.03 }));
    expect(wrong.anomalies).toMatchObject([{ type: "VatInconsistent", expected: 595, actual: 595.03 }]);
  });

  test("Duplicate: the same content under another number", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    const first = await mine.one(purchase());
    const again = await mine.one(purchase());
    expect(again.anomalies).toMatchObject([{ type: "Duplicate", transactionId: first.transactionId }]);
  });

  test("a flagged transaction emits an event", async () => {
    const mine = fresh();
    await mine.vehicle(truck);
    const flagged = await mine.one(purchase({ quantity: 700 }));
    await vi.waitFor(
      async () => {
        const { items } = await (
          await mine.asked("/events?limit=100")
        ).json<{ items: { eventType: string; resource: { id: string } }[] }>();
        expect(items.map(({ eventType }) => eventType).sort()).toEqual([
          "TransactionFeedImported",
          "TransactionFlagged",
        ]);
        expect(items.some(({ resource }) => resource.id === flagged.transactionId)).toBe(true);
      },
      { timeout: 50_000 },
    );
  });
});

describe("voids", () => {
  const item = () => purchase({ cardNumber: "7040123456789012", externalId: "T-1" });

  test("a void with the number of a purchase voids it", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const bought = await mine.one(item());
    const voided = await mine.one({ ...item(), type: "Void" });
    expect(voided).toMatchObject({ status: "Voided", voids: bought.transactionId });
    expect(await mine.list("status=Voided")).toHaveLength(2);
    expect(await mine.list("type=Purchase")).toMatchObject([{ status: "Voided", voidedBy: voided.transactionId }]);
    expect(await mine.post([{ ...item(), type: "Void" }])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await mine.list("summary=month")).toEqual([]);
  });

  test("a void that arrives before its purchase waits for it", async () => {
    const mine = fresh();
    await mine.one({ ...item(), type: "Void" });
    expect(await mine.one(item())).toMatchObject({ status: "Voided" });
  });

  test("a void with another number finds its purchase by its content", async () => {
    const mine = fresh();
    await mine.one(item());
    expect(
      await mine.one({ ...item(), externalId: "T-2", type: "Void", occurredAt: "2026-10-20T09:00" }),
    ).toMatchObject({ status: "Voided" });
    expect(await mine.list("status=Voided")).toHaveLength(2);
  });

  test("a full refund within thirty days voids the purchase, a partial or later one does not", async () => {
    const mine = fresh();
    await mine.one(item());
    const refund = { ...item(), type: "Refund", quantity: -400, netAmount: -500, vatAmount: -95, grossAmount: -595 };
    expect(
      await mine.one({ ...refund, externalId: "T-2", grossAmount: -10, netAmount: undefined, vatAmount: undefined }),
    ).not.toMatchObject({ status: "Voided" });
    expect(await mine.one({ ...refund, externalId: "T-3", occurredAt: "2026-12-24T08:00" })).not.toMatchObject({
      status: "Voided",
    });
    expect(await mine.one({ ...refund, externalId: "T-4", occurredAt: "2026-10-25T08:00" })).toMatchObject({
      status: "Voided",
    });
  });

  const back = { quantity: -400, netAmount: -500, vatAmount: -95, grossAmount: -595 };
  const part = { quantity: -40, netAmount: -50, vatAmount: -9.5, grossAmount: -59.5 };

  test.each<[string, object, string, string]>([
    ["if full, voids the purchase", back, "Voided", "Voided"],
    ["if partial, is no duplicate and leaves the purchase unchanged", part, "Unmatched", "Unmatched"],
    [
      "if full and at another station, leaves the purchase unchanged",
      { ...back, station: "Aral Ulm" },
      "Unmatched",
      "Unmatched",
    ],
  ])("a credit in a later feed with the number of a purchase, %s", async (_, more, itsOwn, ofPurchase) => {
    const mine = fresh();
    const bought = await mine.one(item());
    const given = { ...item(), occurredAt: "2026-10-06T08:00", ...more };
    expect(await mine.one(given)).toMatchObject({ type: "Refund", status: itsOwn });
    expect(await mine.list("type=Purchase")).toMatchObject([
      { transactionId: bought.transactionId, status: ofPurchase },
    ]);
    expect(await mine.post([item(), given])).toMatchObject({ accepted: 0, duplicates: 2, rejected: [] });
  });

  test.each<[string, object, object]>([
    ["a refund of another provider", { provider: "Other" }, back],
    ["a void of another provider", { provider: "Other" }, { type: "Void" }],
    ["a refund at another station", {}, { ...back, station: "Aral Ulm" }],
    ["a refund of another plate", {}, { ...back, licensePlate: "PO 7KL21" }],
  ])("%s voids nothing", async (_, more, said) => {
    const mine = fresh();
    await mine.one(item());
    const feed = await mine.post([{ ...item(), externalId: "F-1", occurredAt: "2026-10-07T08:00", ...said }], more);
    expect(feed).toMatchObject({ accepted: 1, voided: 0 });
    expect(await mine.list("status=Voided")).toEqual([]);
  });

  test("a purchase and its void in one statement are both counted as voided", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const rows = [
      "9001;08.11.2026;10:30;WGM 12345;Esso Kassel;DE;Diesel;Kauf;77,00;77,00;14,63;91,63;EUR;RE-7",
      "9001;09.11.2026;10:30;WGM 12345;Esso Kassel;DE;Diesel;Storno;77,00;77,00;14,63;91,63;EUR;RE-7",
    ];
    const heading =
      "Receipt;Datum;Uhrzeit;Kennzeichen;Péage;Land;Produkt;Art;Menge;Netto;MwSt;Brutto;Währung;Rechnungsnr.";
    expect(await mine.file([heading, ...rows].join("\n"), "statement.csv")).toMatchObject({
      accepted: 2,
      matched: 0,
      voided: 2,
    });
    expect(
      (await mine.list("invoiceNumber=RE-7")).map(({ type, externalId, station }) => [type, externalId, station]),
    ).toEqual(
      expect.arrayContaining([
        ["Void", "9001", "Esso Kassel"],
        ["Purchase", "9001", "Esso Kassel"],
      ]),
    );
  });
});
