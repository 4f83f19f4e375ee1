import type { AggregateBinding } from "./registered.ts";
import { sha256 } from "./ids.ts";

/** An uploaded file. `mediaType` is detected from the bytes, not taken from the name or the `Content-Type` header. */
export interface UploadedFile {
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  /** The bytes, or their R2 key once they are stored. */
  content: Uint8Array | string;
}

/** A file whose bytes are in R2. */
export interface StoredFile {
  key: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
}

/** The aggregate that will refer to a stored file. */
export interface FileOwner {
  binding: AggregateBinding;
  company: string;
  id: string;
}

/**
 * Builds the R2 metadata that names the aggregate. If the aggregate never refers to the file, `orphans.ts` deletes it.
 */
export const ownedBy = ({ binding, company, id }: FileOwner): Record<string, string> => ({
  owner: `${binding}/${company}/${id}`,
});

/** Builds the R2 key of a record's file: `<company>/<kind>/<id>/<name>`. */
export const fileKey = (company: string, kind: string, id: string, name: string) => `${company}/${kind}/${id}/${name}`;

export const deleteFiles = async (bucket: R2Bucket, files: readonly StoredFile[]): Promise<void> =>
  files.length > 0 ? bucket.delete(files.map(({ key }) => key)) : undefined;

/** Deletes all files in a folder. May be repeated. */
export async function deleteFolder(bucket: R2Bucket, folder: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: `${folder}/` });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/**
 * Stores a file under a key and releases its bytes from memory. May be repeated.
 * @param owner the aggregate that will refer to the file. If it does not within a day, the file is deleted, so no other
 * request may use the key.
 */
export async function storeFile(
  bucket: R2Bucket,
  key: string,
  file: UploadedFile,
  owner?: FileOwner,
): Promise<StoredFile> {
  const { name, mediaType, sizeBytes, sha256, content } = file;
  const bytes = typeof content === "string" ? (await requireObject(bucket, content)).body : content;
  const customMetadata = owner && ownedBy(owner);
  await bucket.put(key, bytes, { httpMetadata: { contentType: mediaType }, ...(customMetadata && { customMetadata }) });
  file.content = key;
  return { key, name, mediaType, sizeBytes, sha256 };
}

export const bytesOf = async (bucket: R2Bucket, { content }: Pick<UploadedFile, "content">): Promise<Uint8Array> =>
  typeof content === "string" ? (await requireObject(bucket, content)).bytes() : content;

/** Yields the bytes as R2 streams them, or at once if they are in memory. */
export async function* piecesOf(
  bucket: R2Bucket,
  { content }: Pick<UploadedFile, "content">,
): AsyncGenerator<Uint8Array, undefined> {
  if (typeof content !== "string") yield content;
  else yield* (await requireObject(bucket, content)).body as unknown as AsyncIterable<Uint8Array>;
}

async function requireObject(bucket: R2Bucket, key: string): Promise<R2ObjectBody> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`The file ${key} does not exist.`);
  return object;
}

export async function uploadedFile(name: string, mediaType: string, bytes: Uint8Array): Promise<UploadedFile> {
  const [sizeBytes, digest] = [bytes.length, await sha256(bytes)];
  return { name: safeName(name), mediaType, sizeBytes, sha256: digest, content: bytes };
}

/** Makes a file name safe for headers and pages: one line, no path, at most 200 characters. */
export function safeName(name: string): string {
  const line = name
    .replace(/\p{Cc}/gu, "")
    .replace(/^.*[/\\]/, "")
    .trim();
  return /^\.*$/.test(line) ? "file" : line.slice(-200).toWellFormed();
}
