import { Buffer } from "node:buffer";
import { operations, type Named } from "../api.ts";
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

// Files of a mail, posted as a caller would

/** A file of a mail, or the mail itself, whose bytes need not be in memory. */
export interface PostedFile {
  name: string;
  file: ArrivedFile;
}

/** Of which mail it is, and which of what is posted of it. */
interface Place {
  company: string;
  id: string;
  at: number;
  /** ISO date of the mail, by its sender's clock. */
  sentOn?: string | undefined;
  /** Nobody will try once more: what cannot be posted is left out. */
  isLast: boolean;
}

type Made = Pick<MailView["routed"][number], "id" | "duplicateOf" | "errorCode">;

/**
 * Posts files, several only where an operation takes them. What it refuses is written down, and the rest of the mail goes
 * on. Once more it makes nothing new.
 */
export async function posted(
  path: string,
  parts: readonly PostedFile[],
  mail: Mail,
  place: Place,
  env: Env,
): Promise<Made> {
  const named = operationAt(path);
  if (!named?.operation.handle) return { errorCode: "not_found" };
  // What is posted once more lies under a name of its own, and takes nothing from what was posted first.
  const requestId = newId();
  const uploads = new Uploads(env.FILES, requestId);
  try {
    const { body, ...sent } = await sentTo(named, parts, saidWith(mail, place.id), uploads);
    const context = await contextFor(named, { requestId, uploads, ...sent }, place, env);
    const reply: unknown = await named.operation.handle({ params: {}, query: {}, body }, context);
    return madeIn(reply instanceof Answer ? reply.body : reply);
  } catch (error) {
    if (error instanceof Problem && !isOverloaded(error)) return { errorCode: error.reason };
    if (!place.isLast) throw error;
    logFault("mail.post", error, { company: place.company, id: place.id, path });
    return { errorCode: "internal_error" };
  } finally {
    await uploads.discard();
  }
}

const operationAt = (path: string): Named | undefined =>
  operations.find(
    ({ operation: { method, path: at, takesFile, orFile } }) =>
      method === "POST" && at === path && (takesFile || orFile),
  );

type Sent = Pick<Context, "request" | "file" | "files">;

const here = "https://mail.invalid/";

/** The request with its files: at hand, or for the operation to take in by itself. */
async function sentTo(
  { operation: { takesMany, orFile, body } }: Named,
  parts: readonly PostedFile[],
  said: SaidByMail,
  uploads: Uploads,
): Promise<Sent & { body?: unknown }> {
  if (orFile) return { request: formOf(parts, said, uploads) };
  const files: UploadedFile[] = [];
  for (const { name, file } of parts) {
    if (file.sizeBytes > fileLimit) throw fileTooLarge(fileLimit);
    files.push(await uploads.judge(file, name));
  }
  const request = new Request(here, { method: "POST" });
  return { request, ...(takesMany ? { files } : { file: files[0]! }), body: body && parsed(body, said) };
}

/** Its files are sent as they come from R2. */
function formOf(parts: readonly PostedFile[], { metadata }: SaidByMail, uploads: Uploads): Request {
  const mark = newId();
  const headers = { "content-type": `multipart/form-data; boundary=${mark}` };
  return new Request(here, { method: "POST", headers, body: streamOf(written()) });

  async function* written(): AsyncGenerator<Uint8Array, undefined> {
    for (const [key, value] of Object.entries(metadata)) {
      yield headOf(mark, `metadata[${key}]`);
      yield Buffer.from(`${value}\r\n`);
    }
    for (const { name, file } of parts) {
      yield headOf(mark, "file", name);
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

function headOf(mark: string, name: string, fileName?: string): Uint8Array {
  const parameters = { name: escaped(name), ...(fileName !== undefined && { filename: escaped(fileName) }) };
  const said = Object.entries(parameters).map(([parameter, value]) => `; ${parameter}="${value}"`);
  return Buffer.from(`--${mark}\r\nContent-Disposition: form-data${said.join("")}\r\n\r\n`);
}

const escaped = (text: string) => text.replace(/\p{Cc}/gu, "").replace(/["\\]/g, "\\$&");

interface SaidByMail {
  metadata: Record<string, string>;
}

/** What goes with the files. */
const saidWith = ({ from, subject }: Mail, mailId: string): SaidByMail => ({
  metadata: {
    ...(from && { [originalSender]: from }),
    ...(subject && { Subject: subject.slice(0, 512).toWellFormed() }),
    MailId: mailId,
  },
});

/** The id of what was made stands in the answer under a name of its own. */
function madeIn(reply: unknown): Made {
  const { duplicateOf, ...fields } = reply as Record<string, unknown>;
  const [, id] = Object.entries(fields).find(([name]) => name.endsWith("Id")) ?? [];
  return { ...(typeof id === "string" && { id }), ...(typeof duplicateOf === "string" && { duplicateOf }) };
}

async function contextFor(
  { id: operation }: Named,
  sent: Sent & Pick<Context, "requestId" | "uploads">,
  { company, id: mailId, at, sentOn }: Place,
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
    look: async (command, target, ask) => (await executeCommand(env, command, { company, id: target }, ask)).reply,
    settled: (binding, target) => objectOf(env, binding, company, target).settled(0),
  };
}
