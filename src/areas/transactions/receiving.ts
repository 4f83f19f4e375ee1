import { drainPieces, fileLimit, isJson, mediaTypeOf, megabyte, namedAs, wrongMedia } from "../../kit/body.ts";
import { fileKey, safeName } from "../../kit/files.ts";
import type { Context } from "../../kit/operation.ts";
import { invalid, Problem, wrongField } from "../../kit/problem.ts";
import { parsed } from "../../kit/query.ts";
import { bodyPieces, readStreamedForm, storeStream } from "../../kit/streams.ts";
import { Metadata } from "../../kit/shapes.ts";
import { ReadingProblem } from "../../reading/problem.ts";
import { sniff } from "../../reading/open/open.ts";
import { statementFormats } from "../../reading/statements/index.ts";
import type { FeedFile } from "./ledger.ts";
import { FeedFields } from "./shapes.ts";

/** A statement that is text may be much longer than a document: it is never held as a whole. */
const textLimit = 512 * megabyte;
/** So much of the beginning tells what it is. */
const headBytes = 64 * 1024;

export interface ReceivedFile {
  file: FeedFile;
  provider?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Media types in which a file comes as the body itself; a form carries one of any. */
const rawMedia = new Set([
  "",
  "text/csv",
  "text/plain",
  "text/tab-separated-values",
  "text/xml",
  "application/csv",
  "application/xml",
  "application/octet-stream",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.spreadsheet",
]);

/**
 * A statement as it comes in: a form, or the raw bytes. It is put away while it comes.
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `unsupported_file_type`, `file_unreadable`, `payload_too_large`
 */
export async function receiveFile(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  try {
    return await received(context, said);
  } catch (error) {
    // What is refused after its file has come leaves nothing behind.
    await context.env.FILES.delete(keyOf(context));
    throw error;
  }
}

async function received(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  const { request } = context;
  const media = mediaTypeOf(request);
  if (media === "multipart/form-data") {
    const { fields, file } = await readStreamedForm(request, (name, pieces) => keepFile(context, name, pieces));
    if (!file) throw missing("The form has no part with a file.");
    return { file, ...given(parsed(FeedFields, fieldsOf(fields)), said) };
  }
  if (!rawMedia.has(media) || isJson(request))
    throw wrongMedia(
      request,
      "Send JSON, a multipart form with the file, or the file as the raw body with its own media type, such as text/csv.",
    );
  if (!request.body) throw missing("The body is empty.");
  const name = /filename="([^"]*)"/i.exec(request.headers.get("content-disposition") ?? "")?.[1] ?? "statement";
  return { file: await keepFile(context, name, bodyPieces(request)), ...said };
}

/** Each request has a place of its own: of two with the same idempotency key one file stays. */
const keyOf = ({ caller, newId, requestId }: Context) =>
  fileKey(caller.company, "transactions-feed", newId, `original-${requestId}`);

const given = (
  fields: { provider?: string | undefined; metadata?: Record<string, string> | undefined },
  said: { provider?: string | undefined },
) => ({ ...said, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) });

const missing = (message: string) =>
  new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });

/** `metadata[key]` parts and one JSON part `metadata` become a map. */
function fieldsOf(entries: [string, string][]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const key = /^metadata\[(.*)\]$/i.exec(name)?.[1];
    if (key !== undefined) metadata[key] = value;
    else if (/^metadata$/i.test(name)) Object.assign(metadata, mapOf(value));
    else fields[name] = value;
  }
  return { ...namedAs(["provider"], fields), ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function mapOf(text: string): Record<string, string> {
  try {
    return Metadata.parse(JSON.parse(text));
  } catch {
    throw invalid([wrongField(["metadata"], "invalid_type", "metadata must be a JSON object.")]);
  }
}

async function keepFile(context: Context, name: string, pieces: AsyncIterable<Uint8Array>): Promise<FeedFile> {
  try {
    return await keptFile(context, name, pieces);
  } catch (error) {
    await drainPieces(pieces);
    throw error;
  }
}

async function keptFile(context: Context, name: string, pieces: AsyncIterable<Uint8Array>): Promise<FeedFile> {
  const source = pieces[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let size = 0;
  const gather = async (enough: number) => {
    while (size < enough) {
      const { done, value } = await source.next();
      if (done) return;
      head.push(value);
      size += value.length;
    }
  };
  await gather(headBytes);
  const isBook = isContainer(head[0]);
  if (isBook) await gather(fileLimit + 1);
  if (size > fileLimit && isBook) throw new Problem("payload_too_large", "A workbook may have 25 MiB at most.");
  const { format, mediaType } = kindOf(new Uint8Array(Buffer.concat(head)), name);
  const key = keyOf(context);
  const all = (async function* () {
    yield* head;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  })();
  const stored = await storeStream(context.env.FILES, key, all, { contentType: mediaType, limit: textLimit });
  return { key, name: safeName(name), mediaType, format, ...stored };
}

/** A zip or an Office container: what is in it stands at its end. */
const isContainer = (first: Uint8Array | undefined) =>
  first !== undefined && ((first[0] === 0x50 && first[1] === 0x4b) || (first[0] === 0xd0 && first[1] === 0xcf));

function kindOf(head: Uint8Array, name: string): { format: string; mediaType: string } {
  try {
    const kind = sniff(head, name);
    if (statementFormats.includes(kind.format)) return kind;
    throw new ReadingProblem("unsupported_file_type", "A statement is CSV, XLSX, XLS, ODS or XML.");
  } catch (error) {
    if (!(error instanceof ReadingProblem)) throw error;
    const reason = refusals.find((one) => one === error.reason) ?? "file_unreadable";
    throw new Problem(reason, error.message, { errors: [wrongField(["file"], reason, error.message)] });
  }
}

const refusals = ["file_empty", "file_encrypted", "unsupported_file_type", "file_unreadable"] as const;
