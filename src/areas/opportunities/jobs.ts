import { extractDocument } from "../../extraction/extract.ts";
import { extractionJob } from "../intake/jobs.ts";
import { removalJob } from "../intake/removal.ts";
import { commands } from "./commands.ts";
import { envelopeOf, files, type Opportunity, type OpportunityEnvelope } from "./model.ts";

/** The job `opportunities.read`: extracts the lanes of a request. */
export const extract = extractionJob(files, {
  commands,
  extract: (_: Opportunity, file, context, tools) => extractDocument("opportunity", file, context, tools),
  envelopesOf: ({ items }): OpportunityEnvelope[] => items.map(envelopeOf),
  nothingFound: { reason: "input_not_freight", message: "The document contains no request for transport." },
});

/** The job `opportunities.remove`. */
export const remove = removalJob(files, commands);
