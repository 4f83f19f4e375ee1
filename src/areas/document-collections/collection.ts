import * as z from "zod";
import { termsFrom, tombstone, type ArchiveRow } from "../../platform/archive/archive.ts";
import type { StoredFile } from "../../platform/files.ts";
import { given } from "../../platform/omit-undefined.ts";
import type { Lease } from "../../platform/lease.ts";
import type { ProcessingStatus } from "../../domain/shapes.ts";
import type { Intake } from "../intake/index.ts";
import type { FoundType } from "../quality/shapes.ts";
import { viewExample } from "./examples.ts";
import { CollectionView, type Bounds, type CollectionRow } from "./shapes.ts";

// What happens to it

export const events = {
  DocumentCollectionProcessed: CollectionView.meta({
    id: "DocumentCollectionProcessed",
    description: "A pile of scans was taken apart, or could not be.",
    examples: [viewExample],
  }),
  DocumentCollectionDeleted: z.object({ collectionId: z.string() }).meta({
    id: "DocumentCollectionDeleted",
    description: "A pile of scans was deleted; documents that were read from it stay.",
    examples: [{ collectionId: viewExample.collectionId }],
  }),
};

// What is remembered

/** A file of the pile. */
export interface PiledFile extends StoredFile {
  fileId: string;
}

/** A document that was found in a file of the pile. */
export interface PiledDocument {
  documentId: string;
  type: FoundType;
  confidence: number;
  status: ProcessingStatus;
  fileId: string;
  pageFrom: number;
  pageTo: number;
  /** Whether it is of a kind that is read: then there is a document of this id. */
  isRead: boolean;
  /** Somebody said of which type it is. */
  isSaid?: boolean;
  /** Just its pages. */
  file: StoredFile;
  items: PiledItem[];
  /** Carrier orders whose numbers stand in it. */
  orders?: { orderId: string; orderNumber: string }[];
  /** The one of them it was handed in for. */
  attachedTo?: string;
  /** Which paper it is there, where it was handed in before as another document of the pile. */
  paperId?: string;
}

/** A page of a document, or a picture in it by its name there. */
export interface PiledItem {
  itemId: string;
  page?: number;
  picture?: string;
}

/** What a pile came to. */
export interface CollectionFindings {
  /** By their ids, how many pages each file has. */
  pages: Record<string, number>;
  documents: PiledDocument[];
}

/** A pile of scans; `file` is the first of its files. */
export interface Collection extends Intake {
  files: PiledFile[];
  /** Whether its documents are handed in for the carrier orders they name. */
  attaches: boolean;
  /** Where its documents begin and end, as somebody said. */
  bounds?: Bounds;
  /** What it came to when it was last taken apart; of one that could not be taken apart anew, before that. */
  findings?: CollectionFindings;
  /** Pages that are still to be looked at, by the names of their parts. Absent while one does it all. */
  ahead?: Record<string, Ahead>;
}

/** How it stands with a part. */
export interface Ahead {
  /** How often looking at it broke off, with or without news. */
  begun: number;
  /** Held by whoever is looking at it. */
  lease?: Lease;
}

/** The work that takes it apart. */
export const splitting = "documentCollections.split";
/** The work that deletes what is stored of one that was deleted. */
export const removing = "documentCollections.remove";
/** The work that looks at a part of its pages, whose name stands behind a slash. */
export const looking = "documentCollections.look";
/** Where its findings, what was seen of its pages, and documents that are not read lie in R2. */
export const folder = "document-collections";

/** What a pile came to; one from an earlier release has that in its envelope. */
export const findingsOf = ({ findings, envelopes }: Collection): CollectionFindings | undefined =>
  findings ?? (envelopes[0]?.data as CollectionFindings | undefined);

export const documentsOf = (pile: Collection): PiledDocument[] => findingsOf(pile)?.documents ?? [];

/** @param statuses those of documents that have been read since */
export function viewOf(
  now: Collection,
  collectionId: string,
  statuses: ReadonlyMap<string, ProcessingStatus> = new Map(),
): CollectionView {
  const { status, envelopes, files, metadata, createdAt, updatedAt } = now;
  const findings = findingsOf(now);
  const { message, errorCode } = envelopes[0] ?? {};
  return {
    collectionId,
    status,
    ...given({ message, errorCode }),
    files: files.map(({ fileId, name, mediaType, sizeBytes }) => ({
      fileId,
      fileName: name,
      contentType: mediaType,
      sizeBytes,
      ...given({ pages: findings?.pages[fileId] }),
    })),
    documents: documentsOf(now).map((document) => {
      const { documentId, type, confidence, fileId, pageFrom, pageTo, items, orders, attachedTo } = document;
      const status = statuses.get(documentId) ?? document.status;
      const found = { documentId, type, confidence, status, fileId, pageFrom, pageTo, items };
      return { ...found, ...given({ orders, attachedTo }) };
    }),
    ...given({ metadata }),
    createdAt,
    updatedAt,
  };
}

/** The archive's row: how it is listed and what it is found by. */
export function collectionRow(now: Collection, company: string, id: string): ArchiveRow {
  if (now.removed) return tombstone("documentCollections", company, id);
  const { files, documents, ...rest } = viewOf(now, id);
  const fileNames = files.map(({ fileName }) => fileName);
  const view: CollectionRow = { ...rest, fileNames, documentCount: documents.length };
  const terms = { status: now.status, internalId: now.metadata?.["internalId"] };
  return {
    table: "documentCollections",
    id,
    company,
    createdAt: now.createdAt,
    updatedAt: now.updatedAt,
    terms: [...termsFrom(terms), ...documents.map(({ type }) => `type:${type}`)],
    text: fileNames.join(" ").slice(0, 20_000),
    columns: {},
    view,
  };
}
