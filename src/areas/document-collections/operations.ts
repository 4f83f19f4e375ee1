import * as z from "zod";
import { anyOf, listArchive } from "../../platform/archive/archive.ts";
import type { Env } from "../../platform/env.ts";
import { fileAnswer } from "../../http/file-response.ts";
import {
  fileKey,
  forgetFiles,
  storeFile,
  uploadedFile,
  type StoredFile,
  type UploadedFile,
} from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { newId } from "../../platform/ids.ts";
import { listOf, usualLimit } from "../../platform/lists.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { holds } from "../../platform/credential.ts";
import { Problem } from "../../platform/problem.ts";
import type { ProcessingStatus } from "../../domain/shapes.ts";
import { readStored, requestPatienceMilliseconds } from "../intake/read-stored.ts";
import type { ReadableFile } from "../../extraction/extract.ts";
import { sniff } from "../../extraction/formats/open.ts";
import { isPaged, pagesOf } from "../../extraction/collections/pages-of.ts";
import { picturesIn } from "../../extraction/collections/pictures-in.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import {
  documentsOf,
  viewOf,
  type Collection,
  type events,
  type PiledDocument,
  type PiledFile,
  type PiledItem,
} from "./collection.ts";
import { receivedExample, rowExample, viewExample } from "./examples.ts";
import { CollectionFields, CollectionListQuery, CollectionRow, CollectionView, ReceivedCollection } from "./shapes.ts";
import { commands } from "./commands.ts";

const { get, post, del } = operationsOn<Collection, typeof events>({
  binding: "DOCUMENT_COLLECTIONS",
  param: "collectionId",
  scope: "documents",
});

const filters = ["status", "type", "internalId"] as const;

export const operations = {
  create: post("/api/v1/document-collections/files", {
    summary: "Take a pile of scans apart into documents",
    description:
      "1 to 50 files in one form, 100 MiB and 300 pages together. Each is parted where a document begins: by its words, its page numbers and blank pages between. Invoices, receipts, CMR notes, fines and policies are read as if they had come to `POST /api/v1/documents`. What names one carrier order by its number is handed in for it. The answer comes at once; with `Prefer: wait=N` it waits up to N seconds (30 at most) and then holds the documents.",
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
    summary: "List piles of scans",
    description: "Newest first unless `sort` says otherwise. A pile appears about a second after it came.",
    query: CollectionListQuery,
    ok: listOf(CollectionRow),
    example: { query: { status: "Succeeded" }, reply: { items: [rowExample] } },
    handle: async ({ query }, { env, caller }) =>
      listArchive<CollectionRow>(env.ARCHIVE, {
        table: "documentCollections",
        company: caller.company,
        terms: filters.flatMap((name) => (query[name] === undefined ? [] : [anyOf(`${name}:${query[name]}`)])),
        ranges: [
          { column: "createdAt", from: query.createdFrom, to: query.createdTo },
          { column: "updatedAt", from: query.updatedSince },
        ],
        text: query.text,
        sort: query.sort ?? "-createdAt",
        limit: query.limit ?? usualLimit,
        cursor: query.cursor,
      }),
  }),

  read: get("/api/v1/document-collections/:collectionId", {
    summary: "Read what a pile came to",
    ok: CollectionView,
    example: { reply: viewExample },
    async handle({ params: { collectionId } }, context) {
      const { reply: now, version } = await context.execute(commands.look, collectionId, {});
      return new Answer(viewOf(now, collectionId, await statusesOf(now, context)), { version });
    },
  }),

  remove: del("/api/v1/document-collections/:collectionId", {
    summary: "Delete a pile of scans",
    description:
      "With its files and what was parted from them. Documents that were read stay under `/api/v1/documents`, and papers that were handed in stay with their orders. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    command: commands.remove,
  }),

  file: get("/api/v1/document-collections/:collectionId/documents/:documentId/file", {
    summary: "Download a document of a pile: a PDF of just its pages",
    description: "A file that is one document, and no scan, comes as it is.",
    givesFile: true,
    ok: z.string().describe("The bytes."),
    async handle({ params: { collectionId, documentId } }, { env, request, look }) {
      const { file } = await look(commands.document, collectionId, { documentId });
      return fileAnswer(env.FILES, file, request);
    },
  }),

  item: get("/api/v1/document-collections/:collectionId/documents/:documentId/items/:itemId/file", {
    summary: "Download a page of a document of a pile, or a picture in it",
    givesFile: true,
    ok: z
      .string()
      .describe("The page as a PDF, a picture as it is. A page of what has no pages to be parted is its whole file."),
    async handle({ params: { collectionId, documentId, itemId } }, { env, request, look }) {
      const document = await look(commands.document, collectionId, { documentId });
      const item = document.items.find((each) => each.itemId === itemId);
      if (!item) throw new Problem("not_found");
      return fileAnswer(env.FILES, await fileOf(document, item, env), request);
    },
  }),
};

