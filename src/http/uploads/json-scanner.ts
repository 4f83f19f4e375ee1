import { Buffer } from "node:buffer";
import { maxJsonDepth, invalidJson } from "../body.ts";

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

/** Property names and list indexes. */
export type JsonPath = readonly (string | number)[];

/**
 * Scans JSON text chunk by chunk and stops at the start of each string at a sought path. The caller must parse the rest
 * of the text, because it is hardly validated here.
 */
export class JsonScanner {
  private readonly isSought: (path: JsonPath) => boolean;
  private readonly containers: ("Object" | "List")[] = [];
  private readonly path: (string | number)[] = [];
  private expected: "Key" | "Colon" | "Value" | "Comma" = "Value";
  private isInString = false;
  private isEscaped = false;
  /** Bytes of the current property name. */
  private name: Uint8Array[] | undefined;

  constructor(isSought: (path: JsonPath) => boolean) {
    this.isSought = isSought;
  }

  /**
   * Scans a chunk from a position.
   * @returns the position after the opening quote of a sought string, with the path of the string; or the end of the
   * chunk
   * @throws Problem `invalid_json` if the text is nested too deeply
   */
  scan(chunk: Uint8Array, from: number): { at: number; path?: JsonPath } {
    let at = from;
    while (at < chunk.length) {
      if (this.isInString) {
        at = this.throughString(chunk, at);
        continue;
      }
      const sign = chunk[at++];
      if (sign !== quote) this.pass(sign);
      else if (this.expected === "Value" && this.isSought(this.path)) {
        this.expected = "Comma";
        return { at, path: [...this.path] };
      } else this.openString();
    }
    return { at };
  }

  private pass(sign: number | undefined): void {
    if (sign === openBrace) this.open("Object", "", "Key");
    else if (sign === openBracket) this.open("List", 0, "Value");
    else if (sign === closeBrace || sign === closeBracket) this.close();
    else if (sign === colon) this.expected = "Value";
    else if (sign === comma) this.next();
  }

  private open(container: "Object" | "List", step: string | number, expected: "Key" | "Value"): void {
    if (this.containers.push(container) > maxJsonDepth)
      throw invalidJson(`The body is nested deeper than ${maxJsonDepth} levels.`);
    this.path.push(step);
    this.expected = expected;
  }

  private close(): void {
    this.containers.pop();
    this.path.pop();
    this.expected = "Comma";
  }

  private next(): void {
    const last = this.path.length - 1;
    const step = this.path[last];
    if (typeof step === "number") this.path[last] = step + 1;
    this.expected = this.containers.at(-1) === "Object" ? "Key" : "Value";
  }

  private openString(): void {
    this.isInString = true;
    this.name = this.expected === "Key" ? [] : undefined;
    this.expected = this.name ? "Colon" : "Comma";
  }

  private throughString(chunk: Uint8Array, from: number): number {
    let end = from;
    for (; end < chunk.length; end++) {
      const sign = chunk[end];
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === backslash) this.isEscaped = true;
      else if (sign === quote) break;
    }
    this.name?.push(chunk.slice(from, end));
    if (end === chunk.length) return end;
    this.isInString = false;
    if (this.name) this.path[this.path.length - 1] = nameOf(this.name);
    this.name = undefined;
    return end + 1;
  }
}

/** An invalid name matches no sought path. It is refused when the text is parsed. */
function nameOf(written: readonly Uint8Array[]): string {
  try {
    return JSON.parse(`"${Buffer.concat(written).toString()}"`) as string;
  } catch {
    return "";
  }
}
