import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { assessed, remove } from "./reading.ts";
import { events } from "./record.ts";

/** How good scans and photographs are: whether they can be read, and what is missing. */
export const quality = defineArea({
  operations: { quality: operations },
  descriptions: { quality: "Readability of scans and photographs, and what is missing on them." },
  events: { Quality: events },
  jobs: {
    "quality.assess": assessed,
    "quality.remove": remove,
  },
});
