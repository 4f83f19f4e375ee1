import * as z from "zod";
import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { choice, Metadata, ProcessingStatus, optional } from "../../domain/shapes.ts";
import type { FileArea, Intake } from "../intake/model.ts";
import { foundTypes, type FoundType } from "../quality/model.ts";
import { viewExample } from "./examples.ts";

export const CollectionFields = z
  .object({
    attachTo: optional(choice(["CarrierOrders", "Nothing"])).describe(
      "`CarrierOrders`, the default, attaches documents that name exactly one carrier order to that order, if the key may write orders.",
    ),
    metadata: optional(Metadata),
  })
  .meta({ id: "DocumentCollectionFields" });

const CollectedFileView = z
  .object({
    fileId: z.string(),
    fileName: z.string(),
    contentType: z.string().describe("Media type, detected from the bytes."),
    sizeBytes: z.number().int(),
    pages: z.number().int().optional().describe("Absent until it is known, and for a file that cannot be opened."),
  })
  .meta({ id: "CollectedFile" });

const CollectedDocumentView = z
  .object({
    documentId: z
      .string()
      .describe(
        "Invoices, receipts, CMR notes, fines and policies are also documents: `GET /api/v1/documents/{documentId}`.",
      ),
    type: z.enum(foundTypes),
    confidence: z.number().min(0).max(1).describe("Confidence of the type and of the first page."),
    status: ProcessingStatus,
    fileId: z.string().describe("The file that contains its pages."),
    pageFrom: z.number().int().min(1),
    pageTo: z.number().int().min(1),
    items: z
      .array(
        z.object({
          itemId: z.string(),
          page: z.number().int().min(1).optional().describe("Page number in its file."),
          picture: z.string().optional().describe("Name of an image in an office document."),
        }),
      )
      .describe("Its pages, followed by its images."),
    orders: z
      .array(z.object({ orderId: z.string(), orderNumber: z.string() }))
      .optional()
      .describe("Carrier orders whose numbers the document contains."),
    attachedTo: z
      .string()
      .optional()
      .describe(
        "The order it was attached to, where it has the same `documentId`. Absent if the document names several orders.",
      ),
  })
  .meta({ id: "CollectedDocument" });

