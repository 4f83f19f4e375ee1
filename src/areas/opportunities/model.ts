import * as z from "zod";
import { LineText, Metadata, optional, ProcessingStatus, Text } from "../../domain/shapes.ts";
import { Party } from "../../extraction/document/shapes.ts";
import { OpportunityView } from "../../extraction/kinds/opportunity/view.ts";
import type { ExtractedItem } from "../../extraction/document/extraction-result.ts";
import { evidenceShape } from "../intake/evidence.ts";
import { fileFields, receivedShape, statusOfChecks, type FileArea, type Intake } from "../intake/model.ts";
import { routeView } from "../intake/route-search.ts";
import { example, failedExample, opportunityId } from "./examples.ts";

/** A request for a quote as text. */
export const OpportunityInput = z
  .object({
    inputText: optional(Text(1_000_000)).describe("The request as text."),
    html: optional(Text(1_000_000)).describe("The request as HTML, instead of text."),
    subject: optional(LineText(1000)).describe("Subject of the mail that contains the request."),
    from: optional(LineText(320)).describe("Sender: an e-mail address, or `Name <address>`."),
    metadata: optional(Metadata),
  })
  .refine(({ inputText, html }) => (inputText === undefined) !== (html === undefined), {
    message: "inputText or html is required, but not both",
    path: ["inputText"],
    params: { code: "required" },
  })
  .meta({ id: "OpportunityInput" });

export const OpportunityFileFields = z.object(fileFields).meta({ id: "OpportunityFileFields" });

/** The body of a freight, as far as the request states it. */
export const OpportunityData = OpportunityView.omit({ requestedBy: true, missing: true }).meta({
  id: "OpportunityData",
});
export type OpportunityData = z.output<typeof OpportunityData>;

/** The result of one lane of a request. */
export const OpportunityEnvelope = z
  .object({
    sequenceId: z.number().int().describe("Number of the lane in the file, from 0."),
    status: ProcessingStatus,
    message: z.string().optional(),
    errorCode: z.string().optional(),
    data: OpportunityData.optional(),
    requestedBy: Party.optional().describe("The requesting party. Its evidence is under `/requestedBy`."),
    missing: OpportunityView.shape.missing,
    metadata: Metadata.optional(),
  })
  .meta({ id: "OpportunityEnvelope" });
export type OpportunityEnvelope = z.output<typeof OpportunityEnvelope>;

/** The result of a lane, completed so that its `data` can be posted as a freight. */
export const FilledOpportunity = OpportunityEnvelope.extend({
  transitTime: z
    .string()
    .optional()
    .describe("Time from the first stop to the last, rest periods included: `hh:mm:ss`."),
  defaulted: z.array(z.string()).optional().describe("JSON pointers into `data` of values that were added or widened."),
}).meta({ id: "FilledOpportunity" });
export type FilledOpportunity = z.output<typeof FilledOpportunity>;

/** The result of a lane, in the format of the company's mapping profile. */
export const MappedOpportunity = OpportunityEnvelope.extend({
  data: z.record(z.string(), z.unknown()).optional().describe("In the format of the mapping profile."),
}).meta({ id: "MappedOpportunity" });

export const ReceivedOpportunity = receivedShape(
  "opportunityId",
  "ReceivedOpportunity",
  {
    opportunities: z
      .array(OpportunityEnvelope)
      .optional()
      .describe("With `Prefer: wait=N`, if the extraction has ended: one for each lane."),
  },
  { sameFile: "The same bytes were sent within the last 24 hours" },
);

export const OpportunityExtraction = evidenceShape("opportunityId", "OpportunityExtraction");
export type OpportunityExtraction = z.output<typeof OpportunityExtraction>;

export const OpportunityRow = z
  .object({
    opportunityId: z.string(),
    status: ProcessingStatus,
    externalNumber: z.string().optional(),
    requestedBy: z.object({ name: z.string().optional(), vatCode: z.string().optional() }).optional(),
    ...routeView,
    price: z.number().optional(),
    currency: z.string().optional(),
    lanes: z.number().int().describe("Number of lanes in the request."),
    missing: OpportunityView.shape.missing,
    fileName: z.string(),
    errorCode: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "OpportunityRow" });
export type OpportunityRow = z.output<typeof OpportunityRow>;

export const events = {
  OpportunityProcessed: z.array(OpportunityEnvelope).meta({
    id: "OpportunityProcessed",
    description: "The lanes of a request for a quote were extracted, or corrected: one envelope for each.",
    examples: [[example]],
  }),
  OpportunityFailed: z.array(OpportunityEnvelope).meta({
    id: "OpportunityFailed",
    description: "No request for a quote was found in a file or text.",
    examples: [[failedExample]],
  }),
  OpportunityDeleted: z.object({ opportunityId: z.string() }).meta({
    id: "OpportunityDeleted",
    description: "A request for a quote was deleted.",
    examples: [{ opportunityId }],
  }),
};

export type Opportunity = Intake<OpportunityEnvelope>;

export const files: FileArea<"opportunityId"> = {
  binding: "OPPORTUNITIES",
  folder: "opportunities",
  idName: "opportunityId",
  jobs: { extract: "opportunities.read", remove: "opportunities.remove" },
};

/**
 * Creates the envelope of an extracted lane. The requesting party and the missing fields are not part of the freight's
 * data.
 */
export function envelopeOf(
  { data: view, checks }: Pick<ExtractedItem<OpportunityView>, "data" | "checks">,
  sequenceId: number,
): OpportunityEnvelope {
  const { requestedBy, missing = [], ...data } = view;
  return { sequenceId, ...statusOfChecks("Opportunity", checks), data, ...(requestedBy && { requestedBy }), missing };
}

/** Restores the view from which an envelope was created. */
export const viewOf = ({ data, requestedBy, missing }: OpportunityEnvelope): OpportunityView => ({
  ...data,
  ...(requestedBy && { requestedBy }),
  ...(missing && { missing }),
});
