import { parseMultipartRequest, MultipartParseError, type MultipartPart } from "@remix-run/multipart-parser";
import { acceptFile, drainBody, fileLimit, formFields, mediaTypeOf, megabyte, readUpload } from "./body.ts";
import { storeFile, type StoredFile, type UploadedFile } from "./files.ts";
import { invalid, Problem, wrongField } from "./problem.ts";

/** How much may come in one request. */
export const pileLimits = { files: 50, bytes: 100 * megabyte };

/** Where the files of a request are put while it is still being read. */
export interface Keep {
  bucket: R2Bucket;
  keyOf: (index: number) => string;
}

/** Files that were put away, and what came with them. */
export interface Pile {
  files: StoredFile[];
  fields: Record<string, unknown>;
}

/**
 * Takes in the files of a form one after the other, so that no more than one of them is held; a raw body is one file. When
 * one of them is refused all are, and none is kept.
 * @throws Problem as `readUpload` of `body.ts`; `fileName` beside the others says which file it was
 */
export async function readPile(request: Request, keep: Keep): Promise<Pile> {
  const files: StoredFile[] = [];
  const texts: [string, string][] = [];
  const take = async (file: UploadedFile) => {
    if (files.length === pileLimits.files) throw tooMany();
    files.push(await storeFile(keep.bucket, keep.keyOf(files.length), file));
  };
  try {
    if (mediaTypeOf(request) !== "multipart/form-data") await take((await readUpload(request)).file);
    else for await (const part of partsOf(request)) await takePart(part, texts, take);
    if (files.length === 0) throw fileMissing();
    return { files, fields: formFields(texts) };
  } catch (error) {
    await Promise.all([forgetFiles(keep.bucket, files), drainBody(request)]);
    throw error instanceof MultipartParseError ? problemOf(error) : error;
  }
}

export const forgetFiles = async (bucket: R2Bucket, files: readonly StoredFile[]): Promise<void> =>
  files.length > 0 ? bucket.delete(files.map(({ key }) => key)) : undefined;

const partsOf = (request: Request): AsyncIterable<MultipartPart> =>
  parseMultipartRequest(request, {
    maxFileSize: fileLimit,
    maxTotalSize: pileLimits.bytes,
    maxParts: pileLimits.files + 60,
  });

async function takePart(
  part: MultipartPart,
  texts: [string, string][],
  take: (file: UploadedFile) => Promise<void>,
): Promise<void> {
  const { name = "", filename } = part;
  if (!part.isFile || /^metadata$/i.test(name)) {
    texts.push([name, part.text]);
    return;
  }
  try {
    await take(await acceptFile(filename ?? "file", part.bytes));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.reason, error.message, { errors: error.errors, extra: { fileName: filename } });
  }
}

function fileMissing(): Problem {
  const message = "The form has no part with a file.";
  return new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });
}

const tooMany = () => new Problem("payload_too_large", `At most ${pileLimits.files} files may come at once.`);

function problemOf({ name, message }: MultipartParseError): Problem {
  if (/^Max(?:File|Total)SizeExceeded/.test(name))
    return new Problem("payload_too_large", "A file may have 25 MiB, all together 100 MiB.");
  if (name.startsWith("MaxParts")) return tooMany();
  return invalid([wrongField([], "invalid", `The multipart body cannot be read: ${message}`)]);
}