export const CollectionView = z
  .object({
    collectionId: z.string(),
    status: ProcessingStatus,
    message: z.string().optional(),
    errorCode: z.string().optional(),
    files: z.array(CollectedFileView).describe("In the order of the upload."),
    documents: z.array(CollectedDocumentView).describe("In the order of the pages."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "DocumentCollection" });
export type CollectionView = z.output<typeof CollectionView>;

/** A collection in a list: with file names and a count instead of files and documents. */
export const CollectionRow = CollectionView.omit({ files: true, documents: true })
  .extend({
    fileNames: z.array(z.string()).describe("In the order of the upload."),
    documentCount: z.number().int().describe("Number of documents found."),
  })
  .meta({ id: "DocumentCollectionRow" });
export type CollectionRow = z.output<typeof CollectionRow>;

/** Page ranges of the documents, as set by feedback. */
export const Bounds = z
  .array(
    z.object({
      fileId: z.string().max(100).toLowerCase(),
      pageFrom: z.number().int().min(1),
      pageTo: z.number().int().min(1),
      type: choice(foundTypes).optional().describe("Detected if omitted."),
    }),
  )
  .min(1)
  .max(300);
export type Bounds = z.output<typeof Bounds>;

export const ReceivedCollection = z
  .object({
    collectionId: z.string(),
    status: ProcessingStatus.optional().describe("With `Prefer: wait=N`."),
    collection: CollectionView.optional().describe("With `Prefer: wait=N`, if the collection was split."),
  })
  .meta({ id: "ReceivedDocumentCollection" });

export const events = {
  DocumentCollectionProcessed: CollectionView.meta({
    id: "DocumentCollectionProcessed",
    description: "A document collection was split into documents, or could not be split.",
    examples: [viewExample],
  }),
  DocumentCollectionDeleted: z.object({ collectionId: z.string() }).meta({
    id: "DocumentCollectionDeleted",
    description: "A document collection was deleted. Documents created from it remain.",
    examples: [{ collectionId: viewExample.collectionId }],
  }),
};

export interface CollectedFile extends StoredFile {
  fileId: string;
}

export interface CollectedDocument {
  documentId: string;
  type: FoundType;
  confidence: number;
  status: ProcessingStatus;
  fileId: string;
  pageFrom: number;
  pageTo: number;
  /** Whether documents of this kind are extracted, and so have a record with this id in the area of documents. */
  isRead: boolean;
  isSaid?: boolean;
  /** A file with only the pages of this document. */
  file: StoredFile;
  items: CollectedItem[];
  orders?: { orderId: string; orderNumber: string }[];
  attachedTo?: string;
  /**
   * Id of the document in the order `attachedTo`, if it is not `documentId`: a document of the collection with the same
   * bytes was attached before.
   */
  paperId?: string;
}

/** A page of a document, or an image in an office document. */
export interface CollectedItem {
  itemId: string;
  page?: number;
  picture?: string;
}

export interface CollectionFindings {
  /** Number of pages by file id. */
  pages: Record<string, number>;
  documents: CollectedDocument[];
}

/** A collection of scanned documents. `file` is the first of `files`. */
export interface Collection extends Intake {
  files: CollectedFile[];
  attaches: boolean;
  bounds?: Bounds;
  findings?: CollectionFindings;
  /** Parts that must still be prescanned. Absent if a single worker processes the whole collection. */
  ahead?: Record<string, PartProgress>;
}

export interface PartProgress {
  /** Number of interrupted attempts. */
  begun: number;
  lease?: Lease;
}

export const files: FileArea<"collectionId"> = {
  binding: "DOCUMENT_COLLECTIONS",
  // The folder contains findings, recognised pages, and documents whose kind is not extracted.
  folder: "document-collections",
  idName: "collectionId",
  jobs: { extract: "documentCollections.split", remove: "documentCollections.remove" },
};

/** Job that prescans a part, whose name follows after a slash. */
export const prescanJob = "documentCollections.look";

/** Returns the result of the last successful split. Earlier releases stored it in the envelope. */
export const findingsOf = ({ findings, envelopes }: Collection): CollectionFindings | undefined =>
  findings ?? (envelopes[0]?.data as CollectionFindings | undefined);

export const documentsOf = (collection: Collection): CollectedDocument[] => findingsOf(collection)?.documents ?? [];

/** @param statuses current statuses of the documents that were processing when the collection was split */
export function viewOf(
  state: Collection,
  collectionId: string,
  statuses: ReadonlyMap<string, ProcessingStatus> = new Map(),
): CollectionView {
  const { status, envelopes, files, metadata, createdAt, updatedAt } = state;
  const findings = findingsOf(state);
  const { message, errorCode } = envelopes[0] ?? {};
  return {
    collectionId,
    status,
    ...omitUndefined({ message, errorCode }),
    files: files.map(({ fileId, name, mediaType, sizeBytes }) => ({
      fileId,
      fileName: name,
      contentType: mediaType,
      sizeBytes,
      ...omitUndefined({ pages: findings?.pages[fileId] }),
    })),
    documents: documentsOf(state).map((document) => {
      const { documentId, type, confidence, fileId, pageFrom, pageTo, items, orders, attachedTo } = document;
      const status = statuses.get(documentId) ?? document.status;
      const view = { documentId, type, confidence, status, fileId, pageFrom, pageTo, items };
      return { ...view, ...omitUndefined({ orders, attachedTo }) };
    }),
    ...omitUndefined({ metadata }),
    createdAt,
    updatedAt,
  };
}
