import type { AggregateBinding } from "./registered.ts";
import { sha256 } from "./ids.ts";

/** A file as it came in. `mediaType` is what its bytes say, not what its name or sender says. */
export interface UploadedFile {
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  /** The bytes, or the key under which they lie in R2. */
  content: Uint8Array | string;
}

/** What is remembered of a file whose bytes lie in R2. */
export interface StoredFile {
  key: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
}

/** The object that will refer to a stored file. */
export interface FileOwner {
  binding: AggregateBinding;
  company: string;
  id: string;
}

/** Beside the stored bytes: who will refer to them. The sweep deletes the file where nobody came to (`kit/orphans.ts`). */
export const ownedBy = ({ binding, company, id }: FileOwner): Record<string, string> => ({
  owner: `${binding}/${company}/${id}`,
});

/** Where a thing's file lies: `company/kind/id/name`. */
export const fileKey = (company: string, kind: string, id: string, name: string) => `${company}/${kind}/${id}/${name}`;

export const deleteFiles = async (bucket: R2Bucket, files: readonly StoredFile[]): Promise<void> =>
  files.length > 0 ? bucket.delete(files.map(({ key }) => key)) : undefined;

/** Takes away everything below a folder. Doing it twice is harmless. */
export async function deleteFolder(bucket: R2Bucket, folder: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: `${folder}/` });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/**
 * Stores a file under a key; then its bytes are no longer held. Storing the same file twice is harmless.
 * @param owner who will refer to it. Only for a key that no other request uses: a file that its owner does not refer to a day
 * later is deleted
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

/** The bytes as they come from R2, or all at once where they are held. */
export async function* piecesOf(
  bucket: R2Bucket,
  { content }: Pick<UploadedFile, "content">,
): AsyncGenerator<Uint8Array, undefined> {
  if (typeof content !== "string") yield content;
  else yield* (await requireObject(bucket, content)).body as unknown as AsyncIterable<Uint8Array>;
}

async function requireObject(bucket: R2Bucket, key: string): Promise<R2ObjectBody> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`There is no file ${key}.`);
  return object;
}

export async function uploadedFile(name: string, mediaType: string, bytes: Uint8Array): Promise<UploadedFile> {
  const [sizeBytes, digest] = [bytes.length, await sha256(bytes)];
  return { name: safeName(name), mediaType, sizeBytes, sha256: digest, content: bytes };
}

/** A name fit for headers and pages: one line, no path, at most 200 characters. */
export function safeName(name: string): string {
  const line = name
    .replace(/\p{Cc}/gu, "")
    .replace(/^.*[/\\]/, "")
    .trim();
  return /^\.*$/.test(line) ? "file" : line.slice(-200).toWellFormed();
}
