import { Buffer } from "node:buffer";
import { operations, type NamedOperation } from "../api.ts";
import type { Mail, MailView } from "../areas/mails/model.ts";
import type { Actor } from "../platform/audit.ts";
import type { Env } from "../platform/env.ts";
import type { UploadedFile } from "../platform/files.ts";
import { Answer } from "../http/responses.ts";
import { newId, partId } from "../platform/ids.ts";
import { logFault } from "../platform/log.ts";
import type { Context } from "../http/operation.ts";
import { executeCommand, objectOf } from "../platform/aggregates.ts";
import { Problem } from "../platform/problem.ts";
import { parsed } from "../http/query.ts";
import { isOverloaded } from "../areas/intake/stored-files.ts";
import { originalSender } from "../domain/shapes.ts";
import { fileTooLarge } from "../http/uploads/store-stream.ts";
import { fileLimit, Uploads, type ArrivedFile } from "../http/uploads/uploads.ts";

/** A file of a mail, or the mail itself. Its bytes need not be in memory. */
export interface SubmittedFile {
  name: string;
  file: ArrivedFile;
}

/** `at`: position of the first submitted file in the mail, from 1; 0 for the mail itself. */
interface MailPosition {
  company: string;
  id: string;
  at: number;
  /** Date of the mail in the sender's local time, ISO 8601. */
  sentOn?: string | undefined;
  /** From attempt number `mails.maxAttempts` on, a file that cannot be submitted is skipped. */
  skipsFaulty: boolean;
}

type CreatedRecord = Pick<MailView["routed"][number], "id" | "duplicateOf" | "errorCode">;

/**
 * Submits files to the operation at a path, as a caller of the API does. A refusal is recorded, so that other
 * submissions continue. A repeated call creates no further records.
 */
export async function submitFiles(
  path: string,
  parts: readonly SubmittedFile[],
  mail: Mail,
  position: MailPosition,
  env: Env,
): Promise<CreatedRecord> {
  const named = operationAt(path);
  if (!named?.operation.handle) return { errorCode: "not_found" };
  // Each attempt has its own temporary files, so that a repeated attempt does not delete those of the first.
  const requestId = newId();
  const uploads = new Uploads(env.FILES, requestId);
  try {
    const { body, ...sent } = await toOperationInput(named, parts, fieldsOfMail(mail, position.id), uploads);
    const context = await contextFor(named, { requestId, uploads, ...sent }, position, env);
    const reply: unknown = await named.operation.handle({ params: {}, query: {}, body }, context);
    return createdRecordIn(reply instanceof Answer ? reply.body : reply);
  } catch (error) {
    if (error instanceof Problem && !isOverloaded(error)) return { errorCode: error.reason };
    if (!position.skipsFaulty) throw error;
    logFault("mail.post", error, { company: position.company, id: position.id, path });
    return { errorCode: "internal_error" };
  } finally {
    await uploads.discard();
  }
}

const operationAt = (path: string): NamedOperation | undefined =>
  operations.find(
    ({ operation: { method, path: at, takesFile, orFile } }) =>
      method === "POST" && at === path && (takesFile || orFile),
  );

type Sent = Pick<Context, "request" | "file" | "files">;

const requestUrl = "https://mail.invalid/";

/** Operations with `orFile` parse a form themselves; all others get validated files. */
async function toOperationInput(
  { operation: { takesMany, orFile, body } }: NamedOperation,
  parts: readonly SubmittedFile[],
  mailFields: MailFields,
  uploads: Uploads,
): Promise<Sent & { body?: unknown }> {
  if (orFile) return { request: formOf(parts, mailFields, uploads) };
  const files: UploadedFile[] = [];
  for (const { name, file } of parts) {
    if (file.sizeBytes > fileLimit) throw fileTooLarge(fileLimit);
    files.push(await uploads.judge(file, name));
  }
  const request = new Request(requestUrl, { method: "POST" });
  return { request, ...(takesMany ? { files } : { file: files[0]! }), body: body && parsed(body, mailFields) };
}

function formOf(parts: readonly SubmittedFile[], { metadata }: MailFields, uploads: Uploads): Request {
  const mark = newId();
  const headers = { "content-type": `multipart/form-data; boundary=${mark}` };
  return new Request(requestUrl, { method: "POST", headers, body: streamOf(written()) });

  async function* written(): AsyncGenerator<Uint8Array, undefined> {
    for (const [key, value] of Object.entries(metadata)) {
      yield partHeader(mark, `metadata[${key}]`);
      yield Buffer.from(`${value}\r\n`);
    }
    for (const { name, file } of parts) {
      yield partHeader(mark, "file", name);
      for await (const piece of uploads.piecesOf(file)) yield* chunksOf(piece);
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(`--${mark}--\r\n`);
  }
}

const chunkBytes = 64 * 1024;

const streamOf = (pieces: AsyncGenerator<Uint8Array, undefined>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });

function* chunksOf(piece: Uint8Array): Generator<Uint8Array, undefined> {
  for (let at = 0; at < piece.length; at += chunkBytes) yield piece.subarray(at, at + chunkBytes);
}

function partHeader(mark: string, name: string, fileName?: string): Uint8Array {
  const parameters = { name: escape(name), ...(fileName !== undefined && { filename: escape(fileName) }) };
  const attributes = Object.entries(parameters).map(([parameter, value]) => `; ${parameter}="${value}"`);
  return Buffer.from(`--${mark}\r\nContent-Disposition: form-data${attributes.join("")}\r\n\r\n`);
}

const escape = (text: string) => text.replace(/\p{Cc}/gu, "").replace(/["\\]/g, "\\$&");

interface MailFields {
  metadata: Record<string, string>;
}

const fieldsOfMail = ({ from, subject }: Mail, mailId: string): MailFields => ({
  metadata: {
    ...(from && { [originalSender]: from }),
    ...(subject && { Subject: subject.slice(0, 512).toWellFormed() }),
    MailId: mailId,
  },
});

/** The id of the new record is the field of the reply whose name ends in `Id`. */
function createdRecordIn(reply: unknown): CreatedRecord {
  const { duplicateOf, ...fields } = reply as Record<string, unknown>;
  const [, id] = Object.entries(fields).find(([name]) => name.endsWith("Id")) ?? [];
  return { ...(typeof id === "string" && { id }), ...(typeof duplicateOf === "string" && { duplicateOf }) };
}

async function contextFor(
  { id: operation }: NamedOperation,
  sent: Sent & Pick<Context, "requestId" | "uploads">,
  { company, id: mailId, at, sentOn }: MailPosition,
  env: Env,
): Promise<Context> {
  const by: Actor = { type: "Mail", operation, mailId };
  return {
    env,
    caller: { company, keyId: "mail", scopes: ["*"] },
    by,
    newId: await partId(mailId, at),
    waitSeconds: 0,
    sentOn,
    ...sent,
    execute: (command, target, ask) => executeCommand(env, command, { company, id: target, by }, ask),
    send: async (command, target, ask) => (await executeCommand(env, command, { company, id: target }, ask)).reply,
    waitUntilComplete: (binding, target) => objectOf(env, binding, company, target).waitUntilComplete(0),
  };
}
