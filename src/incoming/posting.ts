import { Buffer } from "node:buffer";
import { operations, type Named } from "../api.ts";
import type { Mail, MailView } from "../areas/mails/index.ts";
import type { Actor } from "../kit/audit.ts";
import type { Env } from "../kit/env.ts";
import type { UploadedFile } from "../kit/files.ts";
import { Answer } from "../kit/http.ts";
import { newId, partId } from "../kit/ids.ts";
import { logFault } from "../kit/log.ts";
import type { Context } from "../kit/operation.ts";
import { askOwner, objectOf } from "../kit/owners.ts";
import { Problem } from "../kit/problem.ts";
import { parsed } from "../kit/query.ts";
import { originalSender } from "../kit/shapes.ts";
import { acceptFile, Uploads } from "../kit/uploads/uploads.ts";
import type { Part } from "./posts.ts";

// Files of a mail, posted as a caller would

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
export async function posted(path: string, parts: readonly Part[], mail: Mail, place: Place, env: Env): Promise<Made> {
  const named = operationAt(path);
  if (!named?.operation.handle) return { errorCode: "not_found" };
  // What is posted once more lies under a name of its own, and takes nothing from what was posted first.
  const requestId = newId();
  const uploads = new Uploads(env.FILES, requestId);
  try {
    const { body, ...sent } = await sentTo(named, parts, saidWith(mail, place.id));
    const context = await contextFor(named, { requestId, uploads, ...sent }, place, env);
    const reply: unknown = await named.operation.handle({ params: {}, query: {}, body }, context);
    return madeIn(reply instanceof Answer ? reply.body : reply);
  } catch (error) {
    if (error instanceof Problem) return { errorCode: error.reason };
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
  parts: readonly Part[],
  said: SaidByMail,
): Promise<Sent & { body?: unknown }> {
  if (orFile) return { request: formOf(parts, said) };
  const files: UploadedFile[] = [];
  for (const { name, bytes } of parts) files.push(await acceptFile(name, bytes));
  const request = new Request(here, { method: "POST" });
  return { request, ...(takesMany ? { files } : { file: files[0]! }), body: body && parsed(body, said) };
}

/** Its files are sent as they lie in memory, and are not held once more. */
function formOf(parts: readonly Part[], { metadata }: SaidByMail): Request {
  const mark = newId();
  const headers = { "content-type": `multipart/form-data; boundary=${mark}` };
  const pieces = [
    ...Object.entries(metadata).flatMap(([key, value]) => partOf(mark, `metadata[${key}]`, Buffer.from(value))),
    ...parts.flatMap(({ name, bytes }) => partOf(mark, "file", bytes, name)),
    Buffer.from(`--${mark}--\r\n`),
  ];
  return new Request(here, { method: "POST", headers, body: streamOf(pieces) });
}

const chunkBytes = 64 * 1024;

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const chunks = chunksOf(pieces);
  return new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += chunkBytes) yield piece.subarray(at, at + chunkBytes);
}

function partOf(mark: string, name: string, content: Uint8Array, fileName?: string): Uint8Array[] {
  const parameters = { name: escaped(name), ...(fileName !== undefined && { filename: escaped(fileName) }) };
  const said = Object.entries(parameters).map(([parameter, value]) => `; ${parameter}="${value}"`);
  const head = `--${mark}\r\nContent-Disposition: form-data${said.join("")}\r\n\r\n`;
  return [Buffer.from(head), content, Buffer.from("\r\n")];
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
    perform: (step, target, ask) => askOwner(env, step, { company, id: target, by }, ask),
    look: async (step, target, ask) => (await askOwner(env, step, { company, id: target }, ask)).reply,
    settled: (binding, target) => objectOf(env, binding, company, target).settled(0),
  };
}
