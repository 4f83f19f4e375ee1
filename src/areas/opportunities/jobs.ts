import { extractDocument } from "../../extraction/extract.ts";
import { fileJobs } from "../intake/jobs.ts";
import { commands } from "./commands.ts";
import { envelopeOf, files, type Opportunity, type OpportunityEnvelope } from "./model.ts";

/** Jobs that extract requests for quotes, with one envelope for each lane, and delete their files. */
export const jobs = fileJobs(files, {
  commands,
  extract: (_: Opportunity, file, context, tools) => extractDocument("opportunity", file, context, tools),
  envelopesOf: ({ items }): OpportunityEnvelope[] => items.map(envelopeOf),
  nothingFound: { reason: "input_not_freight", message: "The document contains no request for transport." },
});
