import { Buffer } from "node:buffer";

/** Length of the longest head of a data URL, such as `data:application/pdf;base64,`. */
const longestHead = 106;

/** Decodes base64 chunk by chunk: standard alphabet, whitespace anywhere, with correct padding or none. */
export class Base64Decoder {
  /** Start of the text, while it may still be the head of a data URL. */
  private head: string | undefined = "";
  /** Characters that do not yet form a group of four, and the padding after them. */
  private rest = "";

  /** @throws SyntaxError if the text is not base64 */
  decode(text: string): Uint8Array {
    return this.take(this.withoutHead(text, false));
  }

  /**
   * Returns the last bytes.
   * @throws SyntaxError if the text is truncated or its padding is wrong
   */
  end(): Uint8Array {
    const start = this.take(this.withoutHead("", true));
    const [, digits = "", padding = ""] = /^([^=]*)(=*)$/.exec(this.rest) ?? [];
    const isPadded = padding === "" || digits.length + padding.length === 4;
    if (digits.length === 1 || !isPadded || (padding !== "" && digits.length < 2)) throw notBase64();
    const last = Buffer.from(digits, "base64");
    return start.length > 0 ? Buffer.concat([start, last]) : last;
  }

  private withoutHead(text: string, isEnd: boolean): string {
    if (this.head === undefined) return text;
    this.head += text;
    if (!isEnd && this.head.length < longestHead) return "";
    const all = this.head;
    this.head = undefined;
    return all.replace(/^data:[^,]{0,100},/, "");
  }

  private take(text: string): Uint8Array {
    const all = this.rest + text.replace(/[\t\n\f\r ]+/g, "");
    const padding = all.indexOf("=");
    const digits = padding < 0 ? all.length : padding;
    const complete = digits - (digits % 4);
    this.rest = all.slice(complete);
    if (/[^A-Za-z0-9+/]/.test(all.slice(0, digits)) || !/^={0,2}$/.test(all.slice(digits))) throw notBase64();
    return Buffer.from(all.slice(0, complete), "base64");
  }
}

const notBase64 = () => new SyntaxError("The text is not base64.");
