import { Buffer } from "node:buffer";
import { deepestJson, invalidJson } from "../body.ts";

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

/** Members and, for elements of a list, their places. */
export type JsonPath = readonly (string | number)[];

/**
 * Follows a JSON text through its pieces and stops at the beginning of each string at certain paths. Nothing is checked but
 * what it takes to find them: whoever puts the text together again has it parsed.
 */
export class JsonScanner {
  private readonly isSought: (path: JsonPath) => boolean;
  private readonly containers: ("Object" | "List")[] = [];
  private readonly path: (string | number)[] = [];
  private expected: "Key" | "Colon" | "Value" | "Comma" = "Value";
  private isInString = false;
  private isEscaped = false;
  /** The name that is being read, as it is written. */
  private name: Uint8Array[] | undefined;

  constructor(isSought: (path: JsonPath) => boolean) {
    this.isSought = isSought;
  }

  /**
   * Follows a piece from a place on.
   * @returns the place behind the quote that opens a string that is sought, or the end of the piece
   * @throws Problem `invalid_json` where it is nested too deep
   */
  scan(piece: Uint8Array, from: number): { at: number; found?: JsonPath } {
    let at = from;
    while (at < piece.length) {
      if (this.isInString) {
        at = this.throughString(piece, at);
        continue;
      }
      const sign = piece[at++];
      if (sign !== quote) this.pass(sign);
      else if (this.expected === "Value" && this.isSought(this.path)) {
        this.expected = "Comma";
        return { at, found: [...this.path] };
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
    if (this.containers.push(container) > deepestJson)
      throw invalidJson(`The body is nested deeper than ${deepestJson} levels.`);
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

  private throughString(piece: Uint8Array, from: number): number {
    let end = from;
    for (; end < piece.length; end++) {
      const sign = piece[end];
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === backslash) this.isEscaped = true;
      else if (sign === quote) break;
    }
    this.name?.push(piece.slice(from, end));
    if (end === piece.length) return end;
    this.isInString = false;
    if (this.name) this.path[this.path.length - 1] = nameOf(this.name);
    this.name = undefined;
    return end + 1;
  }
}

/** A name that is none is told apart from all that are sought; whoever parses the text refuses it. */
function nameOf(written: readonly Uint8Array[]): string {
  try {
    return JSON.parse(`"${Buffer.concat(written).toString()}"`) as string;
  } catch {
    return "";
  }
}
