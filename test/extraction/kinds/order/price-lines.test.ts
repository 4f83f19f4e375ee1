import { describe, expect, test } from "vitest";
import { readOrders, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

async function paymentsOf(...lines: string[]) {
  const text = [
    "TRANSPORT ORDER No. A-2208",
    "Loading: Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 24/11/2026 08:00-12:00",
    "Unloading: Beta GmbH, Ringstr. 9, DE-80331 München, 25/11/2026",
    "",
    ...lines,
  ].join("\n");
  const { items } = await readOrders(text);
  return items[0]?.data?.payments;
}

describe("amounts that add up to a printed sum are its components", () => {
  test.each([
    [
      "below each other",
      [
        "Transport          1 350,00 EUR",
        "Diesel 24 %          324,00 EUR",
        "Tarping               75,00 EUR",
        "Together           1 749,00 EUR",
      ],
    ],
    ["in a sentence", ["Transport 1 350,00 + diesel 24 % 324,00 + tarping 75,00 = 1 749,00 EUR"]],
    ["after their sum", ["Together 1 749,00 EUR: transport 1 350,00, diesel 324,00, tarping 75,00"]],
    [
      "with a subtotal between",
      [
        "Transport          1 350,00 EUR",
        "Diesel 24 %          324,00 EUR",
        "Tarping               75,00 EUR",
        "Extras             399,00 EUR",
        "Together           1 749,00 EUR",
      ],
    ],
  ])("%s", async (_, lines) => {
    expect(await paymentsOf(...lines)).toMatchObject({
      basePrice: 1350,
      additionalCharges: 399,
      totalNetAmount: 1749,
      currency: "EUR",
      priceBreakdown: [
        { type: "BaseCharge", amount: 1350 },
        { type: "FuelSurcharge", amount: 324 },
        { type: "Other", amount: 75 },
      ],
    });
  });

  test("but a tax is no component", async () => {
    const payments = await paymentsOf(
      "Freight      1 000,00 EUR",
      "VAT 19 %       190,00 EUR",
      "Gross        1 190,00 EUR",
    );
    expect(payments?.totalNetAmount).toBe(1000);
  });
});

test("a rate and a quantity belong to the amount to which they multiply", async () => {
  const payments = await paymentsOf("Price: 38,50 EUR per pallet (33 pallets = 1 270,50 EUR)");
  expect(payments?.priceBreakdown).toEqual([{ type: "BaseCharge", quantity: 33, unitPrice: 38.5, amount: 1270.5 }]);
});

test("a rate alone is a unit price, and no price of the order", async () => {
  const payments = await paymentsOf("Freight: 24,50 EUR per tonne");
  expect(payments).toEqual({ currency: "EUR", priceBreakdown: [{ type: "BaseCharge", unitPrice: 24.5 }] });
});

test("a bullet before an amount is no minus, and feet are no forint", async () => {
  const payments = await paymentsOf("53 ft trailer", "- 1.050 EUR, payment 30 days");
  expect(payments).toMatchObject({ price: 1050, currency: "EUR" });
});
