import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CompanyFacts } from "../../../../src/extraction/document/extraction-result.ts";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";
import { nobody, plainOrder, readOrders, withGazetteer } from "../../../support/extract-text.ts";

const orders = join(import.meta.dirname, "../../../support/files/orders");

withGazetteer();

async function order(text: string, options?: Parameters<typeof readOrders>[1]): Promise<OrderView> {
  const result = await readOrders(text, options);
  expect(result.status, result.message).toBe("Read");
  return result.items[0]?.data ?? {};
}

describe("orders in many languages and layouts", async () => {
  const files = (await readdir(orders)).filter((name) => !/\.(?:json|md)$/.test(name));
  test.each(files)("%s", async (name) => {
    const truth = JSON.parse(await readFile(join(orders, name.replace(/\.\w+$/, ".json")), "utf8")) as OrderView;
    const result = await readOrders(await readFile(join(orders, name)), { name });
    expect(result.status, result.message).toBe("Read");
    expect(critical(result.items[0]?.data ?? {}, truth)).toEqual(critical(truth, truth));
  });
});

/** Returns the critical fields of an order in a comparable form, as far as the expected data contain them. */
function critical(view: OrderView, truth: OrderView) {
  const day = (date: string | undefined, precision: string | undefined) => date?.slice(0, precision?.length);
  return {
    orderNumber: view.orderNumber,
    stops: truth.locations?.map((expected, index) => {
      const stop = view.locations?.[index];
      return {
        type: stop?.type,
        postalCode: expected.postalCode && stop?.postalCode,
        city: expected.city && stop?.city,
        startDate: expected.startDate && day(stop?.startDate, expected.startDate),
        endDate: expected.endDate && day(stop?.endDate, expected.endDate),
      };
    }),
    count: view.locations?.length,
    price: view.payments?.price,
    paymentDays: truth.payments?.paymentDays && view.payments?.paymentDays,
    vehicles: truth.vehiclesLicensePlates && view.vehiclesLicensePlates,
    trailers: truth.trailersLicensePlates && view.trailersLicensePlates,
  };
}

describe("documents that are not orders", () => {
  test.each([
    [
      "an invoice",
      "INVOICE No. 77/2026\nSeller: Alfa GmbH, Hafenstr. 4, 20457 Hamburg\nBuyer: Beta GmbH, Ringstr. 9, 80331 München\nTransport Hamburg - München   900.00 EUR\nTotal due: 900.00 EUR\nDue date: 20/12/2026",
      "input_not_freight",
    ],
    [
      "minutes",
      "Minutes of the safety meeting, 19 November 2026\nPresent: J. Green, P. White\n1. Pallets must not block the doors of the loading bays.\n2. The next meeting is on 10 December 2026 at 10:00.",
      "input_not_freight",
    ],
    [
      "a purchase order",
      "PURCHASE ORDER 4711\nSupplier: Workwear Ltd, 4 Mill Lane, Leeds LS1 4AP\n20 jackets, size L   35.00 EUR\nDeliver to: Alfa GmbH, Hafenstr. 4, 20457 Hamburg\nTotal 700.00 EUR",
      "input_not_freight",
    ],
    ["a page without words", "- - -\n\n. . .", "no_text_found"],
  ])("%s is refused", async (_, text, reason) => {
    const result = await readOrders(text);
    expect(result).toMatchObject({ status: "Failed", reason, items: [] });
    expect(result.message).toBeTruthy();
  });

  test("a reading that exceeds its time budget ends", async () => {
    expect(await readOrders(plainOrder(), { milliseconds: -1 })).toMatchObject({
      status: "Failed",
      reason: "engine_timeout",
    });
  });
});

