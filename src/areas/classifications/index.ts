import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Classifications: what a mail is about. */
export const classifications = defineArea({
  operations: { classifications: operations },
});
