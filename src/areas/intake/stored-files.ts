import { SourceFault } from "../../extraction/problem.ts";
import type { InputFile } from "../../extraction/formats/reader.ts";
import { megabyte } from "../../http/body-reader.ts";
import type { StoredFile } from "../../platform/files.ts";
import { Problem } from "../../platform/problem.ts";
import { fileMemory } from "../../http/memory-pool.ts";
import { streamingBytes } from "../../http/uploads/uploads.ts";

// Opens stored files when there is enough memory. Each file reserves twice its size, because its unpacked content may
// be in memory too. To avoid a deadlock, code that runs with an opened file must not open a second one.

/** Memory for the pages, words and pdf.js objects of one file. */
const extraBytes = 8 * megabyte;
/** A background job that waits longer for memory fails, and the queue repeats it. */
const jobWaitMilliseconds = 10 * 60 * 1000;
/** Interval at which a running job renews its memory reservation. */
const heartbeatMilliseconds = 30_000;

type FileKey = Pick<StoredFile, "key" | "name" | "mediaType" | "sizeBytes">;

/**
 * Opens a stored file as soon as there is enough memory for it.
 * @param read is called with undefined if the file is no longer stored
 * @throws Problem `overloaded` if memory is not available in time
 */
export const readStoredFile = <Result>(
  bucket: R2Bucket,
  file: FileKey,
  read: (file: InputFile | undefined) => Promise<Result>,
  waitMilliseconds = jobWaitMilliseconds,
): Promise<Result> =>
  withFileMemory(file.sizeBytes, async () => read(await openStored(bucket, file)), waitMilliseconds);

/**
 * Reads any object of the bucket as soon as there is enough memory.
 * @returns undefined if the key does not exist
 */
export async function readStoredKey<Result>(
  bucket: R2Bucket,
  key: string,
  read: (bytes: Uint8Array) => Promise<Result>,
): Promise<Result | undefined> {
  const head = await bucket.head(key);
  if (!head) return undefined;
  const file = { key, name: key, mediaType: "", sizeBytes: head.size };
  return readStoredFile(bucket, file, async (stored) => stored && read(stored.bytes));
}

/**
 * Reserves memory for a file of this size while `run` runs.
 * @throws Problem `overloaded`
 */
export async function withFileMemory<Result>(
  sizeBytes: number,
  run: () => Promise<Result>,
  waitMilliseconds = jobWaitMilliseconds,
): Promise<Result> {
  const options = { waitMilliseconds, keepFreeBytes: streamingBytes };
  return fileMemory.with(2 * sizeBytes + extraBytes, options, async (renew) => {
    const timer = setInterval(renew, heartbeatMilliseconds);
    try {
      return await run();
    } finally {
      clearInterval(timer);
    }
  });
}

/** Whether there was not enough memory to start. */
export const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.reason === "overloaded";

async function openStored(bucket: R2Bucket, { key, name, mediaType }: FileKey): Promise<InputFile | undefined> {
  const stored = await bucket.get(key);
  if (!stored) return undefined;
  const source = {
    readAll: () => bytesOf(bucket.get(key)),
    readRange: (from: number, to: number) => bytesOf(bucket.get(key, { range: { offset: from, length: to - from } })),
  };
  return { bytes: await stored.bytes(), name, mediaType, source };
}

async function bytesOf(request: Promise<R2ObjectBody | null>): Promise<Uint8Array> {
  try {
    const stored = await request;
    if (stored) return await stored.bytes();
  } catch (cause) {
    throw new SourceFault("A stored file could not be read a second time.", { cause });
  }
  throw new SourceFault("A stored file was deleted while it was being read.");
}
