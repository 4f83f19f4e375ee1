import * as z from "zod";
import { choice, LineText, Metadata, ProcessingStatus, said, Text } from "../../domain/shapes.ts";
import { Party } from "../../extraction/document/shapes.ts";
import { OpportunityView } from "../../extraction/kinds/opportunity/view.ts";
import { extractionShape } from "../intake/index.ts";

// What it is

/** A request for a quote as words. */
export const OpportunityInput = z
  .object({
    inputText: said(Text(1_000_000)).describe("The request as text."),
    html: said(Text(1_000_000)).describe("The request as HTML, instead of text."),
    subject: said(LineText(1000)).describe("Subject of the mail it came in."),
    from: said(LineText(320)).describe("Who sent it: an e-mail address, a name before it in `Name <address>`."),
    metadata: said(Metadata),
  })
  .refine(({ inputText, html }) => (inputText === undefined) !== (html === undefined), {
    message: "Either inputText or html must be given",
    path: ["inputText"],
    params: { code: "required" },
  })
  .meta({ id: "OpportunityInput" });

/** What may come with a file. */
export const OpportunityFileFields = z
  .object({
    type: choice(["Pdf", "Image"]).optional().describe("May be left out: the bytes say what they are."),
    additionalInfo: Text(100_000)
      .optional()
      .describe("Text that goes with the file, such as the body of the mail it came in."),
    metadata: Metadata.optional(),
  })
  .meta({ id: "OpportunityFileFields" });

/** The body of a freight, as far as the request gives it. */
export const OpportunityData = OpportunityView.omit({ requestedBy: true, missing: true }).meta({
  id: "OpportunityData",
});
export type OpportunityData = z.output<typeof OpportunityData>;

/** The envelope in which every request is answered. */
export const OpportunityEnvelope = z
  .object({
    sequenceId: z.number().int().describe("Numbers the lanes found in one file, from 0."),
    status: ProcessingStatus,
    message: z.string().optional(),
    errorCode: z.string().optional(),
    data: OpportunityData.optional(),
    requestedBy: Party.optional().describe("Who asks; its evidence stands under `/requestedBy`."),
    missing: OpportunityView.shape.missing,
    metadata: Metadata.optional(),
  })
  .meta({ id: "OpportunityEnvelope" });
export type OpportunityEnvelope = z.output<typeof OpportunityEnvelope>;

/** The same, filled up so that its `data` can be posted as a freight. */
export const FilledOpportunity = OpportunityEnvelope.extend({
  transitTime: z.string().optional().describe("From the first stop to the last, driving and resting: `hh:mm:ss`."),
  defaulted: z
    .array(z.string())
    .optional()
    .describe("What was not read but filled in or widened, as JSON pointers into `data`."),
}).meta({ id: "FilledOpportunity" });
export type FilledOpportunity = z.output<typeof FilledOpportunity>;

/** The same in the form that the company's mapping profile gives it. */
export const MappedOpportunity = OpportunityEnvelope.extend({
  data: z.record(z.string(), z.unknown()).optional().describe("As the mapping profile says."),
}).meta({ id: "MappedOpportunity" });

export const ReceivedOpportunity = z
  .object({
    opportunityId: z.string(),
    duplicateOf: z
      .string()
      .optional()
      .describe("The same bytes came before, within 24 hours: this is the request they made."),
    status: ProcessingStatus.optional().describe("With `Prefer: wait=N`."),
    opportunities: z
      .array(OpportunityEnvelope)
      .optional()
      .describe("With `Prefer: wait=N`, once the request is read: one for each lane."),
  })
  .meta({ id: "ReceivedOpportunity" });

export const OpportunityExtraction = extractionShape("opportunityId", "OpportunityExtraction");
export type OpportunityExtraction = z.output<typeof OpportunityExtraction>;

export const OpportunityRow = z
  .object({
    opportunityId: z.string(),
    status: ProcessingStatus,
    externalNumber: z.string().optional(),
    requestedBy: z.object({ name: z.string().optional(), vatCode: z.string().optional() }).optional(),
    loading: z.string().optional().describe("Country, postcode and town of the first loading."),
    unloading: z.string().optional().describe("Country, postcode and town of the last unloading."),
    loadingDate: z.string().optional(),
    unloadingDate: z.string().optional(),
    price: z.number().optional(),
    currency: z.string().optional(),
    lanes: z.number().int().describe("How many lanes the request holds."),
    missing: OpportunityView.shape.missing,
    fileName: z.string(),
    errorCode: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "OpportunityRow" });
export type OpportunityRow = z.output<typeof OpportunityRow>;
