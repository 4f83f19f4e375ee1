/** How the pictures of scanners are packed; everything else pdf.js unpacks well and cheaply. */
export type Packing = "DCTDecode" | "CCITTFaxDecode" | "JBIG2Decode" | "JPXDecode";

/** A packed picture as it stands in the file. */
export interface PictureStream {
  packing: Packing;
  width: number;
  height: number;
  bytes: Uint8Array;
  /** What the file says of it. */
  dictionary: string;
  /** What a JBIG2 picture shares with others of its file. */
  globals?: Uint8Array;
}

const packings: Packing[] = ["DCTDecode", "CCITTFaxDecode", "JBIG2Decode", "JPXDecode"];
const longestDictionary = 3000;
const most = 400;
/** A file may speak of packings without end; so often one is followed up. */
const mostTries = 4000;
/** Logos and icons are left where they are. */
const smallest = 200 * 200;

/**
 * Takes the packed pictures out of a PDF. In the copy each is said to be one row of so many pixels as no picture has, by
 * which {@link Streams.of} knows it again, and holds nothing that could be unpacked: pdf.js tells where it is painted and
 * spends neither time nor memory on it.
 */
export class Streams {
  /** The PDF without them, as long as it was. */
  readonly rest: Uint8Array;
  private readonly found: PictureStream[] = [];

  constructor(bytes: Uint8Array) {
    this.rest = new Uint8Array(bytes);
    for (const packing of packings) {
      const name = `/${packing}`;
      let at = indexOf(bytes, name, 0);
      for (let tries = 0; at >= 0 && tries < mostTries && this.found.length < most; tries++) {
        this.take(bytes, packing, at);
        at = indexOf(bytes, name, at + name.length);
      }
    }
  }

  /** The picture behind what pdf.js says is painted. */
  of(width: number, height: number): PictureStream | undefined {
    if (height !== 1) return undefined;
    return this.found.find((stream, index) => standIn(stream.width, index) === width);
  }

  private take(bytes: Uint8Array, packing: Packing, at: number): void {
    const start = lastIndexOf(bytes, "obj", at, longestDictionary);
    const end = indexOf(bytes, "stream", at, longestDictionary);
    if (start < 0 || end < 0) return;
    const dictionary = latin(bytes.subarray(start, end));
    const [width, height] = [numberAt(dictionary, "Width"), numberAt(dictionary, "Height")];
    if (!/\/Subtype\s*\/Image/.test(dictionary) || !width || !height || width.value * height.value < smallest) return;
    if (!new RegExp(`/Filter\\s*\\[?\\s*/${packing}\\s*[\\]/>\\r\\n ]`).test(dictionary) || chained.test(dictionary))
      return;
    const from = end + "stream".length + (bytes[end + "stream".length] === 0x0d ? 2 : 1);
    const to = endOf(bytes, from, dictionary);
    const stand = standIn(width.value, this.found.length);
    if (to <= from || String(stand).length > width.digits) return;
    const stream = { packing, width: width.value, height: height.value, bytes: bytes.subarray(from, to), dictionary };
    this.found.push({ ...stream, ...globalsOf(bytes, dictionary) });
    write(this.rest, start + width.at, String(stand).padStart(width.digits, "0"));
    write(this.rest, start + height.at, "1".padStart(height.digits, "0"));
    const mask = /\/ImageMask\s+true/.exec(dictionary);
    if (mask) write(this.rest, start + mask.index, " ".repeat(mask[0].length));
    this.rest.fill(0, from, Math.min(to, from + 64));
  }
}

/** Filters one behind the other. */
const chained = /\/Filter\s*\[\s*\/\w+\s*\/\w+/;

/** Widths that no picture of one row has. */
const standIn = (width: number, index: number): number => (width >= 1000 ? 5003 : 503) + index;

interface Written {
  value: number;
  /** Where its digits stand. */
  at: number;
  digits: number;
}

function numberAt(dictionary: string, name: string): Written | undefined {
  const found = new RegExp(`/${name}\\s+(\\d+)(?!\\d|\\s+\\d+\\s+R)`).exec(dictionary);
  if (!found) return undefined;
  const digits = found[1]!.length;
  return { value: Number(found[1]), at: found.index + found[0].length - digits, digits };
}

function endOf(bytes: Uint8Array, from: number, dictionary: string): number {
  const said = from + (numberAt(dictionary, "Length")?.value ?? Infinity);
  if (said < bytes.length && indexOf(bytes, "endstream", said, 20) >= 0) return said;
  return indexOf(bytes, "endstream", from);
}

function globalsOf(bytes: Uint8Array, dictionary: string): { globals?: Uint8Array } {
  const reference = /\/JBIG2Globals\s+(\d+)\s+(\d+)\s+R/.exec(dictionary);
  if (!reference) return {};
  const head = `${reference[1]} ${reference[2]} obj`;
  for (let at = indexOf(bytes, head, 0); at >= 0; at = indexOf(bytes, head, at + 1)) {
    const before = bytes[at - 1];
    if (before !== undefined && before >= 0x30 && before <= 0x39) continue;
    const begin = indexOf(bytes, "stream", at, longestDictionary);
    if (begin < 0) return {};
    const from = begin + "stream".length + (bytes[begin + "stream".length] === 0x0d ? 2 : 1);
    return { globals: bytes.subarray(from, endOf(bytes, from, latin(bytes.subarray(at, begin)))) };
  }
  return {};
}

function indexOf(bytes: Uint8Array, word: string, from: number, within = Infinity): number {
  const last = Math.min(bytes.length - word.length, from + within);
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1))
    if (standsAt(bytes, word, at)) return at;
  return -1;
}

function lastIndexOf(bytes: Uint8Array, word: string, from: number, within: number): number {
  for (let at = from; at >= Math.max(0, from - within); at--) if (standsAt(bytes, word, at)) return at;
  return -1;
}

function standsAt(bytes: Uint8Array, word: string, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
}

function write(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
}

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
