import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** The company of the caller, with its names and settings. */
export const companies = defineArea({
  operations: { companies: operations },
  descriptions: { companies: "Your own company." },
});
