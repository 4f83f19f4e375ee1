import { parse as parseDisposition } from "content-disposition";
import * as z from "zod";
import { isJson, jsonLimit, mediaTypeOf, unsupportedMedia } from "../body.ts";
import { BodyReader, megabyte, formatSize } from "../body-reader.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { parsed } from "../query.ts";
import { readJsonFiles, type FilePaths } from "./json-files.ts";
import { readMultipart, type FormFields } from "./multipart.ts";
import { fileTooLarge } from "./store-stream.ts";
import { fileLimit, type ArrivedFile, type Uploads } from "./uploads.ts";

/** A file in a JSON object. The other properties of the object are the fields, as in a form. */
export const Base64File = z.object({
  file: z.string().describe("The file in base64, standard alphabet."),
  fileName: z.string().max(500).nullish(),
});

const AnyUpload = z.looseObject({ ...Base64File.shape, file: z.string().nullish() });

/** Maximum size of a JSON body with files in base64, in bytes. */
export const base64Limit = 35 * megabyte;
/** Maximum number and total bytes of the files of one request. */
export const multiUploadLimits = { files: 50, bytes: 100 * megabyte };
/** Smaller bodies are read without reserving memory. */
const smallBytes = 256 * 1024;

/** A file with the fields that were sent with it. */
export interface Upload {
  file: UploadedFile;
  fields: Record<string, unknown>;
}

/**
 * Reads a raw body, or a multipart form with one file in a part of any name.
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `file_unreadable`, `unsupported_file_type`,
 * `payload_too_large`, `overloaded`
 */
export async function readUpload(request: Request, uploads: Uploads): Promise<Upload> {
  if (mediaTypeOf(request) !== "multipart/form-data") return { file: await readRaw(request, uploads), fields: {} };
  const { arrived, fields } = await readForm(request, uploads, { files: 1, bytes: fileLimit });
  const { name, file } = arrived[0] ?? missing("The form contains no file.");
  return { file: await uploads.judge(file, name), fields: formFields(fields) };
}

/** Reads a raw body as one file, or a multipart form with several. The refusal of a file contains its `fileName`. */
export async function readUploads(
  request: Request,
  uploads: Uploads,
): Promise<{ files: UploadedFile[]; fields: Record<string, unknown> }> {
  if (mediaTypeOf(request) !== "multipart/form-data") return { files: [await readRaw(request, uploads)], fields: {} };
  const { arrived, fields } = await readForm(request, uploads, multiUploadLimits);
  if (arrived.length === 0) missing("The form contains no file.");
  return { files: await validateAll(arrived, uploads), fields: formFields(fields) };
}

/**
 * Reads a form as a browser sends it: text fields and any number of files, at most 25 MiB together. Empty file fields
 * are ignored.
 * @returns the fields, and a function that validates the files. One invalid file refuses all of them.
 */
export async function readFilledForm(
  request: Request,
  uploads: Uploads,
): Promise<{ fields: Record<string, string>; accept: () => Promise<UploadedFile[]> }> {
  const { arrived, fields } = await readForm(request, uploads, { files: Infinity, bytes: fileLimit });
  const accept = async () =>
    arrived.length > 0 ? validateAll(arrived, uploads) : missing("The form contains no file.");
  return { fields: Object.fromEntries(fields), accept };
}

async function validateAll(arrived: readonly NamedFile[], uploads: Uploads): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  for (const { name, file } of arrived) {
    const validated = uploads.judge(file, name).catch((error: unknown) => {
      throw withFileName(error, file.name);
    });
    files.push(await validated);
  }
  return files;
}

async function readRaw(request: Request, uploads: Uploads): Promise<UploadedFile> {
  if (isJson(request))
    throw unsupportedMedia(
      request,
      "Send the file as multipart/form-data, or as the raw body with its own media type.",
    );
  const name = rawName(request);
  const body = new BodyReader(request, fileLimit, fileTooLarge(fileLimit));
  const arrived = await readWithMemory(request, body, uploads, () => uploads.take(name, body.chunks()));
  if (arrived.sizeBytes === 0 && !mediaTypeOf(request)) missing("The body is empty.");
  return uploads.judge(arrived, name);
}

interface NamedFile {
  name: string;
  file: ArrivedFile;
}

interface FormLimits {
  files: number;
  bytes: number;
}

