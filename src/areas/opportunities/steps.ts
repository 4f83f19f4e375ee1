import { stepsOn } from "../../kit/operation.ts";
import type { OpportunityView } from "../../reading/views/opportunity.ts";
import { correctionOf, lifeOf, type Correctable } from "../intake/index.ts";
import { envelopeOf, viewOf } from "./envelope.ts";
import { reading, type events, type Opportunity } from "./opportunity.ts";

/** How feedback puts a request right. */
export const correctable: Correctable<Opportunity> = {
  kindOf: () => "opportunity",
  viewOf,
  envelopeOf: (data: OpportunityView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

export const steps = stepsOn<Opportunity, typeof events>(
  "OPPORTUNITIES",
  "opportunities",
)({
  ...lifeOf({
    work: reading,
    idName: "opportunityId",
    ended: ({ status, envelopes }: Opportunity, previousStatus) => ({
      type: status === "Failed" ? ("OpportunityFailed" as const) : ("OpportunityProcessed" as const),
      status,
      previousStatus,
      data: envelopes,
    }),
  }),

  ...correctionOf(correctable, ({ status, envelopes }: Opportunity, previousStatus) => ({
    type: "OpportunityProcessed" as const,
    status,
    previousStatus,
    data: envelopes,
  })),
});
