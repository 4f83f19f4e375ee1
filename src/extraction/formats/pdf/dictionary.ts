/** Objects of a PDF as pdf.js reads them, whatever a writer makes of the rules: what it takes for a stream is one here. */

/** A name, without its stroke and with its letters in figures written out. */
export interface Name {
  name: string;
}

/** What stands elsewhere in the file. */
export interface Reference {
  object: number;
}

/** Undefined for texts, words and what is not there. */
export type Value = number | Name | Reference | readonly Value[] | Dictionary | undefined;

/** A value, and where it stands. */
interface Placed {
  value: Value;
  from: number;
  to: number;
}

export type Dictionary = ReadonlyMap<string, Placed>;

export const isName = (value: Value): value is Name => typeof value === "object" && "name" in value;
export const isReference = (value: Value): value is Reference => typeof value === "object" && "object" in value;
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isDictionary = (value: Value): value is Dictionary => value instanceof Map;

/** A stream as it begins. */
export interface StreamHead {
  dictionary: Dictionary;
  /** Where its content begins. */
  from: number;
  /** It is a value within another object, as no writer has them. */
  isWithin: boolean;
}

interface Token {
  kind: "Name" | "Number" | "Text" | "Word" | "End";
  /** A name or a word. */
  text: string;
  value: number;
  from: number;
  to: number;
}

/** Where the line behind that place begins. */
export function nextLine(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x0a) return at + 1;
    if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1;
  }
  return bytes.length;
}

/** Kinds of letters: 1 for blanks, 2 for what parts words. */
const kinds = new Uint8Array(256);
for (const blank of [0, 9, 10, 12, 13, 32]) kinds[blank] = 1;
for (const sign of "%()/<>[]{}") kinds[sign.charCodeAt(0)] = 2;

/** Whether a word can end before that letter. */
export const endsWord = (byte: number | undefined): boolean => byte === undefined || kinds[byte] !== 0;
export const isBlank = (byte: number | undefined): boolean => byte !== undefined && kinds[byte] === 1;

/** Nothing is nested deeper, and no word is longer. */
const [deepest, longestWord] = [200, 128];

/** What stands there is no object, and pdf.js does not read on. */
export class Broken extends Error {
  /** How far it was read. */
  readonly place: number;

  constructor(place: number) {
    super("The object is broken.");
    this.place = place;
  }
}

/** Reads objects one behind the other, two words ahead as pdf.js does. */
export class ObjectReader {
  private readonly bytes: Uint8Array;
  private at: number;
  private now: Token;
  private next: Token;
  private readonly isPainting: boolean;
  private end = 0;
  private found: StreamHead | undefined;

  /**
   * @param isPainting what stands there paints a page
   * @throws Broken
   */
  constructor(bytes: Uint8Array, at: number, isPainting = false) {
    this.bytes = bytes;
    this.at = at;
    this.isPainting = isPainting;
    this.now = this.token();
    this.next = this.token();
  }

  /** Where the reader has come to. */
  get place(): number {
    return this.at;
  }

  /**
   * The value that stands here.
   * @throws Broken
   */
  read(): Value {
    return this.value(0);
  }

  /**
   * The stream that the object here is, or has in it.
   * @throws Broken
   */
  stream(): StreamHead | undefined {
    const begins = this.now.kind === "Word" && ["<<", "[", "BI"].includes(this.now.text);
    if (begins) this.value(0);
    return this.found;
  }

  /**
   * The dictionary of a picture within what a page is painted with, whose "BI" stands before this.
   * @returns it, and where its content begins; undefined where there is none
   * @throws Broken
   */
  inlinePicture(): StreamHead | undefined {
    const dictionary = new Map<string, Placed>();
    while (!isWord(this.now, "ID")) {
      if (this.now.kind !== "Name") return undefined;
      const key = this.now.text;
      this.shift();
      dictionary.set(key, this.placed(1));
    }
    return { dictionary, from: this.now.from + "ID".length + 1, isWithin: true };
  }

  private placed(depth: number): Placed {
    const { from } = this.now;
    const value = this.value(depth);
    return { value, from, to: this.end };
  }

  private value(depth: number): Value {
    if (depth > deepest) throw new Broken(this.at);
    const { kind, text, value } = this.now;
    this.shift();
    if (kind === "Name") return { name: text };
    if (kind === "Number") return this.numberOrReference(value);
    if (kind !== "Word") return undefined;
    if (text === "[") return this.list(depth);
    if (text === "<<") return this.dictionary(depth);
    if (text === "BI") this.found ??= { dictionary: new Map(), from: this.at, isWithin: true };
    return undefined;
  }

  private numberOrReference(value: number): Value {
    const isReferring =
      Number.isInteger(value) &&
      isWord(this.next, "R") &&
      this.now.kind === "Number" &&
      Number.isInteger(this.now.value);
    if (!isReferring) return value;
    this.shift();
    this.shift();
    return { object: value };
  }

  private list(depth: number): Value {
    const values: Value[] = [];
    while (!isWord(this.now, "]") && !this.found) {
      if (this.now.kind === "End") throw new Broken(this.at);
      values.push(this.value(depth + 1));
    }
    if (!this.found) this.shift();
    return values;
  }

