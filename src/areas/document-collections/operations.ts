import * as z from "zod";
import type { Env } from "../../platform/env.ts";
import { fileResponse } from "../../http/file-response.ts";
import {
  fileKey,
  deleteFiles,
  storeFile,
  uploadedFile,
  type StoredFile,
  type UploadedFile,
} from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { newId } from "../../platform/ids.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { holds } from "../../platform/credential.ts";
import { Problem } from "../../platform/problem.ts";
import type { ProcessingStatus } from "../../domain/shapes.ts";
import { readStoredFile } from "../intake/stored-files.ts";
import { requestWaitMilliseconds } from "../../http/memory-pool.ts";
import type { InputFile } from "../../extraction/formats/reader.ts";
import { sniff } from "../../extraction/formats/open.ts";
import { isPaged, extractPages } from "../../extraction/collections/extract-pages.ts";
import { imagesIn } from "../../extraction/formats/embedded-pictures.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { receivedExample, rowExample, viewExample } from "./examples.ts";
import {
  CollectionFields,
  CollectionRow,
  CollectionView,
  documentsOf,
  files,
  ReceivedCollection,
  viewOf,
  type CollectedDocument,
  type CollectedFile,
  type CollectedItem,
  type Collection,
  type events,
} from "./model.ts";
import { search } from "./search.ts";

const { get, post, del } = operationsOn<Collection, typeof events>({
  binding: "DOCUMENT_COLLECTIONS",
  param: "collectionId",
  scope: "documents",
});

const location = "/api/v1/document-collections";
const { received, remove } = fileOperations(files, commands, {
  location,
  resultOf: (collection, id) => ({ status: collection.status, collection: viewOf(collection, id) }),
});

export const operations = {
  create: post("/api/v1/document-collections/files", {
    summary: "Split a collection of scanned documents",
    description:
      "Accepts 1 to 50 files in one form, up to 100 MiB and 300 pages in total. The first page of each document is detected by its text, page numbers and blank pages. Invoices, receipts, CMR notes, fines and policies are extracted like those sent to `POST /api/v1/documents`. A document that names exactly one carrier order is attached to it. Returns at once and splits in the background. With `Prefer: wait=N` the response waits up to N seconds, at most 30, and contains the documents.",
    takesFile: true,
    takesMany: true,
    waits: true,
    body: CollectionFields,
    ok: ReceivedCollection,
    status: 202,
    orStatus: 200,
    example: { body: { metadata: { internalId: "SCAN-88" } }, reply: receivedExample },
    handle: ({ body }, context) => receive(context, body),
  }),

  list: get("/api/v1/document-collections", {
    summary: "List document collections",
    description: "Newest first by default. A new collection appears in the list after about a second.",
    ...search.listing(CollectionRow),
    example: { query: { status: "Succeeded" }, reply: { items: [rowExample] } },
  }),

  read: get("/api/v1/document-collections/:collectionId", {
    summary: "Read a document collection",
    ok: CollectionView,
    example: { reply: viewExample },
    async handle({ params: { collectionId } }, context) {
      const { reply: collection, version } = await context.execute(commands.look, collectionId, {});
      return new Answer(viewOf(collection, collectionId, await statusesOf(collection, context)), { version });
    },
  }),

  remove: del("/api/v1/document-collections/:collectionId", {
    summary: "Delete a document collection",
    description:
      "Deletes the collection with its files. Extracted documents remain under `/api/v1/documents`, and attached documents remain with their orders. Deleting it again returns 204.",
    ...remove,
  }),

  file: get("/api/v1/document-collections/:collectionId/documents/:documentId/file", {
    summary: "Download a document of a collection",
    description: "Returns a PDF of its pages. A file that is a single document and not a scan is returned unchanged.",
    returnsFile: true,
    ok: z.string().describe("The bytes."),
    async handle({ params: { collectionId, documentId } }, { env, request, send }) {
      const { file } = await send(commands.document, collectionId, { documentId });
      return fileResponse(env.FILES, file, request);
    },
  }),

  item: get("/api/v1/document-collections/:collectionId/documents/:documentId/items/:itemId/file", {
    summary: "Download a page or an image of a document of a collection",
    returnsFile: true,
    ok: z
      .string()
      .describe("The page as a PDF, an image unchanged, or the whole file if its format has no separate pages."),
    async handle({ params: { collectionId, documentId, itemId } }, { env, request, send }) {
      const document = await send(commands.document, collectionId, { documentId });
      const item = document.items.find((each) => each.itemId === itemId);
      if (!item) throw new Problem("not_found");
      return fileResponse(env.FILES, await fileOf(document, item, env), request);
    },
  }),
};

