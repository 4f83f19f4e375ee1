import { describe, expect, test } from "vitest";
import { checkOrder } from "../../../../src/extraction/kinds/order/checks.ts";
import { lowerDoubted } from "../../../../src/extraction/fields/confidence/calibration.ts";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";

const today = "2026-11-20";
const stop = (type: "Loading" | "Unloading", weight?: number) => ({
  sequence: 1,
  type,
  ...(weight !== undefined && { cargo: [{ weight }] }),
});

describe("checks of an order", () => {
  test.each<[string, OrderView, boolean | undefined, string[]]>([
    ["VatCodesCheck", { customer: { vatCode: "PL5260250274" }, carrier: { vatCode: "DE136695976" } }, true, []],
    [
      "VatCodesCheck",
      { customer: { vatCode: "PL5260250275" }, carrier: { vatCode: "DE136695976" } },
      false,
      ["/customer/vatCode"],
    ],
    ["VatCodesCheck", { customer: { vatCode: "UA123456789012" } }, undefined, []],
    ["PostcodesFitCountries", { payer: { country: "LV", postalCode: "LV-1010" } }, true, []],
    ["PostcodesFitCountries", { payer: { country: "PL", postalCode: "37079" } }, false, ["/payer/postalCode"]],
    [
      "PostcodesFitCountries",
      {
        locations: [
          { ...stop("Loading"), countryCode: "GB", postalCode: "SW1A 1AA" },
          { ...stop("Unloading"), countryCode: "DE", postalCode: "SW1A 1AA" },
        ],
      },
      false,
      ["/locations/1/postalCode"],
    ],
    ["PostcodesFitCountries", { payer: { country: "ZZ", postalCode: "1" } }, undefined, []],
    ["LoadsOneLorryCarries", { locations: [stop("Loading", 24_000), stop("Unloading", 24_000)] }, true, []],
    [
      "LoadsOneLorryCarries",
      { locations: [stop("Loading", 9_600_000), stop("Unloading", 9_600)] },
      false,
      ["/locations/0/cargo/0/weight"],
    ],
    [
      "LoadedEqualsUnloaded",
      { locations: [stop("Loading", 9_600), stop("Unloading", 6_900)] },
      false,
      ["/locations/0/cargo/0/weight", "/locations/1/cargo/0/weight"],
    ],
    ["LoadedEqualsUnloaded", { locations: [stop("Loading", 9_600), stop("Unloading")] }, undefined, []],
    ["ChargesAddUp", { payments: { price: 1_200, basePrice: 1_000, additionalCharges: 200 } }, true, []],
    [
      "ChargesAddUp",
      { payments: { price: 1_250, basePrice: 1_000, additionalCharges: 200 } },
      false,
      ["/payments/price", "/payments/basePrice", "/payments/additionalCharges"],
    ],
  ])("%s of %j", (name, order, passed, pointers) => {
    const check = checkOrder(order, today).find((each) => each.name === name);
    expect(check?.passed).toBe(passed);
    expect(check?.pointers ?? []).toEqual(pointers);
  });

  test("a failed check lowers the confidence of its values and changes none", () => {
    const evidence = ["/customer/vatCode", "/customer/name"].map((pointer) => ({
      pointer,
      value: "PL5260250275",
      confidence: 0.9,
      source: "Document" as const,
    }));
    const [code, name] = lowerDoubted(evidence, checkOrder({ customer: { vatCode: "PL5260250275" } }, today));
    expect(code).toMatchObject({ value: "PL5260250275" });
    expect(code?.confidence).toBeLessThan(0.9);
    expect(name?.confidence).toBe(0.9);
  });
});
