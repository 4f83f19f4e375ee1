import { SourceFault } from "../../extraction/problem.ts";
import type { ReadableFile } from "../../extraction/extract.ts";
import { megabyte } from "../../http/body-reader.ts";
import type { StoredFile } from "../../platform/files.ts";
import { Problem } from "../../platform/problem.ts";
import { fileRoom } from "../../http/upload-room.ts";
import { streamingBytes } from "../../http/uploads/uploads.ts";

// Stored files are read one after another as far as memory goes. A PDF of more than a few megabytes is held once; other files
// and what is unpacked from them are held beside each other. A room within a room could wait for itself: nothing that is
// called here may ask for a file of its own.

/** What is made of a file: its pages, its words, what pdf.js knows of its objects. */
const besideBytes = 8 * megabyte;
/** How long a background job waits for its turn; then the queue brings it again. */
const jobPatienceMilliseconds = 10 * 60 * 1000;
/** How long a request waits. */
export const requestPatienceMilliseconds = 10_000;
const tellMilliseconds = 30_000;

type Kept = Pick<StoredFile, "key" | "name" | "mediaType" | "sizeBytes">;

/**
 * Reads a stored file as soon as there is memory for it.
 * @param read gets undefined where the file is no longer there
 * @throws Problem `overloaded` where there is no room in time
 */
export const readStored = <Told>(
  bucket: R2Bucket,
  file: Kept,
  read: (file: ReadableFile | undefined) => Promise<Told>,
  patienceMilliseconds = jobPatienceMilliseconds,
): Promise<Told> =>
  whileReading(file.sizeBytes, async () => read(await openStored(bucket, file)), patienceMilliseconds);

/** The same of whatever lies under a key. @returns undefined where nothing does */
export async function readKey<Told>(
  bucket: R2Bucket,
  key: string,
  read: (bytes: Uint8Array) => Promise<Told>,
): Promise<Told | undefined> {
  const there = await bucket.head(key);
  if (!there) return undefined;
  const file = { key, name: key, mediaType: "", sizeBytes: there.size };
  return readStored(bucket, file, async (stored) => stored && read(stored.bytes));
}

/** Does something that holds a file of this size. @throws Problem `overloaded` */
export async function whileReading<Told>(
  sizeBytes: number,
  act: () => Promise<Told>,
  patienceMilliseconds = jobPatienceMilliseconds,
): Promise<Told> {
  const waiting = { patienceMilliseconds, leaves: streamingBytes };
  return fileRoom.with(2 * sizeBytes + besideBytes, waiting, async (stillBusy) => {
    const timer = setInterval(stillBusy, tellMilliseconds);
    try {
      return await act();
    } finally {
      clearInterval(timer);
    }
  });
}

/** Whether something was not begun because there was no memory for it. */
export const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.reason === "overloaded";

async function openStored(bucket: R2Bucket, { key, name, mediaType }: Kept): Promise<ReadableFile | undefined> {
  const stored = await bucket.get(key);
  if (!stored) return undefined;
  const source = {
    readAll: () => again(bucket.get(key)),
    readRange: (from: number, to: number) => again(bucket.get(key, { range: { offset: from, length: to - from } })),
  };
  return { bytes: await stored.bytes(), name, mediaType, source };
}

async function again(asked: Promise<R2ObjectBody | null>): Promise<Uint8Array> {
  try {
    const stored = await asked;
    if (stored) return await stored.bytes();
  } catch (cause) {
    throw new SourceFault("A stored file could not be read again.", { cause });
  }
  throw new SourceFault("A stored file is gone while it is read.");
}
