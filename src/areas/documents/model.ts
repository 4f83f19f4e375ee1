import * as z from "zod";
import { choice, Metadata, ProcessingStatus, optional } from "../../domain/shapes.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { evidenceShape } from "../intake/evidence.ts";
import { receivedShape, type Envelope, type FileArea, type Intake } from "../intake/model.ts";
import { failedExample, viewExample } from "./examples.ts";
import { documentTypes, kindOfType, typeOfKind, type DocumentKind, type DocumentType as TypeName } from "./kinds.ts";

export const DocumentType = z.enum(documentTypes).meta({ id: "DocumentType" });

export const DocumentFields = z
  .object({
    type: optional(choice(documentTypes)).describe("Type of the document. Detected if omitted."),
    fileType: optional(choice(["Pdf", "Image"])).describe("May be omitted: the format is detected from the bytes."),
    metadata: optional(Metadata),
  })
  .meta({ id: "DocumentFields" });

const EnvelopeFields = z.object({
  status: ProcessingStatus,
  message: z.string().optional(),
  errorCode: z.string().optional(),
});

/** Returns the schema of a document of one kind. */
export const documentOf = <View extends z.ZodType>(id: string, data: View) =>
  z.object({ ...EnvelopeFields.shape, data: data.optional(), metadata: Metadata.optional() }).meta({ id });

export const DocumentView = z
  .object({
    documentId: z.string(),
    type: DocumentType.optional().describe("As sent or as detected. Absent until it is detected."),
    fileName: z.string(),
    ...EnvelopeFields.shape,
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The same as in the response of the operation for its kind."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Document" });
export type DocumentView = z.output<typeof DocumentView>;

export const ReceivedDocument = receivedShape(
  "documentId",
  "ReceivedDocument",
  { document: DocumentView.optional().describe("With `Prefer: wait=N`, if the extraction has ended.") },
  { sameFile: "The same bytes were sent with the same `type` within the last 180 days" },
);

export const DocumentExtraction = evidenceShape("documentId", "DocumentExtraction");
export type DocumentExtraction = z.output<typeof DocumentExtraction>;

export const DocumentRow = z
  .object({
    documentId: z.string(),
    type: DocumentType.optional(),
    status: ProcessingStatus,
    number: z.string().optional().describe("Number of the invoice, receipt, CMR note, case or policy."),
    date: z
      .string()
      .optional()
      .describe("Date of issue, of taking over or of the offence, or start of validity: local, with a time if known."),
    parties: z
      .array(z.object({ name: z.string().optional(), vatCode: z.string().optional() }))
      .optional()
      .describe("Parties named in the document."),
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

export const events = {
  DocumentProcessed: DocumentView.meta({
    id: "DocumentProcessed",
    description: "The data of a document was extracted.",
    examples: [viewExample],
  }),
  DocumentFailed: DocumentView.meta({
    id: "DocumentFailed",
    description: "A document could not be processed, or is of another kind than it was sent as.",
    examples: [failedExample],
  }),
  DocumentDeleted: z.object({ documentId: z.string() }).meta({
    id: "DocumentDeleted",
    description: "A document was deleted.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

export interface DocumentEnvelope extends Envelope {
  kind?: DocumentKind;
  data?: Record<string, unknown>;
}

/** An invoice, a receipt, a CMR note, a fine or a policy. */
export interface Document extends Intake<DocumentEnvelope> {
  asked?: TypeName;
}

export const files: FileArea<"documentId"> = {
  binding: "DOCUMENTS",
  folder: "documents",
  idName: "documentId",
  jobs: { extract: "documents.read", remove: "documents.remove" },
};

/** Returns the kind that the caller sent, otherwise the detected kind. Undefined until one is detected. */
export const kindOf = ({ asked, envelopes }: Pick<Document, "asked" | "envelopes">): DocumentKind | undefined =>
  asked ? kindOfType(asked) : envelopes[0]?.kind;

/**
 * Returns a part of the name of the claim on the bytes, so that the same bytes can be sent once for each type: a file
 * that is not an invoice may be a receipt.
 */
export const variantOf = ({ asked }: Pick<Document, "asked">): string => asked ?? "any";

/** Returns the response of the operations for one kind, such as `readInvoice`. */
export function envelopeOf({ status, envelopes, metadata }: Document) {
  const { message, errorCode, data } = envelopes[0] ?? {};
  return { status, ...omitUndefined({ message, errorCode, data, metadata }) };
}

export function viewOf(document: Document, documentId: string): DocumentView {
  const kind = kindOf(document);
  const { createdAt, updatedAt, file } = document;
  return {
    documentId,
    ...(kind && { type: typeOfKind(kind) }),
    fileName: file.name,
    ...envelopeOf(document),
    createdAt,
    updatedAt,
  };
}