describe("stops", () => {
  test.each([
    ["a window", "24/11/2026 08:00-12:00", "2026-11-24T08:00:00", "2026-11-24T12:00:00"],
    ["one hour", "24/11/2026 10:30", "2026-11-24T10:30:00", undefined],
    ["a day", "24/11/2026", "2026-11-24T00:00:00", undefined],
    ["a latest hour", "24/11/2026 until 12:00", "2026-11-24T00:00:00", "2026-11-24T12:00:00"],
    ["a night", "24/11/2026 22:00 - 25/11/2026 06:00", "2026-11-24T22:00:00", "2026-11-25T06:00:00"],
    ["a day without its year", "24.11. 08:00-12:00", "2026-11-24T08:00:00", "2026-11-24T12:00:00"],
  ])("%s", async (_, when, startDate, endDate) => {
    const { locations } = await order(
      plainOrder({ loading: `Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, ${when}` }),
    );
    expect(locations?.[0]).toMatchObject({ type: "Loading", startDate });
    expect(locations?.[0]?.endDate).toBe(endDate);
  });

  test("are numbered in the order of the route", async () => {
    const { locations } = await order(plainOrder());
    expect(locations?.map(({ sequence, type, city }) => [sequence, type, city])).toEqual([
      [1, "Loading", "Hamburg"],
      [2, "Unloading", "München"],
    ]);
  });

  test("side by side keep their own dates", async () => {
    const { locations } = await order(`TRANSPORT ORDER No. A-1002

LOADING                                   UNLOADING
Alfa Works GmbH                           Beta Stores GmbH
Hafenstr. 4                               Ringstr. 9
DE-20457 Hamburg                          DE-80331 München
24/11/2026 08:00-12:00                    25/11/2026 09:00-15:00

Freight price: 900.00 EUR`);
    expect(locations).toMatchObject([
      { type: "Loading", name: "Alfa Works GmbH", street: "Hafenstr. 4", startDate: "2026-11-24T08:00:00" },
      { type: "Unloading", name: "Beta Stores GmbH", street: "Ringstr. 9", startDate: "2026-11-25T09:00:00" },
    ]);
  });

  test("weights in pounds and tonnes are converted to kilograms", async () => {
    const weights = await Promise.all(
      ["8 t", "17,637 lbs"].map(
        async (weight) =>
          (await order(plainOrder({ foot: `Goods: tiles\nGross weight: ${weight}\nPrice: 900 EUR` }))).locations?.[0]
            ?.cargo?.[0]?.weight,
      ),
    );
    expect(weights).toEqual([8000, expect.closeTo(8000, -1)]);
  });
});

describe("money", () => {
  test("charges are listed beside the base price and added up", async () => {
    const { payments } = await order(
      plainOrder({
        foot: "Goods: tiles, 8,000 kg\nLine haul: 800.00 EUR\nFuel surcharge: 60.00 EUR\nTolls: 40.00 EUR\nTotal: 900.00 EUR",
      }),
    );
    expect(payments).toMatchObject({
      price: 900,
      basePrice: 800,
      additionalCharges: 100,
      totalNetAmount: 900,
      currency: "EUR",
    });
    expect(payments?.priceBreakdown).toEqual([
      { type: "BaseCharge", amount: 800 },
      { type: "FuelSurcharge", amount: 60 },
      { type: "Toll", amount: 40 },
    ]);
  });

  test("amounts and days in the terms and conditions are not extracted", async () => {
    const terms =
      "Conditions\n1. The carrier is insured for at least 250,000 EUR and pays 50 EUR for each hour of delay, at most 300 EUR a day.\n2. Claims must be reported within 7 days of the unloading, otherwise the carrier is not liable for them.";
    const { payments, cargoValue } = await order(
      plainOrder({ foot: `Freight price: 900.00 EUR\nPayment terms: 30 days\n\n${terms}` }),
    );
    expect(payments).toMatchObject({ price: 900, paymentDays: 30 });
    expect(cargoValue).toBeUndefined();
  });
});

describe("companies", () => {
  const letter = plainOrder({
    head: "Customer: Gamma Spedition GmbH, Marktplatz 1, DE-28195 Bremen\nCarrier: Delta Trucks GmbH, Allee 3, DE-04109 Leipzig",
  });

  test("are distinguished by their labels", async () => {
    expect(await order(letter)).toMatchObject({
      customer: { name: "Gamma Spedition GmbH", city: "Bremen" },
      carrier: { name: "Delta Trucks GmbH", city: "Leipzig" },
    });
  });

  test("without labels: the reader's own company is the carrier, wherever it is printed", async () => {
    const head = "Delta Trucks GmbH\nAllee 3\n04109 Leipzig\n\nGamma Spedition GmbH\nMarktplatz 1\n28195 Bremen\n";
    const company = { ...nobody, names: ["Delta Trucks GmbH"] };
    const { customer, carrier } = await order(`${head}\n${plainOrder()}`, { company });
    expect([customer?.name, carrier?.name]).toEqual(["Gamma Spedition GmbH", "Delta Trucks GmbH"]);
  });
});

