import type { StoredFile } from "../../kit/files.ts";
import { given } from "../../kit/given.ts";
import type { ProcessingStatus } from "../../kit/shapes.ts";
import type { Envelope, Intake } from "../intake/index.ts";
import type { FoundType } from "../quality/shapes.ts";
import { viewExample } from "./example.ts";
import { CollectionView, type Bounds } from "./shapes.ts";

// What happens to it

export const events = {
  DocumentCollectionProcessed: CollectionView.meta({
    id: "DocumentCollectionProcessed",
    description: "A pile of scans was taken apart, or could not be.",
    examples: [viewExample],
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
  items: { itemId: string; page: number }[];
}

/** What a pile came to. */
export interface CollectionFindings {
  /** By their ids, how many pages each file has. */
  pages: Record<string, number>;
  documents: PiledDocument[];
}

export interface CollectionEnvelope extends Envelope {
  data?: CollectionFindings;
}

/** A pile of scans; `file` is the first of its files. */
export interface Collection extends Intake<CollectionEnvelope> {
  files: PiledFile[];
  /** Where its documents begin and end, as somebody said. */
  bounds?: Bounds;
}

/** The work that takes it apart. */
export const splitting = "documentCollections.split";

export const documentsOf = ({ envelopes }: Collection): PiledDocument[] => envelopes[0]?.data?.documents ?? [];

/** @param statuses those of documents that have been read since */
export function viewOf(
  now: Collection,
  collectionId: string,
  statuses: ReadonlyMap<string, ProcessingStatus> = new Map(),
): CollectionView {
  const { status, envelopes, files, metadata, createdAt, updatedAt } = now;
  const { message, errorCode, data } = envelopes[0] ?? {};
  return {
    collectionId,
    status,
    ...given({ message, errorCode }),
    files: files.map(({ fileId, name, mediaType, sizeBytes }) => ({
      fileId,
      fileName: name,
      contentType: mediaType,
      sizeBytes,
      ...given({ pages: data?.pages[fileId] }),
    })),
    documents: documentsOf(now).map((document) => {
      const { documentId, type, confidence, fileId, pageFrom, pageTo, items } = document;
      const reached = statuses.get(documentId) ?? document.status;
      return { documentId, type, confidence, status: reached, fileId, pageFrom, pageTo, items };
    }),
    ...given({ metadata }),
    createdAt,
    updatedAt,
  };
}
