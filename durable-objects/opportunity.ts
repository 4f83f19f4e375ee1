import { commands } from "../src/areas/opportunities/commands.ts";
import type { Opportunity } from "../src/areas/opportunities/model.ts";
import { opportunityRow } from "../src/areas/opportunities/search.ts";
import { operations } from "../src/areas/opportunities/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each request for a quote. */
export class OpportunityObject extends Aggregate<Opportunity> {
  readonly noun = "Opportunity";
  readonly decisions = decisionsOf({ opportunities: { operations, commands } });
  urlOf = (id: string) => `/api/v1/opportunities/${id}`;
  archiveRow = opportunityRow;
  protected override isComplete = ({ status }: Opportunity) => status !== "Processing";
}
