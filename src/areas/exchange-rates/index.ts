import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/**
 * Reference exchange rates, the same for all companies: fetched from the European Central Bank or loaded by the
 * operator.
 */
export const exchangeRates = defineArea({
  operations: { exchangeRates: operations },
  descriptions: { exchangeRates: "Reference exchange rates, and conversion of amounts." },
});
