import { Buffer } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { invalidJson, parseJson } from "../body.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { Base64Decoder } from "./base64-decoder.ts";
import { megabyte, sizeInWords, type BodyReader } from "../body-reader.ts";
import { JsonScanner, type JsonPath } from "./json-scanner.ts";

/** What stands in a JSON body beside the files. */
const restLimit = 4 * megabyte;
/** Each of them takes memory and a hash, however small it is. */
const mostFiles = 100;

/** Where a JSON body has its files: `["file"]`, or `["attachments", "*", "file"]` for one in each element of a list. */
export type FilePlaces = readonly (readonly string[])[];

/**
 * Reads a JSON body that carries files in base64. They are decoded as they arrive; in what is returned the number of its
 * turn, as a string, stands for each of them. A file that is empty, or no string, stays what it is.
 * @param keep takes the bytes of a file, and reads them to their end
 * @throws Problem `invalid_json`, `payload_too_large`, `validation_failed` naming the file that is not base64, stands at a path
 * where there was one before, or is one too many
 */
export async function readJsonFiles(
  body: BodyReader,
  places: FilePlaces,
  keep: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<unknown> {
  const reading = new JsonReading(body, places, keep);
  const value = parseJson(await reading.textBesideFiles());
  for (const [turn, path] of reading.paths.entries()) if (valueAt(value, path) !== String(turn)) throw givenTwice(path);
  return value;
}

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (within, step) => (within as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );

const givenTwice = (path: JsonPath) => invalid([wrongField(path, "too_many", `${path.at(-1)} is given twice.`)]);

class JsonReading {
  /** Of the files that have arrived. */
  readonly paths: JsonPath[] = [];
  private readonly body: BodyReader;
  private readonly scanner: JsonScanner;
  private readonly keep: (pieces: AsyncIterable<Uint8Array>) => Promise<void>;
  private readonly rest: Uint8Array[] = [];
  private restBytes = 0;
  private piece: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(body: BodyReader, places: FilePlaces, keep: (pieces: AsyncIterable<Uint8Array>) => Promise<void>) {
    this.body = body;
    this.keep = keep;
    this.scanner = new JsonScanner((path) => places.some((place) => isAt(path, place)));
  }

  /** The whole text, with numbers in the place of files. */
  async textBesideFiles(): Promise<Uint8Array> {
    while (await this.hasMore()) {
      const from = this.at;
      const { at, found } = this.scanner.scan(this.piece, from);
      this.at = at;
      this.pass(this.piece.slice(from, at));
      if (found) await this.file(found);
    }
    return Buffer.concat(this.rest);
  }

  private async file(path: JsonPath): Promise<void> {
    if (!(await this.hasMore())) throw brokenOff();
    if (this.piece[this.at] !== quote) {
      const turn = this.count(path);
      await this.keep(this.content(path));
      this.pass(Buffer.from(String(turn)));
    } else this.at++;
    this.pass(Buffer.from('"'));
  }

  /** @returns how many files came before this one */
  private count(path: JsonPath): number {
    if (this.paths.some((earlier) => isDeepStrictEqual(earlier, path))) throw givenTwice(path);
    if (this.paths.length === mostFiles)
      throw invalid([wrongField([path[0]!], "too_many", `${path[0]} may contain at most ${mostFiles} files.`)]);
    return this.paths.push(path) - 1;
  }

  /** What a string says in base64, up to and with the quote that ends it. */
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
      if (!(await this.hasMore())) throw brokenOff();
      const found = endOfString(this.piece, this.at, isEscaped);
      const text = Buffer.from(this.piece.subarray(this.at, found.end)).toString("latin1");
      isEscaped = found.isEscaped;
      isOpen = found.end === this.piece.length;
      this.at = isOpen ? found.end : found.end + 1;
      const bytes = decoded(() => decoder.decode(escapes.resolved(text)));
      if (bytes.length > 0) yield bytes;
    }
    escapes.end();
    yield decoded(() => decoder.end());
  }

  private async hasMore(): Promise<boolean> {
    while (this.at >= this.piece.length) {
      const piece = await this.body.next();
      if (!piece) return false;
      [this.piece, this.at] = [piece, 0];
    }
    return true;
  }

  private pass(bytes: Uint8Array): void {
    this.restBytes += bytes.length;
    if (this.restBytes > restLimit)
      throw new Problem(
        "payload_too_large",
        `The JSON may have ${sizeInWords(restLimit)} at most, the files in it not counted.`,
      );
    this.rest.push(bytes);
  }
}

const [quote, backslash] = [0x22, 0x5c];

/** The place of the quote that ends a string, or the end of the piece; and whether an escape goes on behind that. */
function endOfString(piece: Uint8Array, from: number, escaped: boolean): { end: number; isEscaped: boolean } {
  let at = escaped ? from + 1 : from;
  for (let end = -1; ;) {
    if (end < at) end = piece.indexOf(quote, at);
    if (end < 0) end = piece.length;
    const slash = piece.indexOf(backslash, at);
    if (slash < 0 || slash >= end) return { end, isEscaped: false };
    at = slash + 2;
    if (at > piece.length) return { end: piece.length, isEscaped: true };
  }
}

const isAt = (path: JsonPath, place: readonly string[]): boolean =>
  path.length === place.length &&
  place.every((step, at) => (step === "*" ? typeof path[at] === "number" : step === path[at]));

const brokenOff = () => invalidJson("The body is not JSON.");

const signs: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Resolves the escapes of a string that arrives in pieces. */
class Escapes {
  /** One that goes on in the next piece. */
  private begun = "";

  /** @throws Problem `invalid_json` */
  resolved(text: string): string {
    // oxlint-disable-next-line no-control-regex
    if (/[\0-\x1f]/.test(text)) throw brokenOff();
    const all = this.begun + text;
    this.begun = "";
    if (!all.includes("\\")) return all;
    return all.replace(
      /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt])|(u[0-9a-fA-F]{0,3}$|$)|)/g,
      (escape, code, sign, begun) => {
        if (code !== undefined) return String.fromCharCode(parseInt(code as string, 16));
        if (sign !== undefined) return signs[sign as string] ?? (sign as string);
        if (begun === undefined) throw brokenOff();
        this.begun = escape;
        return "";
      },
    );
  }

  /** @throws Problem `invalid_json` */
  end(): void {
    if (this.begun !== "") throw brokenOff();
  }
}
