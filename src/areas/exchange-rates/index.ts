/** Reference rates of currencies: fetched from the European Central Bank or loaded by the operator, the same for everyone. */
export { operations } from "./operations.ts";
export { refreshSoon } from "./refresh.ts";
