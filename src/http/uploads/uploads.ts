import { validateHead, validateUpload as refuseFile, type SniffedFormat } from "../../extraction/formats/open.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import { megabyte } from "../body-reader.ts";
import { bytesOf, piecesOf, safeName, uploadedFile, type UploadedFile } from "../../platform/files.ts";
import { logFault } from "../../platform/log.ts";
import { Problem, wrongField } from "../../platform/problem.ts";
import { fileRoom } from "../upload-room.ts";
import { Beginning, once } from "./beginning.ts";
import { fileTooLarge, partBytes, storeStream } from "./store-stream.ts";

/** Largest file. */
export const fileLimit = 25 * megabyte;
/** How long a request waits for room in memory. */
const patienceMilliseconds = 10_000;
/** What a file takes while it arrives: one part, and the same again on its way to R2. */
export const streamingBytes = 2 * partBytes + megabyte;

/** A file that has arrived and was not judged yet. */
export interface ArrivedFile extends Omit<UploadedFile, "mediaType"> {
  beginning: Beginning;
}

/** Where all uploads lie until they are stored. */
export const uploadsFolder = "uploads";

/**
 * The files of one request. Small ones are held, the others lie in R2 under keys of their own until they are stored for good,
 * and `discard` removes them.
 */
export class Uploads {
  private readonly bucket: R2Bucket;
  private readonly folder: string;
  private readonly keys: string[] = [];
  private held = 0;

  constructor(bucket: R2Bucket, requestId: string) {
    this.bucket = bucket;
    this.folder = `${uploadsFolder}/${requestId}`;
  }

  /** Waits until there is memory for files that arrive. @throws Problem `overloaded` */
  whileArriving<Outcome>(act: (stillBusy: () => void) => Promise<Outcome>): Promise<Outcome> {
    return fileRoom.with(streamingBytes, { patienceMilliseconds }, act);
  }

  /** Takes in a file that is at hand, however long, so that its bytes need not be held. */
  takeBytes(name: string, bytes: Uint8Array): Promise<ArrivedFile> {
    return this.take(name, once(bytes), Infinity);
  }

  /** Takes in a file as it arrives. @throws Problem `payload_too_large` */
  async take(name: string, pieces: AsyncIterable<Uint8Array>, limit = fileLimit): Promise<ArrivedFile> {
    const beginning = new Beginning();
    const key = `${this.folder}/${this.keys.length + 1}`;
    const { held, ...told } = await storeStream(this.bucket, key, beginning.of(pieces), {
      contentType: "application/octet-stream",
      limit,
      hold: partBytes - this.held,
    });
    if (held) this.held += held.length;
    else this.keys.push(key);
    return { ...told, name: safeName(name), content: held ?? key, beginning };
  }

  /**
   * Finds out what a file is: by its beginning where that tells it, else by all of it.
   * @throws Problem `file_empty`, `file_encrypted`, `file_unreadable`, `unsupported_file_type`, `overloaded`
   */
  async judge({ beginning, ...file }: ArrivedFile, name = file.name): Promise<UploadedFile> {
    const byAll = () => judged(async () => refuseFile(await bytesOf(this.bucket, file), name));
    const isHeld = typeof file.content !== "string";
    const kind = isHeld
      ? await byAll()
      : ((await judgedAtOnce(beginning, name)) ??
        (await fileRoom.with(2 * file.sizeBytes, { patienceMilliseconds }, byAll)));
    return { ...file, name: safeName(name), mediaType: kind.mediaType };
  }

  piecesOf(file: Pick<UploadedFile, "content">): AsyncGenerator<Uint8Array, undefined> {
    return piecesOf(this.bucket, file);
  }

  /** Removes what is no longer needed. What cannot be removed now is removed by the sweep. */
  async discard(): Promise<void> {
    if (this.keys.length === 0) return;
    await this.bucket.delete(this.keys).catch((error: unknown) => logFault("uploads.discard", error));
    this.keys.length = 0;
  }
}

/** What a file is by its beginning; undefined where only all of it tells. */
const judgedAtOnce = async ({ head, isEncrypted }: Beginning, name: string): Promise<SniffedFormat | undefined> =>
  isEncrypted ? undefined : judged(() => validateHead(head, name));

/** Checks the bytes of a file and finds out what they are. @throws Problem as {@link Uploads.judge} */
export async function acceptFile(name: string, bytes: Uint8Array): Promise<UploadedFile> {
  if (bytes.length > fileLimit) throw fileTooLarge(fileLimit);
  const { mediaType } = await judged(() => refuseFile(bytes, name));
  return uploadedFile(name, mediaType, bytes);
}

/** Says what is wrong with a file as a refusal. */
export async function judged<Told>(judge: () => Told | Promise<Told>): Promise<Told> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof ExtractionProblem)) throw error;
    const reason = uploadReasons.find((one) => one === error.reason) ?? "file_unreadable";
    throw new Problem(reason, error.message, { errors: [wrongField(["file"], error.reason, error.message)] });
  }
}

const uploadReasons = ["file_empty", "file_encrypted", "unsupported_file_type", "file_unreadable"] as const;