test("the text that accompanies a file fills only fields that the file lacks", async () => {
  const view = await order(plainOrder(), {
    additionalInfo: "Driver: Jan Nowak, tel. +48 601 555 221\nTruck: WGM 4471K",
  });
  expect(view.carrier?.drivers).toEqual([{ name: "Jan Nowak", phone: "+48 601 555 221" }]);
  expect(view.vehiclesLicensePlates).toEqual(["WGM4471K"]);
  expect(view.locations).toHaveLength(2);
});

describe("several orders in one file", () => {
  test("yield several items", async () => {
    const second = plainOrder({ loading: "Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 26/11/2026" }).replace(
      "A-1001",
      "A-1002",
    );
    const result = await readOrders(`${plainOrder()}\n\n${second}`);
    expect(
      result.items.map(({ data }) => [
        data.orderNumber,
        data.locations?.length,
        data.locations?.[0]?.startDate?.slice(0, 10),
      ]),
    ).toEqual([
      ["A-1001", 2, "2026-11-24"],
      ["A-1002", 2, "2026-11-26"],
    ]);
  });
});

describe("evidence", () => {
  test("exists for every value, and its words on the page contain the value", async () => {
    const result = await readOrders(plainOrder());
    const [item] = result.items;
    const pointers = new Set(item?.evidence.map((each) => each.pointer));
    for (const pointer of leaves(item?.data)) expect(pointers).toContain(pointer);
    for (const { page, box, confidence } of item?.evidence.filter((each) => each.source === "Document") ?? []) {
      expect(page).toBe(1);
      expect(box?.every((edge) => edge >= 0 && edge <= 1)).toBe(true);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThan(1);
    }
    expect(item?.evidence.find((each) => each.pointer === "/payments/price")).toMatchObject({
      value: 900,
      text: "900.00 EUR",
    });
    expect(item?.evidence.find((each) => each.pointer === "/locations/1/city")?.text).toContain("München");
  });

  test("has a lower confidence if values contradict each other, and the values stay", async () => {
    const fits = await readOrders(
      plainOrder({ foot: "Line haul: 800.00 EUR\nFuel surcharge: 100.00 EUR\nTotal: 900.00 EUR" }),
    );
    const differs = await readOrders(
      plainOrder({ foot: "Line haul: 800.00 EUR\nFuel surcharge: 100.00 EUR\nTotal: 950.00 EUR" }),
    );
    const price = (result: typeof fits) => result.items[0]?.evidence.find((each) => each.pointer === "/payments/price");
    expect(price(differs)?.value).toBe(950);
    expect(price(differs)?.confidence).toBeLessThan(price(fits)?.confidence ?? 0);
    expect(differs.items[0]?.checks.find((check) => check.name === "ChargesAddUp")?.passed).toBe(false);
  });

  test.each([
    [
      "LoadingAndUnloadingMatch",
      plainOrder({ unloading: "Beta Stores GmbH, Ringstr. 9, DE-20457 Hamburg, 25/11/2026" }),
    ],
    ["OrderDateInCurrentYear", plainOrder({ head: "Date: 19/11/2025" })],
  ])("the check %s fails exactly when it should", async (name, text) => {
    const passed = async (page: string) =>
      (await readOrders(page)).items[0]?.checks.find((check) => check.name === name)?.passed;
    expect([await passed(text), await passed(plainOrder())]).toEqual([false, true]);
  });
});

function leaves(node: unknown, pointer = ""): string[] {
  if (typeof node !== "object" || node === null) return [pointer];
  return Object.entries(node).flatMap(([name, value]) => leaves(value, `${pointer}/${name}`));
}

