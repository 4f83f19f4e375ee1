import { commandsOn } from "../../platform/command.ts";
import type { OpportunityView } from "../../extraction/kinds/opportunity/view.ts";
import { correctionCommands, extractionCommands } from "../intake/commands.ts";
import type { Correctable } from "../intake/corrections.ts";
import { removalCommands } from "../intake/removal.ts";
import { envelopeOf, files, viewOf, type events, type Opportunity } from "./model.ts";

/** Converts the envelope of a lane to the view that feedback corrects, and back. */
export const correctable: Correctable<Opportunity> = {
  kindOf: () => "opportunity",
  viewOf,
  envelopeOf: (data: OpportunityView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

const extraction = extractionCommands(files, ({ status, envelopes }: Opportunity) => ({
  type: status === "Failed" ? ("OpportunityFailed" as const) : ("OpportunityProcessed" as const),
  status,
  data: envelopes,
}));

export const commands = commandsOn<Opportunity, typeof events>(
  "OPPORTUNITIES",
  "opportunities",
)({
  ...extraction,
  ...correctionCommands(correctable, ({ status, envelopes }: Opportunity) => ({
    type: "OpportunityProcessed" as const,
    status,
    data: envelopes,
  })),
  ...removalCommands(extraction, files, { event: "OpportunityDeleted" }),
});
