import { commandsOn } from "../../platform/command.ts";
import type { OpportunityView } from "../../extraction/kinds/opportunity/view.ts";
import { correctionOf, lifeOf, removalOf, type Correctable } from "../intake/index.ts";
import { envelopeOf, viewOf } from "./envelope.ts";
import { folder, reading, removing, type events, type Opportunity } from "./opportunity.ts";

/** How feedback puts a request right. */
export const correctable: Correctable<Opportunity> = {
  kindOf: () => "opportunity",
  viewOf,
  envelopeOf: (data: OpportunityView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

const life = lifeOf({
  work: reading,
  idName: "opportunityId",
  ended: ({ status, envelopes }: Opportunity, previousStatus) => ({
    type: status === "Failed" ? ("OpportunityFailed" as const) : ("OpportunityProcessed" as const),
    status,
    previousStatus,
    data: envelopes,
  }),
});

export const commands = commandsOn<Opportunity, typeof events>(
  "OPPORTUNITIES",
  "opportunities",
)({
  ...life,
  ...correctionOf(correctable, ({ status, envelopes }: Opportunity, previousStatus) => ({
    type: "OpportunityProcessed" as const,
    status,
    previousStatus,
    data: envelopes,
  })),
  ...removalOf(life, {
    job: removing,
    reading,
    folder,
    deleted: (opportunityId, previousStatus) => ({
      type: "OpportunityDeleted" as const,
      status: "Deleted",
      previousStatus,
      data: { opportunityId },
    }),
  }),
});
