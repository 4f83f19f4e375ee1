import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/**
 * The company of the caller, with its names and settings. The state of a company also contains its keys, accounts and
 * sources.
 */
export const companies = defineArea({
  operations: { companies: operations },
  descriptions: { companies: "Your own company." },
});
