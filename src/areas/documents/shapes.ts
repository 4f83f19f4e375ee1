import * as z from "zod";
import { choice, Metadata, ProcessingStatus, said } from "../../domain/shapes.ts";
import { extractionShape } from "../intake/index.ts";
import { documentTypes } from "./kinds.ts";

// What it is

export const DocumentType = z.enum(documentTypes).meta({ id: "DocumentType" });

/** What comes with a file. */
export const DocumentFields = z
  .object({
    type: said(choice(documentTypes)).describe("What it is. Left out, the kind is found out."),
    fileType: said(choice(["Pdf", "Image"])).describe("May be left out: the bytes say what they are."),
    metadata: said(Metadata),
  })
  .meta({ id: "DocumentFields" });

const Envelope = z.object({
  status: ProcessingStatus,
  message: z.string().optional(),
  errorCode: z.string().optional(),
});

/** The envelope in which a document of one kind is answered. */
export const documentOf = <View extends z.ZodType>(id: string, data: View) =>
  z.object({ ...Envelope.shape, data: data.optional(), metadata: Metadata.optional() }).meta({ id });

/** A document whatever its kind. */
export const DocumentView = z
  .object({
    documentId: z.string(),
    type: DocumentType.optional().describe("As it was said, or found out. Absent while nobody knows."),
    fileName: z.string(),
    ...Envelope.shape,
    data: z.record(z.string(), z.unknown()).optional().describe("As the operation for its kind answers it."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Document" });
export type DocumentView = z.output<typeof DocumentView>;

export const ReceivedDocument = z
  .object({
    documentId: z.string(),
    duplicateOf: z
      .string()
      .optional()
      .describe("The same bytes came before as the same type, within 180 days: this is the document they made."),
    status: ProcessingStatus.optional().describe("With `Prefer: wait=N`."),
    document: DocumentView.optional().describe("With `Prefer: wait=N`, once the file is read."),
  })
  .meta({ id: "ReceivedDocument" });

export const DocumentExtraction = extractionShape("documentId", "DocumentExtraction");
export type DocumentExtraction = z.output<typeof DocumentExtraction>;

export const DocumentRow = z
  .object({
    documentId: z.string(),
    type: DocumentType.optional(),
    status: ProcessingStatus,
    number: z.string().optional().describe("Of an invoice, a receipt, a note, a case or a policy."),
    date: z
      .string()
      .optional()
      .describe("Issued, taken over, committed or valid from: a local date, perhaps with a time."),
    parties: z
      .array(z.object({ name: z.string().optional(), vatCode: z.string().optional() }))
      .optional()
      .describe("Who is named in it."),
    licensePlates: z.array(z.string()).optional(),
    amount: z.number().optional(),
    currency: z.string().optional(),
    fileName: z.string(),
    message: z.string().optional(),
    errorCode: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "DocumentRow" });
export type DocumentRow = z.output<typeof DocumentRow>;
