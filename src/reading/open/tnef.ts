import { decode } from "./encoding.ts";
import type { Incoming } from "./reader.ts";

// A `winmail.dat` (MS-OXTNEF): what Outlook packs the files of a mail into for those it takes for its like.

const signature = 0x223e9f78;
/** Attributes of a file: one begins, its name in old letters, its bytes, and its properties. */
const [begins, shortName, content, properties] = [0x00069002, 0x00018010, 0x0006800f, 0x00069005];
/** Properties of a file. */
const [longName, mediaType, shownAs] = [0x3707, 0x370e, 0x3712];
const mostFiles = 100;

export const isTnef = (bytes: Uint8Array): boolean =>
  bytes.length > 15 && viewOf(bytes).getUint32(0, true) === signature;

/** A file in it, as far as it is known. */
interface Packed {
  bytes?: Uint8Array;
  name?: string;
  mediaType?: string;
  /** The body shows it. */
  isShown?: boolean;
}

/** The files in it, in their order; of one that is cut off those before. */
export function filesInTnef(bytes: Uint8Array): (Incoming & { isShown: boolean })[] {
  const files: Packed[] = [];
  for (const { id, data } of attributesIn(bytes)) {
    if (id === begins) {
      if (files.length === mostFiles) break;
      files.push({});
    }
    const file = files.at(-1);
    if (!file) continue;
    if (id === content) file.bytes = data;
    if (id === shortName) file.name ??= textOf(data);
    if (id === properties) Object.assign(file, saidIn(data));
  }
  return files.flatMap(({ bytes: content, name, mediaType: type, isShown = false }, at) =>
    content && content.length > 0
      ? [{ bytes: content, name: name || `attachment-${at + 1}`, ...(type && { mediaType: type }), isShown }]
      : [],
  );
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

/** Sizes of values that are always as long, by their type; all others say how long they are. */
const sizes: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 };
const [narrowText, wideText, severalValues, firstNamed] = [0x1e, 0x1f, 0x1000, 0x8000];

function saidIn(data: Uint8Array): Packed {
  const said: Packed = {};
  try {
    for (const { type, id, value } of propertiesIn(data)) {
      const text =
        type === wideText ? new TextDecoder("utf-16le").decode(value) : type === narrowText ? textOf(value) : "";
      const bare = upToEnd(text);
      if (bare && id === longName) said.name = bare;
      if (bare && id === mediaType) said.mediaType = bare;
      if (bare && id === shownAs) said.isShown = true;
    }
  } catch (cause) {
    // What is told before the properties break off is good.
    if (!(cause instanceof RangeError)) throw cause;
  }
  return said;
}

/** @throws RangeError where they break off */
function* propertiesIn(data: Uint8Array): Generator<{ type: number; id: number; value: Uint8Array }> {
  const view = viewOf(data);
  let at = 0;
  const number = () => view.getUint32((at += 4) - 4, true);
  const piece = (length: number) => {
    const value = data.subarray(at, at + length);
    if (value.length < length) throw new RangeError("The properties break off.");
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
