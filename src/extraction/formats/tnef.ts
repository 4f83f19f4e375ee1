import { decode } from "./encoding.ts";
import type { InputFile } from "./reader.ts";
import { richText } from "./rtf-html.ts";

// `winmail.dat` (MS-OXTNEF) is a container for a mail and its files. Outlook sends it to recipients that it considers
// Outlook users.

const signature = 0x223e9f78;
/** Attributes of the mail: its text in a legacy encoding, and its properties. */
const [oldText, ofMail] = [0x0002800c, 0x00069003];
/** Attributes of a file: its start, its name in a legacy encoding, its content, and its properties. */
const [begins, shortName, content, properties] = [0x00069002, 0x00018010, 0x0006800f, 0x00069005];
/** Property ids of the mail. */
const [plainBody, packedBody, htmlBody] = [0x1000, 0x1009, 0x1013];
/** Property ids of a file. */
const [object, longName, mediaType, shownAs] = [0x3701, 0x3707, 0x370e, 0x3712];
/** Length, in bytes, of the identifier before the content of an object. */
const objectHead = 16;
const maxFiles = 100;
const maxMailDepth = 3;

export const isTnef = (bytes: Uint8Array): boolean =>
  bytes.length > 15 && viewOf(bytes).getUint32(0, true) === signature;

interface Packed {
  bytes?: Uint8Array;
  /** The content of a file that has no `bytes`: another mail, or an object of another program. */
  object?: Uint8Array;
  name?: string;
  mediaType?: string;
  /** Whether the file is shown inside the body. */
  isShown?: boolean;
}

/** The body of a mail, in each format that it has. */
interface Words {
  html?: string;
  text?: string;
  rtf?: Uint8Array;
}

/** An Outlook mail that was unpacked from the container. */
export interface TnefMail {
  words: Words;
  files: (InputFile & { isShown: boolean })[];
  /** Names of the files that cannot be opened. */
  unread: string[];
}

/** Unpacks a container. If it is truncated, its complete attributes are unpacked. */
export function readTnef(bytes: Uint8Array, depth = 0): TnefMail {
  const files: Packed[] = [];
  const words: Words = {};
  for (const { id, data } of attributesIn(bytes)) {
    if (id === oldText) words.text ??= textOf(data);
    if (id === ofMail) Object.assign(words, wordsIn(data));
    if (id === begins) {
      if (files.length === maxFiles) break;
      files.push({});
    }
    const file = files.at(-1);
    if (!file) continue;
    if (id === content) file.bytes = data;
    if (id === shortName) file.name ??= textOf(data);
    if (id === properties) Object.assign(file, saidIn(data));
  }
  return files.map((file, at) => packedIn(file, at, depth)).reduce(together, { words, files: [], unread: [] });
}

/** A file may be another mail. Then the body of that mail (as a file) and its own files are returned. */
function packedIn(file: Packed, at: number, depth: number): Omit<TnefMail, "words"> {
  const { bytes, object: packed, mediaType: type, isShown = false } = file;
  const name = file.name || `attachment-${at + 1}`;
  if (bytes && bytes.length > 0)
    return { files: [{ bytes, name, ...(type && { mediaType: type }), isShown }], unread: [] };
  if (!packed) return { files: [], unread: [] };
  const mail = packed.subarray(objectHead);
  if (!isTnef(mail) || depth === maxMailDepth) return { files: [], unread: [name] };
  const { words, files, unread } = readTnef(mail, depth + 1);
  const written = textAsFile(words, name);
  return { files: [...(written ? [{ ...written, isShown: false }] : []), ...files], unread };
}

const together = (mail: TnefMail, { files, unread }: Omit<TnefMail, "words">): TnefMail => ({
  words: mail.words,
  files: [...mail.files, ...files],
  unread: [...mail.unread, ...unread],
});

/** Converts the body of a mail to a file. Returns undefined if the body is empty. */
export function textAsFile({ html, text, rtf }: Words, name: string): InputFile | undefined {
  if (html) return { name: `${name}.html`, bytes: new TextEncoder().encode(html), mediaType: "text/html" };
  if (rtf) return { name: `${name}.rtf`, bytes: rtf, mediaType: "application/rtf" };
  return text ? { name: `${name}.txt`, bytes: new TextEncoder().encode(text), mediaType: "text/plain" } : undefined;
}

function* attributesIn(bytes: Uint8Array): Generator<{ id: number; data: Uint8Array }> {
  const view = viewOf(bytes);
  for (let at = 6; at + 9 <= bytes.length;) {
    const [id, length] = [view.getUint32(at + 1, true), view.getUint32(at + 5, true)];
    const end = at + 9 + length;
    if (end > bytes.length) return;
    yield { id, data: bytes.subarray(at + 9, end) };
    at = end + 2;
  }
}

/** Sizes, in bytes, of the types with a fixed length. Values of other types declare their length. */
const sizes: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 };
const [narrowText, wideText, severalValues, firstNamed] = [0x1e, 0x1f, 0x1000, 0x8000];

function saidIn(data: Uint8Array): Packed {
  const attributes: Packed = {};
  for (const { type, id, value } of wholePropertiesIn(data)) {
    if (id === object) attributes.object = value;
    const bare = upToEnd(lettersOf(type, value));
    if (bare && id === longName) attributes.name = bare;
    if (bare && id === mediaType) attributes.mediaType = bare;
    if (bare && id === shownAs) attributes.isShown = true;
  }
  return attributes;
}

function wordsIn(data: Uint8Array): Words {
  const words: Words = {};
  for (const { type, id, value } of wholePropertiesIn(data)) {
    if (id === plainBody) words.text = upToEnd(lettersOf(type, value));
    if (id === htmlBody) words.html = upToEnd(lettersOf(type, value) || decode(value));
    const rtf = id === packedBody ? richText(value) : undefined;
    if (rtf) words.rtf = rtf;
  }
  return words;
}

function lettersOf(type: number, value: Uint8Array): string {
  if (type === wideText) return new TextDecoder("utf-16le").decode(value);
  return type === narrowText ? decode(value) : "";
}

/** Yields the properties that are complete; the data may be truncated. */
function* wholePropertiesIn(data: Uint8Array): ReturnType<typeof propertiesIn> {
  try {
    yield* propertiesIn(data);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
}

function* propertiesIn(data: Uint8Array): Generator<{ type: number; id: number; value: Uint8Array }> {
  const view = viewOf(data);
  let at = 0;
  const number = () => view.getUint32((at += 4) - 4, true);
  const piece = (length: number) => {
    const value = data.subarray(at, at + length);
    if (value.length < length) throw new RangeError("The properties are truncated.");
    at += Math.ceil(length / 4) * 4;
    return value;
  };
  for (let left = number(); left > 0; left--) {
    const tag = number();
    const [type, id] = [tag & 0xffff, tag >>> 16];
    if (id >= firstNamed) {
      piece(16);
      const isNumbered = number() === 0;
      if (isNumbered) number();
      else piece(number());
    }
    const size = sizes[type & ~severalValues];
    const isCounted = size === undefined || (type & severalValues) !== 0;
    for (let values = isCounted ? number() : 1; values > 0; values--)
      yield { type, id, value: piece(size ?? number()) };
  }
}

const textOf = (bytes: Uint8Array) => upToEnd(decode(bytes));
const upToEnd = (text: string) => text.split("\0", 1)[0]!.trim();
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
