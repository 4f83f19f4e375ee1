import { readDocument } from "../../extraction/extract.ts";
import { readingAt, removingAt } from "../intake/index.ts";
import { envelopeOf } from "./envelope.ts";
import { folder, reading, type Opportunity } from "./opportunity.ts";
import type { OpportunityEnvelope } from "./shapes.ts";
import { commands } from "./commands.ts";

/** The work `opportunities.read`: a request becomes the lanes in it. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "opportunityId",
  commands,
  read: (_: Opportunity, file, context, tools) => readDocument("opportunity", file, context, tools),
  found: ({ items }): OpportunityEnvelope[] => items.map(envelopeOf),
  nothing: { reason: "input_not_freight", message: "The document asks for no carriage." },
});

/** The work `opportunities.remove`. */
export const remove = removingAt({ folder, commands });
