import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { jobs } from "./jobs.ts";
import { events } from "./model.ts";

/** Checks scans and photographs: whether they are readable, and what is missing on them. */
export const quality = defineArea({
  operations: { quality: operations },
  descriptions: { quality: "Readability of scans and photographs, and what is missing on them." },
  events: { Quality: events },
  jobs,
});
