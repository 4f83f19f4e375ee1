import { stepsOn } from "../../kit/operation.ts";
import { lifeOf } from "../intake/index.ts";
import { reading, type events, type Opportunity } from "./opportunity.ts";

export const steps = stepsOn<Opportunity, typeof events>(
  "OPPORTUNITIES",
  "opportunities",
)(
  lifeOf({
    work: reading,
    idName: "opportunityId",
    ended: ({ status, envelopes }: Opportunity, previousStatus) => ({
      type: status === "Failed" ? ("OpportunityFailed" as const) : ("OpportunityProcessed" as const),
      status,
      previousStatus,
      data: envelopes,
    }),
  }),
);
