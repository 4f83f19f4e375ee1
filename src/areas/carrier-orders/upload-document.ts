import type { Env, Job } from "../../platform/env.ts";
import { bytesOf, fileKey, storeFile, type StoredFile, type UploadedFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import type { CommandOutcome } from "../../platform/command.ts";
import { logFault } from "../../platform/log.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { fileMemory } from "../../http/memory-pool.ts";
import { assessPixels } from "../../extraction/assess-quality.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { isEncrypted } from "../../extraction/formats/open.ts";
import { Budget, ExtractionProblem } from "../../extraction/problem.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import { commands } from "./commands.ts";
import type { NewDocument } from "./document-commands.ts";
import type { DocumentType, OrderDocumentView } from "./documents.ts";

/**
 * Uploads a document in four steps: ask the order whether the upload is allowed, store the bytes, check the quality of
 * the document, change the order. Bytes that the order already has are not stored again. Each upload has its own
 * storage key. If the upload is refused, its file can therefore be deleted without affecting another document.
 *
 * @returns status 201, or 200 with the existing document
 * @throws Problem `not_found`, `invalid_state`, `version_mismatch`
 */
export async function uploadDocument(
  env: Env,
  { company, orderId }: { company: string; orderId: string },
  file: UploadedFile,
  document: Omit<NewDocument, "file">,
  { send, execute }: Pick<Context, "send" | "execute">,
): Promise<CommandOutcome<OrderDocumentView>> {
  const { type, uploadedBy, digest } = document;
  const input = { type, uploadedBy, sha256: file.sha256, ...(digest !== undefined && { digest }) };
  const expected = await send(commands.expect, orderId, input).catch(problemOf);
  if (expected instanceof Problem) return execute(commands.refused, orderId, refusalOf(expected));
  const ownFile = expected.stored ? undefined : await storeDocument(env, company, orderId, file);
  const quality = expected.quality ?? (await checkQuality(env, file, type));
  const stored = { ...(expected.stored ?? ownFile!), name: file.name, mediaType: file.mediaType };
  const attached = { ...document, file: stored, ...(quality && { quality }) };
  const outcome = await execute(commands.attach, orderId, attached).catch(problemOf);
  const isUsed = !(outcome instanceof Problem) && outcome.status === 201 && !outcome.replayed;
  if (ownFile && !isUsed) await env.FILES.delete(ownFile.key);
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

const storeDocument = (env: Env, company: string, orderId: string, file: UploadedFile): Promise<StoredFile> =>
  storeFile(env.FILES, fileKey(company, "orders", orderId, `papers/${newId()}`), file, {
    binding: "ORDERS",
    company,
    id: orderId,
  });

/** Returns a refusal. @throws any other error, after which it is unknown whether the command was executed */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

const refusalOf = ({ reason, message, errors, extra, headers }: Problem) => ({
  refused: reason,
  detail: message,
  errors,
  extra,
  headers,
});

/** Runs the job `carrierOrders.deletePapers`, which deletes the files of deleted documents. May run twice. */
export async function deleteFiles({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply: keys } = await executeCommand(env, commands.leftPapers, call, {});
  if (keys.length > 0) await env.FILES.delete(keys);
  await executeCommand(env, commands.papersDeleted, call, { keys });
}

// The quality check during the upload. Its time and memory are limited, because the uploader waits for it.

/** Time budget of the check, in milliseconds. A check that takes longer has no result. */
const budgetMilliseconds = 2_000;
/** Maximum size of a file that is checked. */
const maxBytes = 12 * 1024 * 1024;
/**
 * Maximum size of an encrypted PDF that is checked. The limit is low, because the decompressed size is unknown before
 * decryption.
 */
const maxEncryptedBytes = 32 * 1024;
/**
 * Memory limit of the check, enough for 13 megapixels in colour. The request, the file and its pixels share the 128 MB
 * of an isolate.
 */
const maxMemoryBytes = 40_000_000;

/** The kind of document that the text of the file should indicate, by document type. */
const expectedKinds: Partial<Record<DocumentType, DocumentKind>> = { cmr: "cmr", invoice: "invoice" };

/**
 * Checks the readability of an image or PDF, and whether its text layer belongs to the document type. Returns undefined
 * for other files, and if time or memory is not sufficient. The result does not prevent the upload.
 */
async function checkQuality(env: Env, file: UploadedFile, type: DocumentType): Promise<Judgement | undefined> {
  const { name, mediaType, sizeBytes, content } = file;
  if (!/^image\/|\/pdf$/.test(mediaType) || sizeBytes > maxBytes) return undefined;
  try {
    return await fileMemory.with(2 * sizeBytes + maxMemoryBytes, {}, async () =>
      judgementOf(env, { bytes: await bytesOf(env.FILES, { content }), name, mediaType }, type),
    );
  } catch (cause) {
    if (!(cause instanceof ExtractionProblem || cause instanceof Problem))
      logFault("carrierOrders.checkQuality", cause);
    return undefined;
  }
}

async function judgementOf(
  env: Env,
  file: { bytes: Uint8Array; name: string; mediaType: string },
  type: DocumentType,
): Promise<Judgement | undefined> {
  const { bytes, mediaType } = file;
  if (mediaType.endsWith("/pdf") && bytes.length > maxEncryptedBytes && isEncrypted(bytes)) return undefined;
  const kind = expectedKinds[type];
  const expected = { signed: type === "cmr", wordless: type === "photo" || type === "other", ...(kind && { kind }) };
  const tools = { gazetteer: gazetteerOf(env), budget: new Budget(budgetMilliseconds), mostMemory: maxMemoryBytes };
  const { verdict, score, reasons } = await assessPixels(file, expected, { today: new Date().toISOString() }, tools);
  return { verdict, score, reasons };
}
