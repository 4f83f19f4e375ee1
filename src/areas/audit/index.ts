import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** The audit log, which records who changed which record, by which operation, and when. */
export const audit = defineArea({
  operations: { audit: operations },
  descriptions: { audit: "Who changed what, and when." },
});
