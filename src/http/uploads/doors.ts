import { parse as parseDisposition } from "content-disposition";
import * as z from "zod";
import { isJson, jsonLimit, mediaTypeOf, wrongMedia } from "../body.ts";
import { BodyReader, megabyte, sizeInWords } from "../body-reader.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { parsed } from "../query.ts";
import { readJsonFiles, type FilePlaces } from "./json-files.ts";
import { readMultipart, type FormFields } from "./multipart.ts";
import { fileTooLarge } from "./store-stream.ts";
import { fileLimit, type ArrivedFile, type Uploads } from "./uploads.ts";

/** A file in JSON; whatever else is there goes with it. */
export const Base64File = z.object({
  file: z.string().describe("The file in base64, standard alphabet."),
  fileName: z.string().max(500).nullish(),
});

/** As it is sent. */
const AnyUpload = z.looseObject({ ...Base64File.shape, file: z.string().nullish() });

/** Largest JSON body that carries files in base64. */
export const base64Limit = 35 * megabyte;
/** How much may come in one request that takes many files. */
export const manyLimits = { files: 50, bytes: 100 * megabyte };
/** A body that is no longer is read at once. */
const smallBytes = 256 * 1024;

/** A file and what came with it. */
export interface Upload {
  file: UploadedFile;
  fields: Record<string, unknown>;
}

/**
 * Multipart with one file, whatever its part is called, or the raw bytes. `metadata[key]` parts and one JSON part `metadata`
 * become a map.
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `file_unreadable`, `unsupported_file_type`,
 * `payload_too_large`, `overloaded`
 */
export async function readUpload(request: Request, uploads: Uploads): Promise<Upload> {
  if (mediaTypeOf(request) !== "multipart/form-data") return { file: await readRaw(request, uploads), fields: {} };
  const { arrived, fields } = await readForm(request, uploads, { files: 1, bytes: fileLimit });
  const { name, file } = arrived[0] ?? missing("The form has no part with a file.");
  return { file: await uploads.judge(file, name), fields: formFields(fields) };
}

/** The same of several files in one form; a raw body is one file. `fileName` beside a refusal says which file it was. */
export async function readUploads(
  request: Request,
  uploads: Uploads,
): Promise<{ files: UploadedFile[]; fields: Record<string, unknown> }> {
  if (mediaTypeOf(request) !== "multipart/form-data") return { files: [await readRaw(request, uploads)], fields: {} };
  const { arrived, fields } = await readForm(request, uploads, manyLimits);
  if (arrived.length === 0) missing("The form has no part with a file.");
  return { files: await judgeAll(arrived, uploads), fields: formFields(fields) };
}

/**
 * A form as a browser sends it: any number of files, 25 MiB together, and what was typed beside them. A field for files that
 * was left empty is no file.
 * @returns the fields, and a function that checks the files; one that cannot be taken refuses them all
 */
export async function readFilledForm(
  request: Request,
  uploads: Uploads,
): Promise<{ fields: Record<string, string>; accept: () => Promise<UploadedFile[]> }> {
  const { arrived, fields } = await readForm(request, uploads, { files: Infinity, bytes: fileLimit });
  const accept = async () => (arrived.length > 0 ? judgeAll(arrived, uploads) : missing("The form has no file."));
  return { fields: Object.fromEntries(fields), accept };
}

async function judgeAll(arrived: readonly NamedFile[], uploads: Uploads): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  for (const { name, file } of arrived) {
    const judged = uploads.judge(file, name).catch((error: unknown) => {
      throw naming(error, file.name);
    });
    files.push(await judged);
  }
  return files;
}

async function readRaw(request: Request, uploads: Uploads): Promise<UploadedFile> {
  if (isJson(request))
    throw wrongMedia(request, "Send the file as multipart/form-data, or as the raw body with its own media type.");
  const name = rawName(request);
  const body = new BodyReader(request, fileLimit, fileTooLarge(fileLimit));
  const arrived = await arriving(request, body, uploads, () => uploads.take(name, body.pieces()));
  if (arrived.sizeBytes === 0 && !mediaTypeOf(request)) missing("The body is empty.");
  return uploads.judge(arrived, name);
}

/** A file with the name it came under. */
interface NamedFile {
  name: string;
  file: ArrivedFile;
}

/** How many files a form may have, and how long they may be together. */
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
  const fields = await arriving(request, body, uploads, () =>
    readMultipart(request, body, async (name, pieces) => {
      const file = await uploads.take(name, pieces);
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
 * A JSON body in which one file comes in base64, in the member `file`; the others are the fields.
 * @throws Problem `invalid_json`, and those of {@link readUpload}
 */
export async function readJsonUpload(request: Request, uploads: Uploads): Promise<Upload> {
  const { value, files } = await readFilesInJson(request, uploads, [["file"]]);
  const { file, fileName, ...fields } = parsed(AnyUpload, value);
  const arrived = file ? files[Number(file)]! : missing("file is required: the bytes in base64.");
  return { file: await uploads.judge(arrived, fileName ?? "file"), fields };
}

/** A JSON body that may carry files: for each of them its place among `files` stands in it, as a string. */
export async function readFilesInJson(
  request: Request,
  uploads: Uploads,
  places: FilePlaces,
): Promise<{ value: unknown; files: ArrivedFile[] }> {
  if (mediaTypeOf(request) && !isJson(request)) throw wrongMedia(request, "The body must be application/json.");
  const files: ArrivedFile[] = [];
  const body = new BodyReader(request, base64Limit);
  const value = await arriving(request, body, uploads, () =>
    readJsonFiles(body, places, async (pieces) => void files.push(await uploads.take("file", pieces))),
  );
  return { value, files };
}

/** Reads a body while there is memory for it; what is left of one that is refused is taken in, so that the answer is read. */
export async function arriving<Read>(
  { headers }: Request,
  body: BodyReader,
  uploads: Uploads,
  read: () => Promise<Read>,
): Promise<Read> {
  const length = headers.get("content-length");
  const isSmall = length !== null && Number(length) <= smallBytes;
  try {
    if (isSmall) return await read();
    return await uploads.whileArriving((stillBusy) => {
      body.onPiece = stillBusy;
      return read();
    });
  } catch (error) {
    await body.drain();
    throw error;
  }
}

/** `metadata[key]` parts and one JSON part `metadata` become a map. @throws Problem `validation_failed` */
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
    // Refused below: whatever it is, it is not a map.
  }
  throw invalid([wrongField(["metadata"], "invalid_type", "metadata must be a JSON object.")]);
}

/** The name that the header of a raw body gives it. */
export function rawName(request: Request, other = "file"): string {
  try {
    return parseDisposition(request.headers.get("content-disposition") ?? "").parameters["filename"] ?? other;
  } catch {
    return other;
  }
}

function missing(message: string): never {
  throw new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });
}

const tooMany = (files: number): Problem =>
  files === 1
    ? invalid([wrongField(["file"], "too_many", "The form has several files: send each on its own.")])
    : new Problem("payload_too_large", `At most ${files} files may come at once.`);

const tooMuch = ({ files, bytes }: FormLimits): Problem =>
  files === 1
    ? fileTooLarge(bytes)
    : new Problem("payload_too_large", `The files of a form may have ${sizeInWords(bytes)} together at most.`);

/** The same refusal, with the name of the file. */
function naming(error: unknown, fileName: string): unknown {
  if (!(error instanceof Problem)) return error;
  const { reason, message, errors, headers } = error;
  return new Problem(reason, message, { errors, extra: { fileName }, headers });
}