async function readForm(
  request: Request,
  uploads: Uploads,
  limits: FormLimits,
): Promise<{ arrived: NamedFile[]; fields: FormFields }> {
  const arrived: NamedFile[] = [];
  let left = limits.bytes;
  const body = new BodyReader(request, limits.bytes + jsonLimit, tooMuch(limits));
  const fields = await readWithMemory(request, body, uploads, () =>
    readMultipart(request, body, async (name, chunks) => {
      const file = await uploads.take(name, chunks);
      if (name === "" && file.sizeBytes === 0) return;
      left -= file.sizeBytes;
      if (arrived.length === limits.files) throw tooMany(limits.files);
      if (left < 0) throw tooMuch(limits);
      arrived.push({ name: name || "file", file });
    }),
  );
  return { arrived, fields };
}

/**
 * Reads a JSON body with a base64 file in the property `file`. The other properties are the fields.
 * @throws Problem `invalid_json`, and those of {@link readUpload}
 */
export async function readJsonUpload(request: Request, uploads: Uploads): Promise<Upload> {
  const { value, files } = await readFilesInJson(request, uploads, [["file"]]);
  const { file, fileName, ...fields } = parsed(AnyUpload, value);
  const arrived = file ? files[Number(file)]! : missing("file is required. Send the bytes in base64.");
  return { file: await uploads.judge(arrived, fileName ?? "file"), fields };
}

/** Reads a JSON body that may contain files. In `value`, each file is replaced by its index in `files`, as a string. */
export async function readFilesInJson(
  request: Request,
  uploads: Uploads,
  paths: FilePaths,
): Promise<{ value: unknown; files: ArrivedFile[] }> {
  if (mediaTypeOf(request) && !isJson(request)) throw unsupportedMedia(request, "The body must be application/json.");
  const files: ArrivedFile[] = [];
  const body = new BodyReader(request, base64Limit);
  const value = await readWithMemory(request, body, uploads, () =>
    readJsonFiles(body, paths, async (chunks) => void files.push(await uploads.take("file", chunks))),
  );
  return { value, files };
}

/**
 * Reads a body within reserved memory. The rest of a refused body is discarded, so that the client can read the
 * response.
 */
export async function readWithMemory<Read>(
  { headers }: Request,
  body: BodyReader,
  uploads: Uploads,
  read: () => Promise<Read>,
): Promise<Read> {
  const length = headers.get("content-length");
  const isSmall = length !== null && Number(length) <= smallBytes;
  try {
    if (isSmall) return await read();
    return await uploads.whileArriving((renew) => {
      body.onChunk = renew;
      return read();
    });
  } catch (error) {
    await body.drain();
    throw error;
  }
}

/**
 * Collects the fields of a form. Parts `metadata[key]` and a JSON part `metadata` become one map.
 * @throws Problem `validation_failed`
 */
export function formFields(entries: FormFields): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const bracketed = /^metadata\[(.*)\]$/i.exec(name);
    if (bracketed) metadata[bracketed[1]!] = value;
    else if (/^metadata$/i.test(name)) Object.assign(metadata, jsonField(value));
    else fields[name] = value;
  }
  return { ...fields, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function jsonField(value: string): object {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Refused below.
  }
  throw invalid([wrongField(["metadata"], "invalid_type", "metadata must be a JSON object.")]);
}

/** Returns the file name of a raw body, from its Content-Disposition. */
export function rawName(request: Request, fallback = "file"): string {
  try {
    return parseDisposition(request.headers.get("content-disposition") ?? "").parameters["filename"] ?? fallback;
  } catch {
    return fallback;
  }
}

function missing(message: string): never {
  throw new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });
}

const tooMany = (files: number): Problem =>
  files === 1
    ? invalid([wrongField(["file"], "too_many", "The form contains several files. Send each file in its own request.")])
    : new Problem("payload_too_large", `The form contains more than ${files} files.`);

const tooMuch = ({ files, bytes }: FormLimits): Problem =>
  files === 1
    ? fileTooLarge(bytes)
    : new Problem("payload_too_large", `The files of the form are together larger than ${formatSize(bytes)}.`);

function withFileName(error: unknown, fileName: string): unknown {
  if (!(error instanceof Problem)) return error;
  const { reason, message, errors, headers } = error;
  return new Problem(reason, message, { errors, extra: { fileName }, headers });
}