describe("values mentioned in passing", () => {
  const ours: CompanyFacts = { names: ["Our Trucks"], vatCodes: [], emailDomains: ["ourtrucks.example"] };

  test("a labelled company without legal form and address is read", async () => {
    const { customer, carrier } = await order(
      plainOrder({ head: "Date: 19/11/2026\nCustomer: Blue Lane Forwarding\nCarrier: Our Trucks" }),
      { company: ours },
    );
    expect([customer?.name, carrier?.name]).toEqual(["Blue Lane Forwarding", "Our Trucks"]);
  });

  test("the reader's own mail address is not the customer's", async () => {
    const { customer } = await order(
      plainOrder({
        head: "Date: 19/11/2026\nCustomer: Blue Lane Ltd\nCarrier: Our Trucks\ndispatch@ourtrucks.example",
      }),
      { company: ours },
    );
    expect(customer?.contactPerson?.email).toBeUndefined();
  });

  test.each([
    ["Frachtpreis: 1.250,00 EUR zzgl. Maut 180,00", 1250, 180],
    ["Freight price: 1,250.00 EUR plus toll 180.00 EUR", 1250, 180],
    ["Fracht: 900,00 EUR plus diesel surcharge 45,00 EUR", 900, 45],
  ])("a surcharge on the line of the price is read: %s", async (line, base, extra) => {
    const { payments } = await order(plainOrder({ foot: `Goods: tiles, 10 pallets, 8,000 kg\n${line}` }));
    expect(payments).toMatchObject({ basePrice: base, additionalCharges: extra, totalNetAmount: base + extra });
  });

  test("a rate within a sentence is read", async () => {
    const { payments } = await order(
      plainOrder({
        foot: "Goods: tiles, 10 pallets, 8,000 kg\nThank you for your help with this one, we have now agreed on a rate of 1,180 EUR for the whole trip, as we said on the phone this morning.",
      }),
    );
    expect(payments).toMatchObject({ price: 1180, currency: "EUR" });
  });

  test("a plate is not a measure of the goods", async () => {
    const { locations, vehiclesLicensePlates } = await order(
      plainOrder({ foot: "Goods: tiles, 8,000 kg\nTruck: WGM 99X1\nFreight price: 900.00 EUR" }),
    );
    expect(vehiclesLicensePlates).toEqual(["WGM99X1"]);
    expect(locations?.[0]?.cargo?.[0]?.length).toBeUndefined();
  });

  test("goods keep their name beside dimensions in brackets", async () => {
    const { locations } = await order(
      plainOrder({ foot: "Goods: pumps (120x80x140 cm), 8,000 kg\nFreight price: 900.00 EUR" }),
    );
    expect(locations?.[0]?.cargo?.[0]).toMatchObject({ cargoType: "pumps", length: 120, width: 80, height: 140 });
  });

  test("the driver's phone number is not the carrier's", async () => {
    const { carrier } = await order(
      plainOrder({
        foot: "Goods: tiles, 8,000 kg\nCarrier: Alfa Trans Sp. z o.o.\nDriver: Jan Kowalski, +48 601 555 274\nFreight price: 900.00 EUR",
      }),
    );
    expect(carrier?.drivers).toEqual([{ name: "Jan Kowalski", phone: "+48 601 555 274" }]);
    expect(carrier?.contactPerson?.phone).toBeUndefined();
  });

  test("a driver named in a sentence is read", async () => {
    const { carrier } = await order(
      plainOrder({
        foot: "Goods: tiles, 8,000 kg\nThe driver Declan Magee, tel. +353 85 555 0199, will be at the gate at six.",
      }),
    );
    expect(carrier?.drivers?.[0]).toMatchObject({ name: "Declan Magee" });
  });

  test.each([
    ["Please send the invoice to billing@bluelane.example by the fifth of the month."],
    ["Fakturę prosimy przesłać na adres billing@bluelane.example"],
    ["Ihre Rechnung an billing@bluelane.example"],
  ])("the address for invoices is read: %s", async (line) => {
    const { invoiceEmail } = await order(
      plainOrder({ foot: `Goods: tiles, 8,000 kg\nFreight price: 900.00 EUR\n${line}` }),
    );
    expect(invoiceEmail).toBe("billing@bluelane.example");
  });

  test("a phone number in national form is read", async () => {
    const { carrier } = await order(
      plainOrder({
        head: "Date: 19/11/2026\nCarrier: Alfa Trans Sp. z o.o., ul. Leśna 7, PL-63-300 Pleszew\nTel.: 602 555 318",
      }),
    );
    expect(carrier?.contactPerson?.phone).toBe("602 555 318");
  });
});
