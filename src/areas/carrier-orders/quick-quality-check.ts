import type { Env } from "../../platform/env.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { logFault } from "../../platform/log.ts";
import { Problem } from "../../platform/problem.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { fileRoom } from "../../http/upload-room.ts";
import { assessPixels } from "../../extraction/assess-quality.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { isEncrypted } from "../../extraction/formats/open.ts";
import { Budget, ExtractionProblem } from "../../extraction/problem.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import type { DocumentType } from "./shapes.ts";

/** Whoever hands a paper in waits for the verdict: what takes longer has none. */
const milliseconds = 2_000;
/** How long room in memory is waited for. */
const patienceMilliseconds = 10_000;
/** A longer file is not looked at while somebody waits. */
const mostBytes = 12 * 1024 * 1024;
/** One that is enciphered cannot be looked into before it is unpacked, and a byte may become a thousand. */
const mostEnciphered = 32 * 1024;
/** The request, the file and its pixels stand side by side in an isolate of 128 MB: 13 megapixels in colour. */
const mostMemory = 40_000_000;

/** What the words of a paper speak of, where it is what it was handed in as. */
const kinds: Partial<Record<DocumentType, DocumentKind>> = { cmr: "cmr", invoice: "invoice" };

/**
 * Judges the legibility of a document during its upload: by its pixels, and by its words if it has any that need no OCR, which
 * also tell whether it is another document. Undefined for a file that is neither a picture nor a PDF, or if the check takes
 * too long or finds no memory: the upload succeeds in any case.
 */
export async function glance(
  env: Env,
  { name, mediaType, sizeBytes }: UploadedFile,
  type: DocumentType,
  read: () => Promise<Uint8Array>,
): Promise<Judgement | undefined> {
  if (!/^image\/|\/pdf$/.test(mediaType) || sizeBytes > mostBytes) return undefined;
  try {
    return await fileRoom.with(2 * sizeBytes + mostMemory, { patienceMilliseconds }, async () =>
      judgementOf(env, { bytes: await read(), name, mediaType }, type),
    );
  } catch (cause) {
    if (!(cause instanceof ExtractionProblem || cause instanceof Problem)) logFault("papers.glance", cause);
    return undefined;
  }
}

async function judgementOf(
  env: Env,
  file: { bytes: Uint8Array; name: string; mediaType: string },
  type: DocumentType,
): Promise<Judgement | undefined> {
  const { bytes, mediaType } = file;
  if (mediaType.endsWith("/pdf") && bytes.length > mostEnciphered && isEncrypted(bytes)) return undefined;
  const kind = kinds[type];
  const expected = { signed: type === "cmr", wordless: type === "photo" || type === "other", ...(kind && { kind }) };
  const tools = { gazetteer: gazetteerOf(env), budget: new Budget(milliseconds), mostMemory };
  const { verdict, score, reasons } = await assessPixels(file, expected, { today: new Date().toISOString() }, tools);
  return { verdict, score, reasons };
}
