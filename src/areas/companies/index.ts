import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** The company of a caller: its names and settings. The state of the company also contains its keys, accounts and sources. */
export const companies = defineArea({
  operations: { companies: operations },
  descriptions: { companies: "Your own company." },
});
