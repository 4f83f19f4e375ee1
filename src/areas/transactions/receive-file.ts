import { isJson, jsonLimit, mediaTypeOf, megabyte, namedAs, wrongMedia } from "../../http/body.ts";
import { BodyReader } from "../../http/body-reader.ts";
import type { Env } from "../../platform/env.ts";
import { bytesOf, fileKey, safeName } from "../../platform/files.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { parsed } from "../../http/query.ts";
import { fileRoom } from "../../http/upload-room.ts";
import { Beginning } from "../../http/uploads/beginning.ts";
import { arriving, formFields, rawName } from "../../http/uploads/doors.ts";
import { readMultipart } from "../../http/uploads/multipart.ts";
import { fileTooLarge, storeStream } from "../../http/uploads/store-stream.ts";
import { fileLimit, judged } from "../../http/uploads/uploads.ts";
import { requireActive } from "../tenants/jobs.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import { isContainer, sniff } from "../../extraction/formats/open.ts";
import { statementFormats } from "../../extraction/statements/index.ts";
import type { FeedFile } from "./ledger.ts";
import { FeedFields } from "./shapes.ts";

/** A statement that is text may be much longer than a document: it is never held as a whole. */
const textLimit = 512 * megabyte;
/** How long room in memory is waited for. */
const patienceMilliseconds = 10_000;

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
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `unsupported_file_type`, `file_unreadable`, `payload_too_large`,
 * `company_suspended`
 */
export async function receiveFile(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  try {
    const file = await received(context, said);
    // A long file may have been arriving when the company was suspended or deleted.
    await requireActive(context.env, context.caller.company);
    return file;
  } catch (error) {
    // What is refused after its file has come leaves nothing behind.
    await context.env.FILES.delete(keyOf(context));
    throw error;
  }
}

async function received(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  const { request, uploads } = context;
  const media = mediaTypeOf(request);
  if (media === "multipart/form-data") return receivedForm(context, said);
  if (!rawMedia.has(media) || isJson(request))
    throw wrongMedia(
      request,
      "Send JSON, a multipart form with the file, or the file as the raw body with its own media type, such as text/csv.",
    );
  if (!request.body) throw missing("The body is empty.");
  const body = new BodyReader(request, textLimit, fileTooLarge(textLimit));
  const name = rawName(request, "statement");
  const file = await arriving(request, body, uploads, () => storeFeed(context, name, body.pieces()));
  return { file: await judgeFeed(context.env, file), ...said };
}

async function receivedForm(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  const { request, uploads } = context;
  const body = new BodyReader(request, textLimit + jsonLimit, fileTooLarge(textLimit));
  let file: StoredFeed | undefined;
  const fields = await arriving(request, body, uploads, () =>
    readMultipart(request, body, async (name, pieces) => {
      if (file) throw invalid([wrongField(["file"], "too_many", "The form has several files: send each on its own.")]);
      file = await storeFeed(context, name || "statement", pieces);
    }),
  );
  if (!file) throw missing("The form has no part with a file.");
  const known = namedAs(["provider", "metadata"], formFields(fields));
  const fieldsGiven = given(parsed(FeedFields, known), said);
  return { file: await judgeFeed(context.env, file), ...fieldsGiven };
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

/** A statement that has arrived, with its first bytes. */
type StoredFeed = Omit<FeedFile, "format" | "mediaType"> & { head: Uint8Array };

/** Stores a statement as it arrives. A file that is none is refused as soon as its first bytes show it. */
async function storeFeed(context: Context, name: string, pieces: AsyncIterable<Uint8Array>): Promise<StoredFeed> {
  const { company } = context.caller;
  const key = keyOf(context);
  const beginning = new Beginning();
  const stored = await storeStream(context.env.FILES, key, watched(beginning, pieces, name), {
    contentType: "application/octet-stream",
    limit: textLimit,
    owner: { binding: "LEDGERS", company, id: company },
  });
  return { key, name: safeName(name), ...stored, head: beginning.head };
}

/** Finds out what a statement is. A workbook waits for memory: not while its request holds some to arrive in. */
async function judgeFeed({ FILES }: Env, { head, ...stored }: StoredFeed): Promise<FeedFile> {
  const { key, name } = stored;
  const byAll = async () => kindOf(await bytesOf(FILES, { content: key }), name);
  const { format, mediaType } = await judged(() =>
    isContainer(head) ? fileRoom.with(2 * stored.sizeBytes, { patienceMilliseconds }, byAll) : kindOf(head, name),
  );
  return { mediaType, format, ...stored };
}

async function* watched(
  beginning: Beginning,
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let isJudged = false;
  for await (const piece of beginning.of(pieces)) {
    size += piece.length;
    if (size > fileLimit && isContainer(beginning.head))
      throw new Problem("payload_too_large", "A workbook may have 25 MiB at most.");
    if (!isJudged && beginning.isComplete && !isContainer(beginning.head)) {
      isJudged = true;
      await judged(() => kindOf(beginning.head, name));
    }
    yield piece;
  }
}

function kindOf(bytes: Uint8Array, name: string): { format: string; mediaType: string } {
  const kind = sniff(bytes, name);
  if (statementFormats.includes(kind.format)) return kind;
  throw new ExtractionProblem("unsupported_file_type", "A statement is CSV, XLSX, XLS, ODS or XML.");
}
