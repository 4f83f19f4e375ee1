import type { Env } from "../../platform/env.ts";
import { fileKey, storeFile, uploadedFile } from "../../platform/files.ts";
import { sha256 } from "../../platform/ids.ts";
import { isPaged, extractPages } from "../../extraction/collections/extract-pages.ts";
import { imagesIn } from "../../extraction/formats/embedded-pictures.ts";
import type { FoundDocument } from "../../extraction/split-collection.ts";
import { documentKinds } from "../documents/kinds.ts";
import { files as documentFiles } from "../documents/model.ts";
import { typeOf } from "../quality/model.ts";
import { files, type CollectedDocument, type CollectedFile } from "./model.ts";

/** The collection that a job processes. */
export interface CollectionContext {
  company: string;
  collectionId: string;
  env: Env;
  /** Aborted when the worker has lost its lease. */
  signal: AbortSignal;
}

/**
 * Stores the pages of a document as a file: in the area of documents if its kind is extracted, otherwise in the folder
 * of the collection.
 * @throws ExtractionProblem if its pages cannot be extracted
 */
export async function storeDocument(
  bytes: Uint8Array,
  { fileId, name, mediaType }: CollectedFile,
  { from, to, kind, confidence, isSaid }: FoundDocument,
  { company, collectionId, env }: CollectionContext,
): Promise<CollectedDocument> {
  const documentId = await idOf(`${collectionId}/${fileId}/${from}-${to}${isSaid ? `/${kind}` : ""}`);
  const isRead = Object.hasOwn(documentKinds, kind);
  const content = isPaged(mediaType) ? await extractPages(bytes, mediaType, from, to) : bytes;
  const upload =
    content === bytes
      ? await uploadedFile(name, mediaType, bytes)
      : await uploadedFile(`${name.replace(/\.\w{1,5}$/, "")} ${from}-${to}.pdf`, "application/pdf", content);
  const key = isRead
    ? fileKey(company, documentFiles.folder, documentId, "original")
    : fileKey(company, files.folder, collectionId, documentId);
  const pages = Array.from({ length: to - from + 1 }, (_, index) => ({ page: from + index }));
  const pictures = isPaged(mediaType) ? [] : imagesIn(bytes).map((each) => ({ picture: each.name }));
  return {
    documentId,
    type: typeOf(kind),
    confidence: Math.round(confidence * 100) / 100,
    status: "Succeeded",
    fileId,
    pageFrom: from,
    pageTo: to,
    isRead,
    ...(isSaid && { isSaid }),
    file: await storeFile(env.FILES, key, upload),
    items: await Promise.all(
      [...pages, ...pictures].map(async (item) => {
        const [pageOrPicture] = Object.values(item);
        return { itemId: await idOf(`${documentId}/${pageOrPicture}`), ...item };
      }),
    ),
  };
}

async function idOf(text: string): Promise<string> {
  const digest = await sha256(text);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}