  private dictionary(depth: number): Value {
    const entries = new Map<string, Placed>();
    while (!isWord(this.now, ">>") && !this.found) {
      if (this.now.kind === "End") throw new Broken(this.at);
      const { kind, text } = this.now;
      this.shift();
      if (kind === "Name") entries.set(text, this.placed(depth + 1));
    }
    if (isWord(this.next, "stream"))
      this.found ??= { dictionary: entries, from: nextLine(this.bytes, this.next.to), isWithin: depth > 0 };
    if (!this.found) this.shift();
    return entries;
  }

  /** What follows the beginning of a picture's content is no word. */
  private shift(): void {
    this.end = this.now.to;
    this.now = this.next;
    this.next = isWord(this.now, "ID") ? { ...this.now, kind: "Text" } : this.token();
  }

  private token(): Token {
    const { bytes } = this;
    for (let isRemark = false; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at]!;
      if (isRemark) isRemark = byte !== 0x0a && byte !== 0x0d;
      else if (byte === 0x25) isRemark = true;
      else if (kinds[byte] !== 1) break;
    }
    const from = this.at;
    const byte = bytes[from];
    if (byte === undefined) return { kind: "End", text: "", value: 0, from, to: from };
    if (byte === 0x2f) return this.ended("Name", from, this.name());
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e)
      return this.ended("Number", from, "", this.number());
    if (byte === 0x28) return this.ended("Text", from, this.passText());
    if (byte === 0x3c && bytes[from + 1] !== 0x3c) return this.ended("Text", from, this.passFigures());
    if (byte === 0x29) throw new Broken(this.at);
    return this.ended("Word", from, this.word(byte));
  }

  private ended(kind: Token["kind"], from: number, text: string, value = 0): Token {
    return { kind, text, value, from, to: this.at };
  }

  private name(): string {
    const from = this.at++;
    while (!endsWord(this.bytes[this.at])) this.at++;
    return nameAt(this.bytes, from);
  }

  /** Signs within and line ends behind a sign are passed over; nothing that can be a number is 0. */
  private number(): number {
    const { bytes } = this;
    const isNegative = bytes[this.at] === 0x2d;
    if (isNegative || bytes[this.at] === 0x2b) this.at++;
    if (isNegative && bytes[this.at] === 0x2d) this.at++;
    while (bytes[this.at] === 0x0a || bytes[this.at] === 0x0d) this.at++;
    const from = this.at;
    let dots = 0;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at]!;
      if (byte === 0x2e && ++dots > 1) break;
      if ((byte < 0x30 || byte > 0x39) && byte !== 0x2e && (byte !== 0x2d || this.at === from)) break;
    }
    const value = Number(lettersIn(bytes, from, this.at).replaceAll("-", "")) || 0;
    if (this.at === from && !isBlank(bytes[from]) && bytes[from] !== 0x28 && bytes[from] !== 0x3c)
      throw new Broken(this.at);
    return isNegative ? -value : value;
  }

  private passText(): string {
    const { bytes } = this;
    for (let open = 0; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at];
      if (byte === 0x5c) this.at++;
      if (byte === 0x28) open++;
      if (byte === 0x29 && --open === 0) break;
    }
    this.at++;
    return "";
  }

  private passFigures(): string {
    const end = this.bytes.indexOf(0x3e, this.at);
    this.at = end < 0 ? this.bytes.length : end + 1;
    return "";
  }

  private word(first: number): string {
    const { bytes } = this;
    const from = this.at++;
    const second = bytes[this.at] ?? 0;
    if (kinds[first] === 2) {
      if ((first === 0x3c || first === 0x3e) && second === first) this.at++;
      return lettersIn(bytes, from, this.at);
    }
    // One that is no letter of ASCII is a word by itself before one that is.
    if ((first < 0x20 || first > 0x7f) && second >= 0x20 && second <= 0x7f) return "?";
    while (!endsWord(bytes[this.at])) this.at++;
    if (this.at - from > longestWord) throw new Broken(this.at);
    const word = lettersIn(bytes, from, this.at);
    const data = this.isPainting ? word.indexOf("ID") : -1;
    if (data < 0) return word;
    // The content of a picture may follow at once, and the word before it may end there.
    const length = data === 0 ? "ID".length : data;
    this.at = from + length;
    return word.slice(0, length);
  }
}

/** The name whose stroke stands there. */
export function nameAt(bytes: Uint8Array, at: number): string {
  let to = at + 1;
  while (to - at <= longestWord && !endsWord(bytes[to])) to++;
  const letters = lettersIn(bytes, at + 1, to);
  if (!letters.includes("#")) return letters;
  return letters.replace(/#([\da-f]{2})/giu, (_, figures: string) => String.fromCharCode(parseInt(figures, 16)));
}

/** Of something long, the first. */
function lettersIn(bytes: Uint8Array, from: number, to: number): string {
  let letters = "";
  for (let at = from; at < Math.min(to, from + longestWord); at++) letters += String.fromCharCode(bytes[at]!);
  return letters;
}

const isWord = ({ kind, text }: Token, word: string): boolean => kind === "Word" && text === word;
