import { createHash } from "node:crypto";
import { drainPieces, megabyte } from "./body.ts";
import { invalid, Problem, wrongField } from "./problem.ts";

/** R2 wants all parts but the last of the same size, five megabytes at least. */
const partBytes = 8 * megabyte;

/** What a stream came to. */
export interface StoredStream {
  sizeBytes: number;
  sha256: string;
}

/**
 * Puts away bytes as they come: no more than a part of them is held. Putting the same again is harmless.
 * @throws Problem `payload_too_large`
 */
export async function storeStream(
  bucket: R2Bucket,
  key: string,
  pieces: AsyncIterable<Uint8Array>,
  { contentType, limit }: { contentType: string; limit: number },
): Promise<StoredStream> {
  const digest = createHash("sha256");
  const httpMetadata = { contentType };
  const held = new Holder();
  let upload: R2MultipartUpload | undefined;
  const parts: R2UploadedPart[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of pieces) {
      sizeBytes += piece.length;
      if (sizeBytes > limit)
        throw new Problem("payload_too_large", `The file may have ${Math.floor(limit / megabyte)} MiB at most.`);
      digest.update(piece);
      held.add(piece);
      while (held.size >= partBytes) {
        upload ??= await bucket.createMultipartUpload(key, { httpMetadata });
        parts.push(await upload.uploadPart(parts.length + 1, held.take(partBytes)));
      }
    }
    const rest = held.take(held.size);
    if (!upload) await bucket.put(key, rest, { httpMetadata });
    else {
      if (rest.length > 0) parts.push(await upload.uploadPart(parts.length + 1, rest));
      await upload.complete(parts);
    }
  } catch (error) {
    await upload?.abort();
    throw error;
  }
  return { sizeBytes, sha256: digest.digest("hex") };
}

/** Bytes that wait, in their order. */
class Holder {
  size = 0;
  private pieces: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  take(bytes: number): Uint8Array {
    const all = this.pieces.length === 1 ? this.pieces[0]! : new Uint8Array(Buffer.concat(this.pieces));
    const taken = all.subarray(0, bytes);
    this.pieces = bytes < all.length ? [all.subarray(bytes)] : [];
    this.size -= taken.length;
    return taken;
  }
}

/** The text fields of a form and what was made of its file. */
export interface StreamedForm<Kept> {
  fields: [name: string, value: string][];
  file: Kept | undefined;
}

const headLimit = 16 * 1024;
const fieldLimit = 256 * 1024;
const mostParts = 200;

/**
 * A multipart form whose file is handed on as it comes, and never held.
 * @param keep takes the file; it must read all of it
 * @throws Problem `validation_failed` when it cannot be read or has several files
 */
export async function readStreamedForm<Kept>(
  request: Request,
  keep: (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<Kept>,
): Promise<StreamedForm<Kept>> {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(request.headers.get("content-type") ?? "");
  if (!boundary || !request.body) throw unreadable();
  const bytes = new Splitter(request.body);
  try {
    return await formOf(bytes, `--${boundary[1] ?? boundary[2]}`, keep);
  } finally {
    await drainPieces(bytes.pieces());
  }
}

async function formOf<Kept>(
  bytes: Splitter,
  mark: string,
  keep: (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<Kept>,
): Promise<StreamedForm<Kept>> {
  const form: StreamedForm<Kept> = { fields: [], file: undefined };
  await bytes.textUntil(mark, headLimit);
  for (let part = 0; part < mostParts; part++) {
    if (await bytes.beginsWith("--")) return form;
    await bytes.textUntil("\n", headLimit);
    const head = (await bytes.textUntil("\r\n\r\n", headLimit)).replace(/^\r?\n/, "");
    const { name, fileName, isFile } = dispositionOf(head);
    const rest = bytes.piecesUntil(`\r\n${mark}`);
    if (!isFile) {
      form.fields.push([name, await textOf(rest)]);
      continue;
    }
    if (form.file !== undefined)
      throw invalid([wrongField(["file"], "too_many", "The form has several files: send each on its own.")]);
    form.file = await keep(fileName, rest);
  }
  throw unreadable();
}

const unreadable = () => invalid([wrongField([], "invalid", "The multipart body cannot be read.")]);

function dispositionOf(head: string): { name: string; fileName: string; isFile: boolean } {
  const line = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
  const value = (parameter: string) =>
    new RegExp(`[;\\s]${parameter}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(line)?.[1]?.replace(/\\(.)/g, "$1");
  const fileName = value("filename");
  const isJson = /^content-type:\s*application\/json/im.test(head);
  const name = value("name") ?? "";
  return {
    name,
    fileName: fileName ?? "file",
    isFile: fileName !== undefined && !(isJson && /^metadata$/i.test(name)),
  };
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > fieldLimit) throw invalid([wrongField([], "too_big", "A field of the form is too long.")]);
    held.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(held));
}

/** Reads a stream up to marks. */
class Splitter {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);

  constructor(body: ReadableStream<Uint8Array>) {
    this.reader = body.getReader();
  }

  async textUntil(mark: string, limit: number): Promise<string> {
    for (;;) {
      const at = this.held.indexOf(mark);
      if (at >= 0) {
        const text = this.held.toString("utf8", 0, at);
        this.held = this.held.subarray(at + Buffer.byteLength(mark));
        return text;
      }
      if (this.held.length > limit || !(await this.more())) throw unreadable();
    }
  }

  /** Whether it goes on with this; nothing need stand behind it. */
  async beginsWith(mark: string): Promise<boolean> {
    while (this.held.length < mark.length) if (!(await this.more())) return false;
    return this.held.toString("latin1", 0, mark.length) === mark;
  }

  async *piecesUntil(mark: string): AsyncGenerator<Uint8Array> {
    const length = Buffer.byteLength(mark);
    for (;;) {
      const at = this.held.indexOf(mark);
      const safe = at >= 0 ? at : Math.max(0, this.held.length - length + 1);
      const piece = new Uint8Array(this.held.subarray(0, safe));
      this.held = this.held.subarray(at >= 0 ? at + length : safe);
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      if (!(await this.more())) throw unreadable();
    }
  }

  /** Whatever is left. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    do {
      const piece = new Uint8Array(this.held);
      this.held = Buffer.alloc(0);
      yield piece;
    } while (await this.more());
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return false;
    this.held =
      this.held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : Buffer.concat([this.held, value]);
    return true;
  }
}

/** The body as it comes, whatever its length. */
export async function* bodyPieces(request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) yield piece;
  } catch {
    throw invalid([wrongField([], "incomplete", "The body broke off, or its length is not what was announced.")]);
  }
}
