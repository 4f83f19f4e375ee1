import * as z from "zod";
import type { StoredFile } from "../../platform/files.ts";
import { choice, optional, Text } from "../../domain/shapes.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import { adviceOn, QualityReason, QualityVerdict } from "../quality/model.ts";

// Documents of a carrier order: shapes, state and status changes.

/** Types of documents that a carrier can upload. */
export const documentTypes = [
  "cmr",
  "invoice",
  "packingList",
  "deliveryNote",
  "weightTicket",
  "temperatureReport",
  "palletReceipt",
  "photo",
  "other",
] as const;
export type DocumentType = (typeof documentTypes)[number];
export const DocumentTypeChoice = choice(documentTypes);

export const documentStatuses = ["Uploaded", "Accepted", "Rejected", "Superseded"] as const;
export const DocumentStatus = z.enum(documentStatuses).meta({ id: "CarrierDocumentStatus" });
export type DocumentStatus = z.output<typeof DocumentStatus>;

export const OrderDocumentView = z
  .object({
    documentId: z.string(),
    type: z.enum(documentTypes),
    fileName: z.string(),
    contentType: z.string().describe("Media type, detected from the bytes."),
    sizeBytes: z.number().int(),
    status: DocumentStatus,
    reason: z.string().optional().describe("Reason of the rejection or acceptance."),
    comment: z.string().optional().describe("Comment sent with the upload."),
    quality: z
      .object({
        verdict: QualityVerdict,
        score: z.number().int().min(0).max(100),
        reasons: z.array(QualityReason).describe("Problems, the most severe first."),
        advice: z.string().describe("What to do, as one sentence."),
      })
      .meta({ id: "CarrierDocumentQuality" })
      .optional()
      .describe("Readability of an image or a PDF, if it could be determined during the upload."),
    uploadedBy: z.enum(["Carrier", "Company"]).describe("`Carrier`: uploaded on the page behind the link."),
    uploadedAt: z.string(),
  })
  .meta({ id: "CarrierDocument" });
export type OrderDocumentView = z.output<typeof OrderDocumentView>;

export const DocumentFields = z
  .object({
    documentType: DocumentTypeChoice.optional().describe("Required: here, or in the query."),
    comment: optional(Text(2000)).describe("Comment on the document."),
  })
  .meta({ id: "CarrierDocumentFields" });

export const Verdict = z
  .object({
    status: choice(["Accepted", "Rejected"]),
    reason: optional(Text(2000)).describe("Shown to the carrier if the document is rejected."),
  })
  .meta({ id: "CarrierDocumentVerdict" });
export type Verdict = z.output<typeof Verdict>;

/** A document uploaded for an order. */
export interface UploadedDocument {
  documentId: string;
  type: DocumentType;
  file: StoredFile;
  status: DocumentStatus;
  reason?: string;
  comment?: string;
  /** Readability; absent if it could not be determined during the upload. */
  quality?: Judgement;
  uploadedBy: OrderDocumentView["uploadedBy"];
  uploadedAt: string;
  /**
   * Number of the link at the time of the upload. The link of a new carrier has a new number, so that the new carrier
   * does not see the documents of the previous one.
   */
  link: number;
  /**
   * The document was withdrawn, because its collection was split again in another way. If it is uploaded again, it
   * becomes a new document.
   */
  isWithdrawn?: true;
}

/** A document whose status changed. */
export interface StatusChange {
  document: UploadedDocument;
  previousStatus: DocumentStatus;
}

interface DocumentsAfterChange {
  documents: UploadedDocument[];
  changes: StatusChange[];
}

export const missingTypes = (
  required: readonly DocumentType[],
  documents: readonly UploadedDocument[],
): DocumentType[] => required.filter((type) => !documents.some((one) => one.type === type && isCurrent(one)));

/** Whether the document counts towards the status of its order. */
export const isCurrent = ({ status }: UploadedDocument): boolean => status !== "Superseded";

/** The documents and the valid link of an order, with the property names of the stored state. */
type WithDocuments = { papers: UploadedDocument[]; link: { number: number } };

/**
 * Returns the documents of the current carrier: those that were uploaded with the valid link, or with an earlier link
 * of the same number.
 */
export const documentsOfLink = ({ papers, link }: WithDocuments): UploadedDocument[] =>
  papers.filter((document) => document.link === link.number);

/** Returns the documents that the carrier uploaded itself with the valid link. The carrier may see only these. */
export const documentsByCarrier = (order: WithDocuments): UploadedDocument[] =>
  documentsOfLink(order).filter(({ uploadedBy }) => uploadedBy === "Carrier");

/** Returns the statuses that a verdict may set. */
export const allowedVerdicts = ({ status }: UploadedDocument): Verdict["status"][] =>
  status === "Superseded"
    ? []
    : status === "Uploaded"
      ? ["Accepted", "Rejected"]
      : [status === "Accepted" ? "Rejected" : "Accepted"];

/**
 * Applies a verdict. An accepted document supersedes earlier ones of its type. The first item of `changes` is the
 * document itself.
 */
export function applyVerdict(
  documents: readonly UploadedDocument[],
  documentId: string,
  { status, reason }: Verdict,
): DocumentsAfterChange {
  const at = documents.findIndex((document) => document.documentId === documentId);
  const { reason: _, ...subject } = documents[at]!;
  const verdict: UploadedDocument = { ...subject, status, ...(reason && { reason }) };
  const after = documents.map((document, index): UploadedDocument => {
    if (index === at) return verdict;
    const isEarlier = index < at && document.type === verdict.type && isCurrent(document);
    return isEarlier && status === "Accepted" ? { ...document, status: "Superseded" } : document;
  });
  return { documents: after, changes: changesBetween(documents, after, documentId) };
}

/** Supersedes all documents, because the order was assigned to another carrier. */
export function supersedeAll(documents: readonly UploadedDocument[]): DocumentsAfterChange {
  const after = documents.map((document): UploadedDocument =>
    isCurrent(document) ? { ...document, status: "Superseded" } : document,
  );
  return { documents: after, changes: changesBetween(documents, after) };
}

/** Withdraws a document, unless it was accepted or rejected. */
export function withdrawDocument(documents: readonly UploadedDocument[], documentId: string): DocumentsAfterChange {
  const after = documents.map((document): UploadedDocument =>
    document.documentId === documentId && document.status === "Uploaded"
      ? { ...document, status: "Superseded", isWithdrawn: true }
      : document,
  );
  return { documents: after, changes: changesBetween(documents, after) };
}

function changesBetween(
  before: readonly UploadedDocument[],
  after: UploadedDocument[],
  first?: string,
): StatusChange[] {
  const changes = after.flatMap((document, index) => {
    const previousStatus = before[index]!.status;
    return previousStatus === document.status ? [] : [{ document, previousStatus }];
  });
  return changes.sort((a, b) => Number(b.document.documentId === first) - Number(a.document.documentId === first));
}

export const viewOfDocument = ({
  documentId,
  type,
  file,
  status,
  reason,
  comment,
  quality,
  uploadedBy,
  uploadedAt,
}: UploadedDocument): OrderDocumentView => ({
  documentId,
  type,
  fileName: file.name,
  contentType: file.mediaType,
  sizeBytes: file.sizeBytes,
  status,
  ...(reason && { reason }),
  ...(comment && { comment }),
  ...(quality && { quality: { ...quality, advice: adviceOn(quality.reasons) } }),
  uploadedBy,
  uploadedAt,
});
