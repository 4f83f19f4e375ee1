import * as z from "zod";
import { listParameters } from "../../platform/lists.ts";
import {
  choice,
  Metadata,
  ProcessingStatus,
  processingStatuses,
  QueryMoment,
  QueryMomentEnd,
  said,
} from "../../domain/shapes.ts";
import { foundTypes } from "../quality/shapes.ts";

// What it is

/** What comes with the files. */
export const CollectionFields = z
  .object({
    attachTo: said(choice(["CarrierOrders", "Nothing"])).describe(
      "Documents that name one carrier order are handed in for it, where the key may write orders. `CarrierOrders` when not said.",
    ),
    metadata: said(Metadata),
  })
  .meta({ id: "DocumentCollectionFields" });

const PiledFileView = z
  .object({
    fileId: z.string(),
    fileName: z.string(),
    contentType: z.string().describe("What its bytes say."),
    sizeBytes: z.number().int(),
    pages: z.number().int().optional().describe("Absent while nobody knows, and for a file that cannot be opened."),
  })
  .meta({ id: "CollectedFile" });

const PiledDocumentView = z
  .object({
    documentId: z
      .string()
      .describe("Invoices, receipts, CMR notes, fines and policies are read: `GET /api/v1/documents/{documentId}`."),
    type: z.enum(foundTypes),
    confidence: z.number().min(0).max(1).describe("That it is of this type and begins where it begins."),
    status: ProcessingStatus,
    fileId: z.string().describe("The file its pages lie in."),
    pageFrom: z.number().int().min(1),
    pageTo: z.number().int().min(1),
    items: z
      .array(
        z.object({
          itemId: z.string(),
          page: z.number().int().min(1).optional().describe("In its file."),
          picture: z.string().optional().describe("Name of a photograph or a scan that an office document holds."),
        }),
      )
      .describe("Its pages, and then pictures in it."),
    orders: z
      .array(z.object({ orderId: z.string(), orderNumber: z.string() }))
      .optional()
      .describe("Carrier orders whose numbers stand in it."),
    attachedTo: z
      .string()
      .optional()
      .describe("The order it was handed in for; its paper there has the same `documentId`. Of several orders: none."),
  })
  .meta({ id: "CollectedDocument" });

export const CollectionView = z
  .object({
    collectionId: z.string(),
    status: ProcessingStatus,
    message: z.string().optional(),
    errorCode: z.string().optional(),
    files: z.array(PiledFileView).describe("In the order they came."),
    documents: z.array(PiledDocumentView).describe("In the order of the pages."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "DocumentCollection" });
export type CollectionView = z.output<typeof CollectionView>;

/** In lists, with numbers instead of files and documents. */
export const CollectionRow = CollectionView.omit({ files: true, documents: true })
  .extend({
    fileNames: z.array(z.string()).describe("In the order they came."),
    documentCount: z.number().int().describe("Documents that were found in it."),
  })
  .meta({ id: "DocumentCollectionRow" });
export type CollectionRow = z.output<typeof CollectionRow>;

export const CollectionListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt"]),
  status: choice(processingStatuses).optional(),
  type: choice(foundTypes).optional().describe("Of any document that was found in it."),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words of the files' names; each may be the beginning of one."),
});

/** Where documents begin and end, as somebody says who has seen the pile. */
export const Bounds = z
  .array(
    z.object({
      fileId: z.string().max(100).toLowerCase(),
      pageFrom: z.number().int().min(1),
      pageTo: z.number().int().min(1),
      type: choice(foundTypes).optional().describe("Found out when not said."),
    }),
  )
  .min(1)
  .max(300);
export type Bounds = z.output<typeof Bounds>;

export const ReceivedCollection = z
  .object({
    collectionId: z.string(),
    status: ProcessingStatus.optional().describe("With `Prefer: wait=N`."),
    collection: CollectionView.optional().describe("With `Prefer: wait=N`, once the pile was taken apart."),
  })
  .meta({ id: "ReceivedDocumentCollection" });
