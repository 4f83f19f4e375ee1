import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import * as opportunities from "../src/areas/opportunities/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each request for a quote. */
export class OpportunityObject extends Aggregate<opportunities.Opportunity> {
  readonly noun = "Opportunity";
  readonly decisions = decisionsOf({ opportunities });
  urlOf = (id: string) => `/api/v1/opportunities/${id}`;
  archiveRow = (state: opportunities.Opportunity, company: string, id: string): ArchiveRow =>
    opportunities.opportunityRow(state, company, id);
  protected override isSettled = ({ status }: opportunities.Opportunity) => status !== "Processing";
}
