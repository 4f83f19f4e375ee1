import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Reference rates of currencies: fetched from the European Central Bank or loaded by the operator, the same for everyone. */
export const exchangeRates = defineArea({
  operations: { exchangeRates: operations },
  descriptions: { exchangeRates: "Reference exchange rates, and conversion of amounts." },
});
