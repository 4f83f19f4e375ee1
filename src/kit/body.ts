import { parse as parseDisposition } from "content-disposition";
import { joinedBytes } from "../reading/joined-bytes.ts";
import { refuse as refuseFile } from "../reading/open/open.ts";
import { ReadingProblem } from "../reading/problem.ts";
import { safeName, uploadedFile, type UploadedFile } from "./files.ts";
import { Problem, wrongField, invalid } from "./problem.ts";

export const megabyte = 1024 * 1024;
/** Largest JSON body, when an operation says nothing else. */
export const jsonLimit = megabyte;
/** Largest JSON body that carries a document in base64. */
export const base64Limit = 35 * megabyte;
/** Largest file. */
export const fileLimit = 25 * megabyte;
/** Deepest nesting of a JSON body. */
const deepest = 32;

/** @throws Problem `invalid_json`, `payload_too_large`, `unsupported_media_type` */
export async function readJson(request: Request, limit = jsonLimit, mayBeEmpty = false): Promise<unknown> {
  if (mediaTypeOf(request) && !isJson(request)) throw wrongMedia(request, "The body must be application/json.");
  const bytes = await readBytes(request, limit);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidJson("The body is not UTF-8.");
  if (mayBeEmpty && text.trim() === "") return {};
  if (depthOf(text) > deepest) throw invalidJson(`The body is nested deeper than ${deepest} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(text.trim() === "" ? "The body is empty." : "The body is not JSON.");
  }
}

/** A body of another media type than is taken: what is wanted, and what came. */
export function wrongMedia(request: Request, wanted: string): Problem {
  const came = mediaTypeOf(request).slice(0, 100);
  return new Problem("unsupported_media_type", `${wanted} It came ${came ? `as ${came}` : "without a media type"}.`);
}

const invalidJson = (message: string) =>
  new Problem("invalid_json", message, { errors: [wrongField([], "invalid_json", message)] });

/** A file and what came with it. */
export interface Upload {
  file: UploadedFile;
  fields: Record<string, unknown>;
}

/**
 * Multipart with a part `file` (whatever it is called, it is the only one with a file), or the raw bytes. `metadata[key]` parts and one JSON
 * part `metadata` become a map.
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `file_unreadable`, `unsupported_file_type`, `payload_too_large`
 */
export async function readUpload(request: Request): Promise<Upload> {
  const media = mediaTypeOf(request);
  if (media === "multipart/form-data") return readForm(request);
  if (media === "application/json")
    throw wrongMedia(request, "Send the file as multipart/form-data, or as the raw body with its own media type.");
  const bytes = await readBytes(request, fileLimit);
  if (bytes.length === 0 && !media) throw fileMissing("The body is empty.");
  return { file: await acceptFile(rawName(request), bytes), fields: {} };
}

const fileMissing = (message: string) =>
  new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });

/** What a form on a page sends: any number of files, and what was typed beside them. */
export interface FilledForm {
  files: File[];
  fields: Record<string, string>;
}

/**
 * A multipart form as a browser sends it, all files together 25 MiB at most. A file field that was left empty comes as a
 * file without name and bytes: that is none.
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `validation_failed` when it cannot be read
 */
export async function readFilledForm(request: Request): Promise<FilledForm> {
  if (mediaTypeOf(request) !== "multipart/form-data")
    throw wrongMedia(request, "Send the files as multipart/form-data.");
  const entries = await formEntries(request);
  const files = filesOf(entries).filter(({ name, size }) => name !== "" || size > 0);
  return { files, fields: Object.fromEntries(textsOf(entries)) };
}

/**
 * Checks the files of a form; one that cannot be taken refuses them all.
 * @throws Problem as {@link readUpload}; `fileName` beside the others says which file it was
 */
export async function acceptFiles(files: File[]): Promise<UploadedFile[]> {
  if (files.length === 0) throw fileMissing("The form has no file.");
  return Promise.all(files.map(acceptNamed));
}

async function acceptNamed(file: File): Promise<UploadedFile> {
  try {
    return await acceptFile(file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.reason, error.message, { errors: error.errors, extra: { fileName: safeName(file.name) } });
  }
}

/** A form without files is no larger than this. */
const plainFormLimit = 64 * 1024;

/**
 * The fields of a form without files, as a browser sends it; of those that stand there twice the last.
 * @throws Problem `unsupported_media_type`, `payload_too_large`
 */
export async function readFields(request: Request): Promise<Record<string, string>> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded")
    throw wrongMedia(request, "Send the form as application/x-www-form-urlencoded.");
  return Object.fromEntries(new URLSearchParams(await readText(request, plainFormLimit)));
}

type FormEntry = [name: string, value: string | File];

const filesOf = (entries: FormEntry[]) =>
  entries.map(([, value]) => value).filter((value): value is File => typeof value !== "string");

const textsOf = (entries: FormEntry[]) =>
  entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");

async function formEntries(request: Request): Promise<FormEntry[]> {
  const bytes = await readBytes(request, fileLimit + megabyte);
  const form = await new Response(bytes as BodyInit, {
    headers: { "content-type": request.headers.get("content-type")! },
  })
    .formData()
    .catch(() => undefined);
  if (!form) throw invalid([wrongField([], "invalid", "The multipart body cannot be read.")]);
  return [...form.entries()] as FormEntry[];
}

async function readForm(request: Request): Promise<Upload> {
  const entries = await Promise.all((await formEntries(request)).map(metadataAsText));
  const [file, another] = filesOf(entries);
  if (another) throw invalid([wrongField(["file"], "too_many", "The form has several files: send each on its own.")]);
  if (!file) throw fileMissing("The form has no part with a file.");
  const fields = formFields(textsOf(entries));
  return { file: await acceptFile(file.name, new Uint8Array(await file.arrayBuffer())), fields };
}

/** A browser sends a JSON part as a file, since only files have a media type there. */
async function metadataAsText([name, value]: FormEntry): Promise<FormEntry> {
  return typeof value !== "string" && /^metadata$/i.test(name) ? [name, await value.text()] : [name, value];
}

/** Checks the bytes and finds out what they are. */
export async function acceptFile(name: string, bytes: Uint8Array): Promise<UploadedFile> {
  if (bytes.length > fileLimit) throw new Problem("payload_too_large", "A file may have 25 MiB at most.");
  try {
    const { mediaType } = await refuseFile(bytes, name);
    return await uploadedFile(name, mediaType, bytes);
  } catch (error) {
    if (error instanceof ReadingProblem)
      throw new Problem(uploadReason(error.reason), error.message, {
        errors: [wrongField(["file"], error.reason, error.message)],
      });
    throw error;
  }
}

const uploadReasons = ["file_empty", "file_encrypted", "unsupported_file_type", "file_unreadable"] as const;
const uploadReason = (reason: string) => uploadReasons.find((one) => one === reason) ?? "file_unreadable";

/** Fields of a form under the names a shape has for them, whatever their case. */
export function namedAs(names: string[], fields: Record<string, unknown>): Record<string, unknown> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [known.get(name.toLowerCase()) ?? name, value]),
  );
}

/** `metadata[key]` parts and one JSON part `metadata` become a map. @throws Problem `validation_failed` */
export function formFields(entries: [string, string][]): Record<string, unknown> {
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

function rawName(request: Request): string {
  try {
    return parseDisposition(request.headers.get("content-disposition") ?? "").parameters["filename"] ?? "file";
  } catch {
    return "file";
  }
}

/** A short body as text, whatever its media type. @throws Problem `payload_too_large` */
export const readText = async (request: Request, limit: number) =>
  new TextDecoder().decode(await readBytes(request, limit));

/** Of a body with a declared length the runtime takes in no more than that; one without is counted as it comes. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > limit) throw tooLarge(limit);
  try {
    return declared === null ? await counted(request, limit) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalid([wrongField([], "incomplete", "The body broke off, or its length is not what was announced.")]);
  }
}

async function counted(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const pieces = piecesOf(request);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    size += next.value.length;
    if (size > limit) {
      await drainPieces(pieces);
      throw tooLarge(limit);
    }
    chunks.push(next.value);
  }
  return chunks.length === 1 ? chunks[0]! : joinedBytes(chunks);
}

/** Whoever stops between two of them may go on later. */
async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) yield piece;
}

const tooLarge = (limit: number) =>
  new Problem(
    "payload_too_large",
    `The body may have ${limit < megabyte ? `${limit} bytes` : `${Math.floor(limit / megabyte)} MiB`} at most.`,
  );

/** Bytes that nobody asked for and that are still taken in. */
const drainLimit = 40 * megabyte;
/** How long they are waited for. */
const drainMilliseconds = 2_000;
/** And how much longer for each that came: whoever really sends gets to its end, also where everything is slow. */
const drainMillisecondsPerByte = 1_000 / (2 * megabyte);

/**
 * Takes in what a request still sends though it is answered already, up to a limit and for a while: a connection that is closed while the client is writing
 * hides the answer from it.
 */
export async function drain(request: Request): Promise<void> {
  if (request.body && !request.bodyUsed) await drainBody(request);
}

/** The same of a body that has begun to be read, by somebody who has let it go since. */
export const drainBody = ({ body }: Request): Promise<void> =>
  drainPieces((body ?? []) as unknown as AsyncIterable<Uint8Array>);

/** The same of its pieces. */
export async function drainPieces(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const began = Date.now();
  let size = 0;
  let timer: ReturnType<typeof setTimeout>;
  const enough = new Promise<void>((resolve) => {
    const look = () => {
      const left = began + drainMilliseconds + size * drainMillisecondsPerByte - Date.now();
      if (left <= 0) resolve();
      else timer = setTimeout(look, left);
    };
    look();
  });
  const taken = takeIn(pieces, (bytes) => (size += bytes));
  await Promise.race([taken, enough]).finally(() => clearTimeout(timer));
}

/** @param count tells how many there are when so many more have come */
async function takeIn(pieces: AsyncIterable<Uint8Array>, count: (bytes: number) => number): Promise<void> {
  try {
    for await (const piece of pieces) if (count(piece.length) > drainLimit) return;
  } catch {
    // The client is gone, and so is whoever would have read the answer.
  }
}

/** Whether its media type is JSON's. */
export const isJson = (request: Request) => /^application\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(request));

export const mediaTypeOf = (request: Request) =>
  (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Nesting outside of strings, found without a stack of our own to overflow. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign === 34) i = endOfString(text, i);
    else if (sign === 91 || sign === 123) most = Math.max(most, ++depth);
    else if (sign === 93 || sign === 125) depth--;
  }
  return most;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 92) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
