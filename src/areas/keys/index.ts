import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** API keys of a company, and the bearer tokens for which they can be exchanged. */
export const keys = defineArea({
  operations: { keys: operations },
  descriptions: { keys: "API keys, and tokens made from them." },
});
