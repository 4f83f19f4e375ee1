import { createHash } from "node:crypto";
import { megabyte } from "../body.ts";
import { ownedBy, type FileOwner } from "../../platform/files.ts";
import { Problem } from "../../platform/problem.ts";
import { formatSize } from "../body-reader.ts";

/** Size of a part in bytes. R2 requires at least 5 MiB, and equal sizes except for the last part. */
export const partBytes = 5 * megabyte;

export interface StoredStream {
  sizeBytes: number;
  sha256: string;
  /** The bytes, if there were at most `hold`. Then nothing was stored. */
  held?: Uint8Array;
}

/**
 * Stores bytes as they arrive, with at most one part in memory. A stream that fails leaves nothing behind, and R2
 * deletes the parts of an interrupted upload.
 * @param hold a stream of at most this many bytes is returned instead of stored; not more than {@link partBytes}
 * @throws Problem `payload_too_large`
 */
export async function storeStream(
  bucket: R2Bucket,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { contentType, limit, hold, owner }: { contentType: string; limit: number; hold?: number; owner?: FileOwner },
): Promise<StoredStream> {
  const digest = createHash("sha256");
  const options = { httpMetadata: { contentType }, ...(owner && { customMetadata: ownedBy(owner) }) };
  const part = new PartBuffer();
  const parts: R2UploadedPart[] = [];
  let upload: R2MultipartUpload | undefined;
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > limit) throw fileTooLarge(limit);
      digest.update(chunk);
      for (let left = part.add(chunk); left.length > 0; left = part.add(left)) {
        upload ??= await bucket.createMultipartUpload(key, options);
        parts.push(await upload.uploadPart(parts.length + 1, part.take()));
      }
    }
    const stored = { sizeBytes, sha256: digest.digest("hex") };
    if (!upload && hold !== undefined && sizeBytes <= hold) return { ...stored, held: part.take().slice() };
    if (!upload) await bucket.put(key, part.take(), options);
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
  new Problem("payload_too_large", `The file is larger than ${formatSize(limit)}.`);

class PartBuffer {
  private bytes = new Uint8Array();
  private size = 0;

  /** @returns the bytes that do not fit */
  add(chunk: Uint8Array): Uint8Array {
    const fitting = chunk.subarray(0, partBytes - this.size);
    const size = this.size + fitting.length;
    if (size > this.bytes.length) this.grow(Math.min(partBytes, Math.max(size, this.bytes.length * 2)));
    this.bytes.set(fitting, this.size);
    this.size = size;
    return chunk.subarray(fitting.length);
  }

  /**
   * Empties the buffer.
   * @returns the content, which is valid until `add` is called again
   */
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
