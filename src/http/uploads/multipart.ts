import { Buffer } from "node:buffer";
import { parse as parseDisposition } from "content-disposition";
import { jsonLimit, mediaTypeOf, unsupportedMedia } from "../body.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { formatSize, type BodyReader } from "../body-reader.ts";

const headLimit = 64 * 1024;
const mostParts = 1000;

/** The text fields of a form, in order. */
export type FormFields = [name: string, value: string][];

/**
 * Reads a multipart form. Its text fields may have 1 MiB in total.
 * @param keep receives a file and must read it to the end. The name is empty if the file field was left empty.
 * @throws Problem `unsupported_media_type`, `payload_too_large`; `validation_failed` if the form cannot be parsed
 */
export async function readMultipart(
  request: Request,
  body: BodyReader,
  keep: (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<FormFields> {
  if (mediaTypeOf(request) !== "multipart/form-data")
    throw unsupportedMedia(request, "Send the files as multipart/form-data.");
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(request.headers.get("content-type") ?? "");
  if (!boundary) throw unreadable();
  const mark = `--${boundary[1] ?? boundary[2]}`;
  const bytes = new MarkedBytes(body);
  const fields: FormFields = [];
  let left = jsonLimit;
  await bytes.textUntil(mark, headLimit);
  for (let part = 0; !(await bytes.beginsWith("--")); part++) {
    if (part === mostParts) throw invalid([wrongField([], "too_many", `The form has more than ${mostParts} parts.`)]);
    await bytes.textUntil("\n", headLimit);
    const { name, fileName } = dispositionOf(await bytes.textUntil("\r\n\r\n", headLimit));
    const content = bytes.chunksUntil(`\r\n${mark}`);
    if (fileName !== undefined && !/^metadata$/i.test(name)) await keep(fileName, content);
    else {
      const value = await textOf(content, left);
      left -= value.length;
      fields.push([name, new TextDecoder().decode(value)]);
    }
  }
  return fields;
}

const unreadable = () => invalid([wrongField([], "invalid", "The body is not valid multipart/form-data.")]);

/**
 * Not every part with a file name is a file: browsers also give one to the JSON part `metadata`, because they send
 * media types only with file names.
 */
function dispositionOf(head: string): { name: string; fileName: string | undefined } {
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0e-\x1f]/.test(head)) throw unreadable();
  const line = /^content-disposition:(.*)$/im.exec(head.replace(/\r\n[ \t]+/g, " "))?.[1] ?? "";
  try {
    const { name = "", filename } = parseDisposition(line.trim()).parameters;
    return { name, fileName: filename };
  } catch {
    throw unreadable();
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most)
      throw new Problem("payload_too_large", `The fields of the form are larger than ${formatSize(jsonLimit)}.`);
    held.push(chunk);
  }
  return Buffer.concat(held);
}

class MarkedBytes {
  private readonly body: BodyReader;
  private held: Buffer = Buffer.alloc(0);

  constructor(body: BodyReader) {
    this.body = body;
  }

  async textUntil(mark: string, limit: number): Promise<string> {
    for (;;) {
      const at = this.held.indexOf(mark);
      if (at >= 0 && at <= limit) {
        const text = this.held.toString("utf8", 0, at);
        this.held = this.held.subarray(at + Buffer.byteLength(mark));
        return text;
      }
      if (this.held.length > limit + mark.length || !(await this.more())) throw unreadable();
    }
  }

  async beginsWith(mark: string): Promise<boolean> {
    while (this.held.length < mark.length) if (!(await this.more())) return false;
    return this.held.toString("latin1", 0, mark.length) === mark;
  }

  async *chunksUntil(mark: string): AsyncGenerator<Uint8Array> {
    const length = Buffer.byteLength(mark);
    for (;;) {
      const at = this.held.indexOf(mark);
      const safe = at >= 0 ? at : Math.max(0, this.held.length - length + 1);
      const chunk = this.held.subarray(0, safe);
      this.held = this.held.subarray(at >= 0 ? at + length : safe);
      if (chunk.length > 0) yield chunk;
      if (at >= 0) return;
      if (!(await this.more())) throw unreadable();
    }
  }

  private async more(): Promise<boolean> {
    const chunk = await this.body.next();
    if (!chunk) return false;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    return true;
  }
}
