import { isJson, jsonLimit, mediaTypeOf, megabyte, toDeclaredNames, unsupportedMedia } from "../../http/body.ts";
import { BodyReader } from "../../http/body-reader.ts";
import type { Env } from "../../platform/env.ts";
import { bytesOf, fileKey, safeName } from "../../platform/files.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { parsed } from "../../http/query.ts";
import { fileMemory } from "../../http/memory-pool.ts";
import { FileHead } from "../../http/uploads/file-head.ts";
import { readWithMemory, formFields, rawName } from "../../http/uploads/read-upload.ts";
import { readMultipart } from "../../http/uploads/multipart.ts";
import { fileTooLarge, storeStream } from "../../http/uploads/store-stream.ts";
import { fileLimit, refusingInvalidFiles } from "../../http/uploads/uploads.ts";
import { requireActive } from "../tenants/jobs.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import { isContainer, sniff } from "../../extraction/formats/open.ts";
import { statementFormats } from "../../extraction/statements/index.ts";
import type { FeedFile } from "./ledger.ts";
import { FeedFields } from "./input.ts";

/** May be much larger than the limit for documents, because a text statement is never in memory as a whole. */
const textLimit = 512 * megabyte;

export interface ReceivedFile {
  file: FeedFile;
  provider?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Media types that are accepted for a raw body. In a form, any type is accepted. */
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
 * Receives a statement from a form or a raw body, and stores it while it arrives.
 * @throws Problem `file_missing`, `file_empty`, `file_encrypted`, `unsupported_file_type`, `file_unreadable`,
 * `payload_too_large`, `company_suspended`
 */
export async function receiveFile(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  try {
    const file = await received(context, said);
    // The company may have been suspended or deleted during a long upload.
    await requireActive(context.env, context.caller.company);
    return file;
  } catch (error) {
    await context.env.FILES.delete(keyOf(context));
    throw error;
  }
}

async function received(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  const { request, uploads } = context;
  const media = mediaTypeOf(request);
  if (media === "multipart/form-data") return receivedForm(context, said);
  if (!rawMedia.has(media) || isJson(request))
    throw unsupportedMedia(
      request,
      "Send JSON, a multipart form with the file, or the file as the raw body with its own media type, such as text/csv.",
    );
  if (!request.body) throw missing("The body is empty.");
  const body = new BodyReader(request, textLimit, fileTooLarge(textLimit));
  const name = rawName(request, "statement");
  const file = await readWithMemory(request, body, uploads, () => storeFeed(context, name, body.chunks()));
  return { file: await judgeFeed(context.env, file), ...said };
}

async function receivedForm(context: Context, said: { provider?: string | undefined }): Promise<ReceivedFile> {
  const { request, uploads } = context;
  const body = new BodyReader(request, textLimit + jsonLimit, fileTooLarge(textLimit));
  let file: StoredFeed | undefined;
  const fields = await readWithMemory(request, body, uploads, () =>
    readMultipart(request, body, async (name, pieces) => {
      if (file)
        throw invalid([
          wrongField(["file"], "too_many", "The form contains several files. Send each file in its own request."),
        ]);
      file = await storeFeed(context, name || "statement", pieces);
    }),
  );
  if (!file) throw missing("The form contains no file.");
  const known = toDeclaredNames(["provider", "metadata"], formFields(fields));
  const fieldsGiven = given(parsed(FeedFields, known), said);
  return { file: await judgeFeed(context.env, file), ...fieldsGiven };
}

/** The request id keeps a repeated request from overwriting the file of the first request. */
const keyOf = ({ caller, newId, requestId }: Context) =>
  fileKey(caller.company, "transactions-feed", newId, `original-${requestId}`);

const given = (
  fields: { provider?: string | undefined; metadata?: Record<string, string> | undefined },
  said: { provider?: string | undefined },
) => ({ ...said, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) });

const missing = (message: string) =>
  new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });

type StoredFeed = Omit<FeedFile, "format" | "mediaType"> & { head: Uint8Array };

async function storeFeed(context: Context, name: string, pieces: AsyncIterable<Uint8Array>): Promise<StoredFeed> {
  const { company } = context.caller;
  const key = keyOf(context);
  const beginning = new FileHead();
  const stored = await storeStream(context.env.FILES, key, watched(beginning, pieces, name), {
    contentType: "application/octet-stream",
    limit: textLimit,
    owner: { binding: "LEDGERS", company, id: company },
  });
  return { key, name: safeName(name), ...stored, head: beginning.head };
}

/** A workbook is loaded as a whole to detect its format; the memory reserved for its upload is released before. */
async function judgeFeed({ FILES }: Env, { head, ...stored }: StoredFeed): Promise<FeedFile> {
  const { key, name } = stored;
  const byAll = async () => kindOf(await bytesOf(FILES, { content: key }), name);
  const { format, mediaType } = await refusingInvalidFiles(() =>
    isContainer(head) ? fileMemory.with(2 * stored.sizeBytes, {}, byAll) : kindOf(head, name),
  );
  return { mediaType, format, ...stored };
}

async function* watched(
  beginning: FileHead,
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let isJudged = false;
  for await (const piece of beginning.of(pieces)) {
    size += piece.length;
    if (size > fileLimit && isContainer(beginning.head))
      throw new Problem("payload_too_large", "A workbook can have at most 25 MiB.");
    if (!isJudged && beginning.isComplete && !isContainer(beginning.head)) {
      isJudged = true;
      await refusingInvalidFiles(() => kindOf(beginning.head, name));
    }
    yield piece;
  }
}

function kindOf(bytes: Uint8Array, name: string): { format: string; mediaType: string } {
  const kind = sniff(bytes, name);
  if (statementFormats.includes(kind.format)) return kind;
  throw new ExtractionProblem("unsupported_file_type", "A statement must be CSV, XLSX, XLS, ODS or XML.");
}
