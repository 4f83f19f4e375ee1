import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { assessed, remove } from "./reading.ts";
import { events } from "./record.ts";

/** How good scans and photographs are: whether they can be read, and what is missing. */
export const quality = defineArea({
  operations: { quality: operations },
  events: { Quality: events },
  jobs: {
    "quality.assess": assessed,
    "quality.remove": remove,
  },
});
