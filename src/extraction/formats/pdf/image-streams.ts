import { jpegHead } from "../../images/jpeg.ts";
import type { Budget } from "../../problem.ts";
import type { FileSource } from "../reader.ts";
import { decodeLatin1, lastIndexOfWord, indexOfWord, hasWordAt } from "../../document/bytes.ts";
import { References } from "./references.ts";
import { contentAt, endOf, filtersOf, isEncrypted, maxDictionaryLength, numberAt } from "./syntax.ts";

/** How the pictures of scanners are packed; everything else pdf.js unpacks well and cheaply. */
export type ImageFilter = "DCTDecode" | "CCITTFaxDecode" | "JBIG2Decode" | "JPXDecode" | "FlateDecode";

/** A packed picture as it stands in the file. */
export interface ImageStream {
  filter: ImageFilter;
  width: number;
  height: number;
  read: () => Promise<Uint8Array>;
  /** What the file says of it. */
  dictionary: string;
  /** What a JBIG2 picture shares with others of its file. */
  globals?: Uint8Array;
  /** Samples of a pixel of a Flate picture. */
  channels?: number;
}

const packings: ImageFilter[] = ["DCTDecode", "CCITTFaxDecode", "JBIG2Decode", "JPXDecode", "FlateDecode"];
/** With what the name of each ends. */
const ending = "Decode";
const maxStreams = 400;
/** Logos and icons are left where they are, and of Flate pictures, which pdf.js unpacks itself, more. */
const minPixels = 200 * 200;
const minFlatePixels = 1_000_000;

/**
 * Takes the packed pictures out of a PDF. In the copy each is said to be one row of so many pixels as no picture has, by
 * which {@link ImageStreams.of} knows it again, and holds nothing that could be unpacked: pdf.js tells where it is painted and
 * spends neither time nor memory on it. What is enciphered is left to pdf.js, and so are JPEGs in the four colours of
 * printers. What was taken is not looked into.
 */
export class ImageStreams {
  /** The PDF without them, as long as it was. */
  readonly rest: Uint8Array;
  private readonly source: FileSource | undefined;
  private readonly streams: ImageStream[] = [];
  private readonly references: References;

  /**
   * @param source from where the pictures are read when they are needed: then no copy is made, and `bytes` become the rest
   * @throws ExtractionProblem `engine_timeout`
   */
  constructor(bytes: Uint8Array, budget: Budget, source?: FileSource) {
    this.rest = source ? bytes : new Uint8Array(bytes);
    this.source = source;
    this.references = new References(bytes);
    if (isEncrypted(bytes)) return;
    for (let at = indexOfWord(bytes, ending, 0); at >= 0 && this.streams.length < maxStreams;) {
      const behind = at + ending.length;
      const packing = packings.find((name) => hasWordAt(bytes, `/${name}`, behind - name.length - 1));
      if (packing) budget.check();
      at = indexOfWord(bytes, ending, packing ? this.take(bytes, packing, behind) : behind);
    }
    this.shareGlobals(bytes);
  }

  /** The picture behind what pdf.js says is painted. */
  of(width: number, height: number): ImageStream | undefined {
    if (height !== 1) return undefined;
    return this.streams.find((stream, index) => standIn(stream.width, index) === width);
  }

  /** @returns where to go on: behind it where it was taken, at the end of the file where no stream ends any more */
  private take(bytes: Uint8Array, filter: ImageFilter, at: number): number {
    const start = lastIndexOfWord(bytes, "obj", at, maxDictionaryLength);
    const end = indexOfWord(bytes, "stream", at, maxDictionaryLength);
    if (start < 0 || end < 0) return at;
    const own = decodeLatin1(bytes.subarray(start, end));
    const [width, height] = [numberAt(own, "Width"), numberAt(own, "Height")];
    if (!isPicture(own, filter) || !width || !height || width.value * height.value < minPixels) return at;
    const dictionary = this.references.withParameters(own);
    if (dictionary === undefined) return at;
    const channels = filter === "FlateDecode" ? this.channelsOf(dictionary, width.value * height.value) : undefined;
    if (channels === "Unknown") return at;
    const stand = String(standIn(width.value, this.streams.length));
    if (stand.length > width.digits) return at;
    const from = contentAt(bytes, end);
    const to = endOf(bytes, from, numberAt(own, "Length")?.value);
    if (to < 0) return bytes.length;
    const content = bytes.subarray(from, to);
    if (to === from || (filter === "DCTDecode" && jpegHead(content)?.components === 4)) return to;
    const read = async () => (this.source ? this.source.readRange(from, to) : content);
    const picture = { filter, width: width.value, height: height.value, read, dictionary };
    this.streams.push(channels ? { ...picture, channels } : picture);
    write(this.rest, start + width.at, stand.padStart(width.digits, "0"));
    write(this.rest, start + height.at, "1".padStart(height.digits, "0"));
    const mask = /\/ImageMask\s+true/.exec(own);
    if (mask) write(this.rest, start + mask.index, " ".repeat(mask[0].length));
    this.rest.fill(0, from, to);
    return to;
  }

  /** Gives each JBIG2 picture what it shares with others. */
  private shareGlobals(bytes: Uint8Array): void {
    for (const picture of this.streams) {
      const [, object] = /\/JBIG2Globals\s+(\d+)\s+\d+\s+R/.exec(picture.dictionary) ?? [];
      const at = object === undefined ? undefined : this.references.placeOf(Number(object));
      const [from, to] = at === undefined ? [0, -1] : contentOf(bytes, at);
      if (to >= 0) picture.globals = this.source ? bytes.slice(from, to) : bytes.subarray(from, to);
    }
  }

  /** Of a Flate picture in plain colours, without anything that makes parts of it clear. */
  private channelsOf(dictionary: string, pixels: number): number | "Unknown" {
    const isPlain =
      pixels >= minFlatePixels &&
      numberAt(dictionary, "BitsPerComponent") &&
      !/\/(?:S?Mask|ImageMask\s+true|Predictor\s+2)\b/.test(dictionary);
    return (isPlain ? this.references.channelsOf(dictionary) : undefined) ?? "Unknown";
  }
}

const isPicture = (dictionary: string, packing: ImageFilter): boolean =>
  /\/Subtype\s*\/Image/.test(dictionary) && filtersOf(dictionary).join() === packing;

/** Widths that no picture of one row has. */
const standIn = (width: number, index: number): number => (width >= 1000 ? 5003 : 503) + index;

/** Where the content of the object there begins and ends; it ends at -1 where it has none, or does not end. */
function contentOf(bytes: Uint8Array, at: number): [from: number, to: number] {
  const stream = indexOfWord(bytes, "stream", at, maxDictionaryLength);
  if (stream < 0) return [at, -1];
  const from = contentAt(bytes, stream);
  return [from, endOf(bytes, from, numberAt(decodeLatin1(bytes.subarray(at, stream)), "Length")?.value)];
}

function write(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
}
