import { joinBytes } from "../extraction/document/bytes.ts";
import { bodyIncomplete, BodyReader, bodyTooLarge, megabyte } from "./body-reader.ts";
import { Problem, wrongField } from "../platform/problem.ts";

export { drain, megabyte } from "./body-reader.ts";
/** Maximum size of a JSON body in bytes, unless an operation has its own limit. */
export const jsonLimit = megabyte;
/** Maximum nesting depth of a JSON body. */
export const maxJsonDepth = 32;

/**
 * Reads and parses a JSON body.
 * @throws Problem `invalid_json`, `payload_too_large`, `unsupported_media_type`
 */
export async function readJson(request: Request, limit = jsonLimit, mayBeEmpty = false): Promise<unknown> {
  if (mediaTypeOf(request) && !isJson(request)) throw unsupportedMedia(request, "The body must be application/json.");
  return parseJson(await readBytes(request, limit), mayBeEmpty);
}

/** @throws Problem `invalid_json` */
export function parseJson(bytes: Uint8Array, mayBeEmpty = false): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidJson("The body must be UTF-8.");
  if (mayBeEmpty && text.trim() === "") return {};
  if (depthOf(text) > maxJsonDepth) throw invalidJson(`The body is nested deeper than ${maxJsonDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(text.trim() === "" ? "The body is empty." : "The body is not JSON.");
  }
}

/**
 * Builds the refusal of an unsupported media type.
 * @param wanted a sentence that names the supported types
 */
export function unsupportedMedia(request: Request, wanted: string): Problem {
  const came = mediaTypeOf(request).slice(0, 100);
  return new Problem("unsupported_media_type", `${wanted} The media type was ${came || "missing"}.`);
}

export const invalidJson = (message: string): Problem =>
  new Problem("invalid_json", message, { errors: [wrongField([], "invalid_json", message)] });

const maxFormBytes = 64 * 1024;

/**
 * Reads a form without files. If a field is repeated, the last value counts.
 * @throws Problem `unsupported_media_type`, `payload_too_large`
 */
export async function readFields(request: Request): Promise<Record<string, string>> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded")
    throw unsupportedMedia(request, "Send the form as application/x-www-form-urlencoded.");
  return Object.fromEntries(new URLSearchParams(await readText(request, maxFormBytes)));
}

/** Renames fields to the declared names, ignoring case. */
export function toDeclaredNames(names: string[], fields: Record<string, unknown>): Record<string, unknown> {
  const declared = new Map(names.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [declared.get(name.toLowerCase()) ?? name, value]),
  );
}

/**
 * Reads a short body of any media type as text.
 * @throws Problem `payload_too_large`
 */
export const readText = async (request: Request, limit: number) =>
  new TextDecoder().decode(await readBytes(request, limit));

/** The runtime enforces a declared length. Without one, the bytes are counted. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > limit) throw bodyTooLarge(limit);
  try {
    return declared === null ? await readCounted(request, limit) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw bodyIncomplete();
  }
}

async function readCounted(request: Request, limit: number): Promise<Uint8Array> {
  const body = new BodyReader(request, limit);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body.chunks()) chunks.push(chunk);
  } catch (error) {
    await body.drain();
    throw error;
  }
  return chunks.length === 1 ? chunks[0]! : joinBytes(chunks);
}

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

/** Iterative, so that deeply nested input cannot overflow the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign === 34) i = endOfString(text, i);
    else if (sign === 91 || sign === 123) deepest = Math.max(deepest, ++depth);
    else if (sign === 93 || sign === 125) depth--;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 92) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
