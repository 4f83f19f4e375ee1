import { readDocument } from "../../reading/read.ts";
import type { Reading } from "../../reading/reading.ts";
import type { OpportunityView } from "../../reading/views/opportunity.ts";
import { checked, readingAt } from "../intake/index.ts";
import { folder, reading, type Opportunity } from "./opportunity.ts";
import type { OpportunityEnvelope } from "./shapes.ts";
import { steps } from "./steps.ts";

/** The work `opportunities.read`: a request becomes the lanes in it. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "opportunityId",
  steps,
  read: (_: Opportunity, file, context, tools) => readDocument("opportunity", file, context, tools),
  found: ({ items }): OpportunityEnvelope[] => items.map(envelopeOf),
  nothing: { reason: "input_not_freight", message: "The document asks for no carriage." },
});

function envelopeOf({ data: view, checks }: Reading<OpportunityView>, sequenceId: number): OpportunityEnvelope {
  const { requestedBy, missing = [], ...data } = view;
  return { sequenceId, ...checked("Opportunity", checks), data, ...(requestedBy && { requestedBy }), missing };
}