/**
 * One page of a document, or one picture in it. What is taken out of its file is put beside it.
 * @throws Problem `not_found` when the file is no longer kept
 */
async function fileOf({ file, items, pageFrom }: PiledDocument, item: PiledItem, env: Env): Promise<StoredFile> {
  const { itemId, page, picture } = item;
  const isWhole = picture === undefined && (items.length === 1 || !isPaged(file.mediaType));
  if (isWhole) return file;
  const takeOut = async (stored: ReadableFile | undefined): Promise<StoredFile> => {
    if (!stored) throw new Problem("not_found", "The file is no longer kept.");
    const { bytes } = stored;
    if (page === undefined) return storeFile(env.FILES, `${file.key}-${itemId}`, await pictureOf(bytes, picture));
    const at = page - pageFrom + 1;
    const name = file.name.replace(/(?: \d+-\d+)?\.\w{1,5}$/, ` ${page}.pdf`);
    const alone = await pagesOf(bytes, file.mediaType, at, at);
    return storeFile(env.FILES, `${file.key}-${at}`, await uploadedFile(name, "application/pdf", alone));
  };
  return readStored(env.FILES, file, takeOut, requestPatienceMilliseconds);
}

async function pictureOf(bytes: Uint8Array, name: string | undefined): Promise<UploadedFile> {
  const found = picturesIn(bytes).find((each) => each.name === name);
  if (!found) throw new Problem("not_found");
  return uploadedFile(found.name, sniff(found.bytes, found.name).mediaType, found.bytes);
}

async function receive(
  context: Context,
  { attachTo, metadata }: z.output<typeof CollectionFields>,
): Promise<Answer<z.input<typeof ReceivedCollection>>> {
  const { env, caller, newId: id, look } = context;
  const files = await storeAll(context.files!, context);
  const [first] = files;
  const attaches = attachTo !== "Nothing" && holds(caller, "orders:write");
  const { sentOn } = context;
  const said = { file: first!, files, attaches, ...(metadata && { metadata }), ...(sentOn && { sentOn }) };
  const { reply, replayed } = await context.execute(commands.receive, id, said).catch(async (error: unknown) => {
    // Of what is no refusal nobody knows whether it came about.
    if (error instanceof Problem) await forgetFiles(env.FILES, files);
    throw error;
  });
  const headers = { location: `/api/v1/document-collections/${id}` };
  if (replayed || reply.duplicateOf !== undefined) await forgetFiles(env.FILES, files);
  if (context.waitSeconds === 0) return new Answer(reply, { replayed, headers });
  await context.settled("DOCUMENT_COLLECTIONS", id);
  const now = await look(commands.look, id, {});
  const done = now.status !== "Processing";
  return new Answer(
    { ...reply, status: now.status, ...(done && { collection: viewOf(now, id) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

/** Puts the files away under this request, so that of two with the same idempotency key neither touches those of the other. */
async function storeAll(
  files: readonly UploadedFile[],
  { env, caller: { company }, requestId, newId: id }: Context,
): Promise<PiledFile[]> {
  const owner = { binding: "DOCUMENT_COLLECTIONS" as const, company, id };
  const stored: PiledFile[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const key = fileKey(company, "piles", requestId, String(at + 1));
      stored.push({ ...(await storeFile(env.FILES, key, file, owner)), fileId: newId() });
    }
    return stored;
  } catch (error) {
    await forgetFiles(env.FILES, stored);
    throw error;
  }
}

/** Of documents that were still being read when the pile was done; of one that is kept no more, as it was then. */
async function statusesOf(now: Collection, { look }: Context): Promise<Map<string, ProcessingStatus>> {
  const open = documentsOf(now).filter(({ status }) => status === "Processing");
  const found = open.map(async ({ documentId, status }) => {
    const now = await look(documentCommands.look, documentId, {}).catch((problem: unknown) => {
      if (problem instanceof Problem && problem.reason === "not_found") return { status };
      throw problem;
    });
    return [documentId, now.status] as const;
  });
  return new Map(await Promise.all(found));
}
