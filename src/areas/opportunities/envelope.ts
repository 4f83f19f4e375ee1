import type { Reading } from "../../extraction/document/reading.ts";
import type { OpportunityView } from "../../extraction/kinds/opportunity/view.ts";
import { checked } from "../intake/index.ts";
import type { OpportunityEnvelope } from "./shapes.ts";

/** A lane as it is answered: who asks and what is missing stand beside the body of the freight. */
export function envelopeOf(
  { data: view, checks }: Pick<Reading<OpportunityView>, "data" | "checks">,
  sequenceId: number,
): OpportunityEnvelope {
  const { requestedBy, missing = [], ...data } = view;
  return { sequenceId, ...checked("Opportunity", checks), data, ...(requestedBy && { requestedBy }), missing };
}

/** The way back. */
export const viewOf = ({ data, requestedBy, missing }: OpportunityEnvelope): OpportunityView => ({
  ...data,
  ...(requestedBy && { requestedBy }),
  ...(missing && { missing }),
});
