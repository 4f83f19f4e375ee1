import { validateHead, validateUpload as refuseFile, type SniffedFormat } from "../../extraction/formats/open.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import { megabyte } from "../body-reader.ts";
import { bytesOf, piecesOf, safeName, uploadedFile, type UploadedFile } from "../../platform/files.ts";
import { logFault } from "../../platform/log.ts";
import { Problem, wrongField } from "../../platform/problem.ts";
import { fileMemory } from "../memory-pool.ts";
import { FileHead, once } from "./file-head.ts";
import { fileTooLarge, partBytes, storeStream } from "./store-stream.ts";

/** Maximum size of a file in bytes. */
export const fileLimit = 25 * megabyte;
/** Memory in bytes for a file while it arrives: one part, and the copy of it that is being sent to R2. */
export const streamingBytes = 2 * partBytes + megabyte;

/** A file whose format is not validated yet. */
export interface ArrivedFile extends Omit<UploadedFile, "mediaType"> {
  beginning: FileHead;
}

/** R2 folder of uploads that no record has stored yet. */
export const uploadsFolder = "uploads";

/** The files of one request. Large ones are in R2 under temporary keys, which `discard` deletes. */
export class Uploads {
  private readonly bucket: R2Bucket;
  private readonly folder: string;
  private readonly keys: string[] = [];
  private held = 0;

  constructor(bucket: R2Bucket, requestId: string) {
    this.bucket = bucket;
    this.folder = `${uploadsFolder}/${requestId}`;
  }

  /**
   * Runs `act`, which receives files, as soon as there is memory for it.
   * @throws Problem `overloaded`
   */
  whileArriving<Outcome>(act: (renew: () => void) => Promise<Outcome>): Promise<Outcome> {
    return fileMemory.with(streamingBytes, {}, act);
  }

  /** Takes over a file that is in memory. A large file moves to R2, so that its memory can be released. */
  takeBytes(name: string, bytes: Uint8Array): Promise<ArrivedFile> {
    return this.take(name, once(bytes), Infinity);
  }

  /**
   * Receives a file as it arrives.
   * @throws Problem `payload_too_large`
   */
  async take(name: string, chunks: AsyncIterable<Uint8Array>, limit = fileLimit): Promise<ArrivedFile> {
    const beginning = new FileHead();
    const key = `${this.folder}/${this.keys.length + 1}`;
    const { held, ...stored } = await storeStream(this.bucket, key, beginning.of(chunks), {
      contentType: "application/octet-stream",
      limit,
      hold: partBytes - this.held,
    });
    if (held) this.held += held.length;
    else this.keys.push(key);
    return { ...stored, name: safeName(name), content: held ?? key, beginning };
  }

  /**
   * Detects the format of a file, from its first bytes if they suffice.
   * @throws Problem `file_empty`, `file_encrypted`, `file_unreadable`, `unsupported_file_type`, `overloaded`
   */
  async judge({ beginning, ...file }: ArrivedFile, name = file.name): Promise<UploadedFile> {
    const byAll = () => refusingInvalidFiles(async () => refuseFile(await bytesOf(this.bucket, file), name));
    const isHeld = typeof file.content !== "string";
    const kind = isHeld
      ? await byAll()
      : ((await judgedAtOnce(beginning, name)) ?? (await fileMemory.with(2 * file.sizeBytes, {}, byAll)));
    return { ...file, name: safeName(name), mediaType: kind.mediaType };
  }

  piecesOf(file: Pick<UploadedFile, "content">): AsyncGenerator<Uint8Array, undefined> {
    return piecesOf(this.bucket, file);
  }

  /** Deletes the temporary files. Those that remain are deleted by {@link deleteAbandonedUploads}. */
  async discard(): Promise<void> {
    if (this.keys.length === 0) return;
    await this.bucket.delete(this.keys).catch((error: unknown) => logFault("uploads.discard", error));
    this.keys.length = 0;
  }
}

const judgedAtOnce = async ({ head, isEncrypted }: FileHead, name: string): Promise<SniffedFormat | undefined> =>
  isEncrypted ? undefined : refusingInvalidFiles(() => validateHead(head, name));

/**
 * Validates the bytes of a file and detects their format.
 * @throws Problem as {@link Uploads.judge}
 */
export async function acceptFile(name: string, bytes: Uint8Array): Promise<UploadedFile> {
  if (bytes.length > fileLimit) throw fileTooLarge(fileLimit);
  const { mediaType } = await refusingInvalidFiles(() => refuseFile(bytes, name));
  return uploadedFile(name, mediaType, bytes);
}

/** Converts an `ExtractionProblem` to the refusal of a file. */
export async function refusingInvalidFiles<Result>(judge: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof ExtractionProblem)) throw error;
    const reason = uploadReasons.find((one) => one === error.reason) ?? "file_unreadable";
    throw new Problem(reason, error.message, { errors: [wrongField(["file"], error.reason, error.message)] });
  }
}

const uploadReasons = ["file_empty", "file_encrypted", "unsupported_file_type", "file_unreadable"] as const;

/** No request takes this long. */
const abandonedMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Deletes uploads of requests that ended without doing so, for example because their isolate was killed.
 * @param now milliseconds since 1970
 * @returns the number of deleted uploads
 */
export async function deleteAbandonedUploads(bucket: R2Bucket, now: number): Promise<number> {
  const prefix = `${uploadsFolder}/`;
  let deleted = 0;
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < now - abandonedMilliseconds);
    if (old.length > 0) await bucket.delete(old.map(({ key }) => key));
    deleted += old.length;
    isMore = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return deleted;
}
