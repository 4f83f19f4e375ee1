import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { events } from "./opportunity.ts";
import { profileOperations } from "./profile-operations.ts";
import { read, remove } from "./reading.ts";

/** Requests for quotes: read into the body of a freight, filled up, or in a company's own form. */
export const opportunities = defineArea({
  operations: { opportunities: operations, mappingProfiles: profileOperations },
  descriptions: {
    opportunities: "Requests for quotes: extracted into the body of a freight and completed, ready to post.",
    mappingProfiles: "Your own output format for extracted opportunities.",
  },
  events: { Opportunity: events },
  jobs: {
    "opportunities.read": read,
    "opportunities.remove": remove,
  },
});
