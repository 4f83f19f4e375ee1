import { Buffer } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { invalidJson, parseJson } from "../body.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { Base64Decoder } from "./base64-decoder.ts";
import { megabyte, formatSize, type BodyReader } from "../body-reader.ts";
import { JsonScanner, type JsonPath } from "./json-scanner.ts";

/** Size of a JSON body without its files, in bytes. */
const restLimit = 4 * megabyte;
/** Even a small file costs memory and a hash. */
const mostFiles = 100;

/** Paths of files in a JSON body. `["attachments", "*", "file"]` is a file in each element of a list. */
export type FilePaths = readonly (readonly string[])[];

/**
 * Reads a JSON body that contains files in base64. In the returned value, each file is replaced by its index as a
 * string; empty strings and values of other types remain.
 * @param keep receives the bytes of a file and must read them to the end
 * @throws Problem `invalid_json`, `payload_too_large`; `validation_failed` with the field if a file is not base64, a
 * field occurs twice, or there are too many files
 */
export async function readJsonFiles(
  body: BodyReader,
  paths: FilePaths,
  keep: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<unknown> {
  const reading = new JsonReading(body, paths, keep);
  const value = parseJson(await reading.textBesideFiles());
  for (const [turn, path] of reading.paths.entries()) if (valueAt(value, path) !== String(turn)) throw repeated(path);
  return value;
}

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (within, step) => (within as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );

const repeated = (path: JsonPath) =>
  invalid([wrongField(path, "too_many", `${path.at(-1)} is repeated. Send it once.`)]);

class JsonReading {
  readonly paths: JsonPath[] = [];
  private readonly body: BodyReader;
  private readonly scanner: JsonScanner;
  private readonly keep: (chunks: AsyncIterable<Uint8Array>) => Promise<void>;
  private readonly rest: Uint8Array[] = [];
  private restBytes = 0;
  private chunk: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(body: BodyReader, paths: FilePaths, keep: (chunks: AsyncIterable<Uint8Array>) => Promise<void>) {
    this.body = body;
    this.keep = keep;
    this.scanner = new JsonScanner((path) => paths.some((pattern) => matches(path, pattern)));
  }

  /** @returns the body with indexes in place of the files */
  async textBesideFiles(): Promise<Uint8Array> {
    while (await this.hasMore()) {
      const from = this.at;
      const { at, path } = this.scanner.scan(this.chunk, from);
      this.at = at;
      this.pass(this.chunk.slice(from, at));
      if (path) await this.file(path);
    }
    return Buffer.concat(this.rest);
  }

  private async file(path: JsonPath): Promise<void> {
    if (!(await this.hasMore())) throw truncated();
    if (this.chunk[this.at] !== quote) {
      const turn = this.count(path);
      await this.keep(this.content(path));
      this.pass(Buffer.from(String(turn)));
    } else this.at++;
    this.pass(Buffer.from('"'));
  }

  private count(path: JsonPath): number {
    if (this.paths.some((earlier) => isDeepStrictEqual(earlier, path))) throw repeated(path);
    if (this.paths.length === mostFiles)
      throw invalid([wrongField([path[0]!], "too_many", `${path[0]} may contain at most ${mostFiles} files.`)]);
    return this.paths.push(path) - 1;
  }

  /** Also reads the closing quote. */
  private async *content(path: JsonPath): AsyncGenerator<Uint8Array> {
    const decoder = new Base64Decoder();
    const escapes = new Escapes();
    const refuse = () => invalid([wrongField(path, "invalid_format", `${String(path.at(-1))} is not base64.`)]);
    const decoded = (decode: () => Uint8Array) => {
      try {
        return decode();
      } catch (cause) {
        throw cause instanceof SyntaxError ? refuse() : cause;
      }
    };
    for (let isEscaped = false, isOpen = true; isOpen;) {
      if (!(await this.hasMore())) throw truncated();
      const string = endOfString(this.chunk, this.at, isEscaped);
      const text = Buffer.from(this.chunk.subarray(this.at, string.end)).toString("latin1");
      isEscaped = string.isEscaped;
      isOpen = string.end === this.chunk.length;
      this.at = isOpen ? string.end : string.end + 1;
      const bytes = decoded(() => decoder.decode(escapes.resolved(text)));
      if (bytes.length > 0) yield bytes;
    }
    escapes.end();
    yield decoded(() => decoder.end());
  }

  private async hasMore(): Promise<boolean> {
    while (this.at >= this.chunk.length) {
      const chunk = await this.body.next();
      if (!chunk) return false;
      [this.chunk, this.at] = [chunk, 0];
    }
    return true;
  }

  private pass(bytes: Uint8Array): void {
    this.restBytes += bytes.length;
    if (this.restBytes > restLimit)
      throw new Problem(
        "payload_too_large",
        `The JSON body without its files is larger than ${formatSize(restLimit)}.`,
      );
    this.rest.push(bytes);
  }
}

const [quote, backslash] = [0x22, 0x5c];

/** `isEscaped`: the chunk ends within an escape. */
function endOfString(chunk: Uint8Array, from: number, escaped: boolean): { end: number; isEscaped: boolean } {
  let at = escaped ? from + 1 : from;
  for (let end = -1; ;) {
    if (end < at) end = chunk.indexOf(quote, at);
    if (end < 0) end = chunk.length;
    const slash = chunk.indexOf(backslash, at);
    if (slash < 0 || slash >= end) return { end, isEscaped: false };
    at = slash + 2;
    if (at > chunk.length) return { end: chunk.length, isEscaped: true };
  }
}

const matches = (path: JsonPath, pattern: readonly string[]): boolean =>
  path.length === pattern.length &&
  pattern.every((step, at) => (step === "*" ? typeof path[at] === "number" : step === path[at]));

const truncated = () => invalidJson("The body is not JSON.");

const signs: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** A string may arrive in chunks, which may end within an escape. */
class Escapes {
  private begun = "";

  resolved(text: string): string {
    // oxlint-disable-next-line no-control-regex
    if (/[\0-\x1f]/.test(text)) throw truncated();
    const all = this.begun + text;
    this.begun = "";
    if (!all.includes("\\")) return all;
    return all.replace(
      /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt])|(u[0-9a-fA-F]{0,3}$|$)|)/g,
      (escape, code, sign, begun) => {
        if (code !== undefined) return String.fromCharCode(parseInt(code as string, 16));
        if (sign !== undefined) return signs[sign as string] ?? (sign as string);
        if (begun === undefined) throw truncated();
        this.begun = escape;
        return "";
      },
    );
  }

  end(): void {
    if (this.begun !== "") throw truncated();
  }
}
