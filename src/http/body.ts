import { joinBytes } from "../extraction/document/bytes.ts";
import { bodyIncomplete, BodyReader, bodyTooLarge, megabyte } from "./body-reader.ts";
import { Problem, wrongField } from "../platform/problem.ts";

export { drain, megabyte } from "./body-reader.ts";
/** Largest JSON body, when an operation says nothing else. */
export const jsonLimit = megabyte;
/** Deepest nesting of a JSON body. */
export const deepestJson = 32;

/** @throws Problem `invalid_json`, `payload_too_large`, `unsupported_media_type` */
export async function readJson(request: Request, limit = jsonLimit, mayBeEmpty = false): Promise<unknown> {
  if (mediaTypeOf(request) && !isJson(request)) throw wrongMedia(request, "The body must be application/json.");
  return parseJson(await readBytes(request, limit), mayBeEmpty);
}

/** @throws Problem `invalid_json` */
export function parseJson(bytes: Uint8Array, mayBeEmpty = false): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidJson("The body is not UTF-8.");
  if (mayBeEmpty && text.trim() === "") return {};
  if (depthOf(text) > deepestJson) throw invalidJson(`The body is nested deeper than ${deepestJson} levels.`);
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

export const invalidJson = (message: string): Problem =>
  new Problem("invalid_json", message, { errors: [wrongField([], "invalid_json", message)] });

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

/** Fields of a form under the names a shape has for them, whatever their case. */
export function namedAs(names: string[], fields: Record<string, unknown>): Record<string, unknown> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [known.get(name.toLowerCase()) ?? name, value]),
  );
}

/** A short body as text, whatever its media type. @throws Problem `payload_too_large` */
export const readText = async (request: Request, limit: number) =>
  new TextDecoder().decode(await readBytes(request, limit));

/** Of a body with a declared length the runtime takes in no more than that; one without is counted as it comes. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > limit) throw bodyTooLarge(limit);
  try {
    return declared === null ? await counted(request, limit) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw bodyIncomplete();
  }
}

async function counted(request: Request, limit: number): Promise<Uint8Array> {
  const body = new BodyReader(request, limit);
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of body.pieces()) pieces.push(piece);
  } catch (error) {
    await body.drain();
    throw error;
  }
  return pieces.length === 1 ? pieces[0]! : joinBytes(pieces);
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
