import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { jobs } from "./jobs.ts";
import { profileOperations } from "./mapping-profile-operations.ts";
import { events } from "./model.ts";

/**
 * Requests for quotes: extracted as the body of a freight, completed with defaults, or converted to the company's own
 * format.
 */
export const opportunities = defineArea({
  operations: { opportunities: operations, mappingProfiles: profileOperations },
  descriptions: {
    opportunities:
      "Requests for quotes: converted into the body of a freight and completed with defaults, ready to post.",
    mappingProfiles: "Your own output format for extracted opportunities.",
  },
  events: { Opportunity: events },
  jobs,
});