/** @throws Problem `not_found` if the file is no longer stored */
async function fileOf(
  { file, items, pageFrom }: CollectedDocument,
  item: CollectedItem,
  env: Env,
): Promise<StoredFile> {
  const { itemId, page, picture } = item;
  const isWhole = picture === undefined && (items.length === 1 || !isPaged(file.mediaType));
  if (isWhole) return file;
  const extractItem = async (stored: InputFile | undefined): Promise<StoredFile> => {
    if (!stored) throw new Problem("not_found", "The file is no longer stored.");
    const { bytes } = stored;
    if (page === undefined) return storeFile(env.FILES, `${file.key}-${itemId}`, await pictureOf(bytes, picture));
    const at = page - pageFrom + 1;
    const name = file.name.replace(/(?: \d+-\d+)?\.\w{1,5}$/, ` ${page}.pdf`);
    const pages = await extractPages(bytes, file.mediaType, at, at);
    return storeFile(env.FILES, `${file.key}-${at}`, await uploadedFile(name, "application/pdf", pages));
  };
  return readStoredFile(env.FILES, file, extractItem, requestWaitMilliseconds);
}

async function pictureOf(bytes: Uint8Array, name: string | undefined): Promise<UploadedFile> {
  const picture = imagesIn(bytes).find((each) => each.name === name);
  if (!picture) throw new Problem("not_found");
  return uploadedFile(picture.name, sniff(picture.bytes, picture.name).mediaType, picture.bytes);
}

async function receive(
  context: Context,
  { attachTo, metadata }: z.output<typeof CollectionFields>,
): Promise<Answer<z.input<typeof ReceivedCollection>>> {
  const { env, caller, newId: id, send } = context;
  const files = await storeAll(context.files!, context);
  const [first] = files;
  const attaches = attachTo !== "Nothing" && holds(caller, "orders:write");
  const { sentOn } = context;
  const input = { file: first!, files, attaches, ...(metadata && { metadata }), ...(sentOn && { sentOn }) };
  const { reply, replayed } = await context.execute(commands.receive, id, input).catch(async (error: unknown) => {
    // After any other error it is unknown whether the command was executed, so the files are kept.
    if (error instanceof Problem) await deleteFiles(env.FILES, files);
    throw error;
  });
  if (replayed || reply.duplicateOf !== undefined) await deleteFiles(env.FILES, files);
  if (context.waitSeconds === 0) return received({ id, reply, replayed });
  await context.waitUntilComplete("DOCUMENT_COLLECTIONS", id);
  return received({ id, reply, replayed, record: await send(commands.look, id, {}) });
}

/** The keys contain the request id, so that two requests with the same idempotency key do not write the same files. */
async function storeAll(
  files: readonly UploadedFile[],
  { env, caller: { company }, requestId, newId: id }: Context,
): Promise<CollectedFile[]> {
  const aggregate = { binding: "DOCUMENT_COLLECTIONS" as const, company, id };
  const stored: CollectedFile[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const key = fileKey(company, "piles", requestId, String(at + 1));
      stored.push({ ...(await storeFile(env.FILES, key, file, aggregate)), fileId: newId() });
    }
    return stored;
  } catch (error) {
    await deleteFiles(env.FILES, stored);
    throw error;
  }
}

/** A deleted document keeps the status that it had when the collection was split. */
async function statusesOf(collection: Collection, { send }: Context): Promise<Map<string, ProcessingStatus>> {
  const open = documentsOf(collection).filter(({ status }) => status === "Processing");
  const statuses = open.map(async ({ documentId, status }) => {
    const document = await send(documentCommands.look, documentId, {}).catch((problem: unknown) => {
      if (problem instanceof Problem && problem.reason === "not_found") return { status };
      throw problem;
    });
    return [documentId, document.status] as const;
  });
  return new Map(await Promise.all(statuses));
}
