import type { Env } from "../../platform/env.ts";
import { fileKey, storeFile, uploadedFile } from "../../platform/files.ts";
import { sha256 } from "../../platform/ids.ts";
import { isPaged, pagesOf } from "../../extraction/collections/pages-of.ts";
import { picturesIn } from "../../extraction/collections/pictures-in.ts";
import type { FoundDocument } from "../../extraction/split-collection.ts";
import { documentKinds } from "../documents/kinds.ts";
import { folder as documentFolder } from "../documents/document.ts";
import { typeOf } from "../quality/reading.ts";
import { folder, type PiledDocument, type PiledFile } from "./collection.ts";

/** A pile, and where everything of it is kept. */
export interface Place {
  company: string;
  pile: string;
  env: Env;
  /** Aborted once somebody else has taken over the pile. */
  signal: AbortSignal;
}

/**
 * Puts a document away with just its pages: with the documents where it is of a kind that is read, else with its pile.
 * @throws ReadingProblem when its pages cannot be taken out
 */
export async function putAway(
  bytes: Uint8Array,
  { fileId, name, mediaType }: PiledFile,
  { from, to, kind, confidence, isSaid }: FoundDocument,
  { company, pile, env }: Place,
): Promise<PiledDocument> {
  const documentId = await idOf(`${pile}/${fileId}/${from}-${to}${isSaid ? `/${kind}` : ""}`);
  const isRead = Object.hasOwn(documentKinds, kind);
  const part = isPaged(mediaType) ? await pagesOf(bytes, mediaType, from, to) : bytes;
  const upload =
    part === bytes
      ? await uploadedFile(name, mediaType, bytes)
      : await uploadedFile(`${name.replace(/\.\w{1,5}$/, "")} ${from}-${to}.pdf`, "application/pdf", part);
  const key = isRead
    ? fileKey(company, documentFolder, documentId, "original")
    : fileKey(company, folder, pile, documentId);
  const pages = Array.from({ length: to - from + 1 }, (_, index) => ({ page: from + index }));
  const pictures = isPaged(mediaType) ? [] : picturesIn(bytes).map((each) => ({ picture: each.name }));
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
        const [what] = Object.values(item);
        return { itemId: await idOf(`${documentId}/${what}`), ...item };
      }),
    ),
  };
}

/** The same words make the same id. */
async function idOf(words: string): Promise<string> {
  const digest = await sha256(words);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}
