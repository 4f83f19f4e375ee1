import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { release, run } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Automations assign fines to drivers, without a review if the match is certain. */
export const automations = defineArea({
  operations: { automations: operations },
  descriptions: { automations: "Fines, assigned to the driver and to the order that was on the road." },
  events: { Automation: events },
  jobs: {
    "automations.run": run,
    "automations.release": release,
  },
});
