import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** The tables of numbers that freights, vehicles and automations use. */
export const mappings = defineArea({
  operations: { mappings: operations },
  descriptions: { mappings: "Tables of the numeric ids that freights and vehicles use." },
});
