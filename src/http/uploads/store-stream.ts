import { createHash } from "node:crypto";
import { megabyte } from "../body.ts";
import { ownedBy, type FileOwner } from "../../platform/files.ts";
import { Problem } from "../../platform/problem.ts";
import { sizeInWords } from "../body-reader.ts";

/** R2 takes parts of one size, except for the last, of five megabytes at least. This much of a file is in memory. */
export const partBytes = 5 * megabyte;

/** What a stream came to. */
export interface StoredStream {
  sizeBytes: number;
  sha256: string;
  /** The bytes, where they are few enough to be held; then nothing was stored. */
  held?: Uint8Array;
}

/**
 * Stores bytes as they arrive and holds no more than one part of them. Nothing is there to be read before all of it is: a
 * stream that fails leaves nothing behind, and parts of one that is cut off are removed by R2.
 * @param hold up to this many bytes, at most one part, are not stored but returned
 * @throws Problem `payload_too_large`
 */
export async function storeStream(
  bucket: R2Bucket,
  key: string,
  pieces: AsyncIterable<Uint8Array>,
  { contentType, limit, hold, owner }: { contentType: string; limit: number; hold?: number; owner?: FileOwner },
): Promise<StoredStream> {
  const digest = createHash("sha256");
  const told = { httpMetadata: { contentType }, ...(owner && { customMetadata: ownedBy(owner) }) };
  const part = new PartBuffer();
  const parts: R2UploadedPart[] = [];
  let upload: R2MultipartUpload | undefined;
  let sizeBytes = 0;
  try {
    for await (const piece of pieces) {
      sizeBytes += piece.length;
      if (sizeBytes > limit) throw fileTooLarge(limit);
      digest.update(piece);
      for (let left = part.add(piece); left.length > 0; left = part.add(left)) {
        upload ??= await bucket.createMultipartUpload(key, told);
        parts.push(await upload.uploadPart(parts.length + 1, part.take()));
      }
    }
    const stored = { sizeBytes, sha256: digest.digest("hex") };
    if (!upload && hold !== undefined && sizeBytes <= hold) return { ...stored, held: part.take().slice() };
    if (!upload) await bucket.put(key, part.take(), told);
    else {
      parts.push(await upload.uploadPart(parts.length + 1, part.take()));
      await upload.complete(parts);
    }
    return stored;
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

export const fileTooLarge = (limit: number): Problem =>
  new Problem("payload_too_large", `A file may have ${sizeInWords(limit)} at most.`);

/** Bytes of one part. Its memory grows with them, and is used again for the next part. */
class PartBuffer {
  private bytes = new Uint8Array();
  private size = 0;

  /** @returns what does not fit any more */
  add(piece: Uint8Array): Uint8Array {
    const fitting = piece.subarray(0, partBytes - this.size);
    const size = this.size + fitting.length;
    if (size > this.bytes.length) this.grow(Math.min(partBytes, Math.max(size, this.bytes.length * 2)));
    this.bytes.set(fitting, this.size);
    this.size = size;
    return piece.subarray(fitting.length);
  }

  /** What has come, good until the next piece is added. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.size);
    this.size = 0;
    return taken;
  }

  private grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
}
