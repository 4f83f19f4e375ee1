import { jpegHead } from "../../images/jpeg.ts";
import type { Budget } from "../../problem.ts";
import type { FileSource } from "../reader.ts";
import { decodeLatin1, lastIndexOfWord, indexOfWord, hasWordAt } from "../../document/bytes.ts";
import { References } from "./references.ts";
import { contentAt, endOf, filtersOf, isEncrypted, maxDictionaryLength, numberAt } from "./syntax.ts";

/** The filters that scanned pictures have. Pictures with other filters take pdf.js little time and memory to decode. */
export type ImageFilter = "DCTDecode" | "CCITTFaxDecode" | "JBIG2Decode" | "JPXDecode" | "FlateDecode";

/** A compressed picture in a PDF. */
export interface ImageStream {
  filter: ImageFilter;
  width: number;
  height: number;
  read: () => Promise<Uint8Array>;
  dictionary: string;
  /** Data that several JBIG2 pictures of the file share. */
  globals?: Uint8Array;
  /** Samples per pixel of a Flate picture. */
  channels?: number;
}

const packings: ImageFilter[] = ["DCTDecode", "CCITTFaxDecode", "JBIG2Decode", "JPXDecode", "FlateDecode"];
const ending = "Decode";
const maxStreams = 400;
/**
 * Smaller pictures are logos and icons, and are not removed. The minimum for Flate pictures is higher, because pdf.js
 * can decode them.
 */
const minPixels = 200 * 200;
const minFlatePixels = 1_000_000;

/**
 * Removes compressed pictures from a PDF, so that pdf.js reports where each picture is painted without decoding it. In
 * the copy, each picture has no content and declares a single row of a unique width, by which {@link ImageStreams.of}
 * identifies it. Encrypted pictures and CMYK JPEGs are left to pdf.js. The content of removed pictures is not
 * validated.
 */
export class ImageStreams {
  /** The PDF without the pictures, which is as long as the original. */
  readonly rest: Uint8Array;
  private readonly source: FileSource | undefined;
  private readonly streams: ImageStream[] = [];
  private readonly references: References;

  /**
   * @param source the stored file. If it is given, pictures are read from it when they are needed, and `bytes` is
   * changed in place. Otherwise, `bytes` is copied.
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

  /** Finds the removed picture by the size that pdf.js reports. */
  of(width: number, height: number): ImageStream | undefined {
    if (height !== 1) return undefined;
    return this.streams.find((stream, index) => standIn(stream.width, index) === width);
  }

  /**
   * Removes the picture whose filter name ends at `at`, if it can be removed.
   * @returns the offset at which the search for pictures continues
   */
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

  private shareGlobals(bytes: Uint8Array): void {
    for (const picture of this.streams) {
      const [, object] = /\/JBIG2Globals\s+(\d+)\s+\d+\s+R/.exec(picture.dictionary) ?? [];
      const at = object === undefined ? undefined : this.references.placeOf(Number(object));
      const [from, to] = at === undefined ? [0, -1] : contentOf(bytes, at);
      if (to >= 0) picture.globals = this.source ? bytes.slice(from, to) : bytes.subarray(from, to);
    }
  }

  /**
   * Returns the number of channels if the picture is large, greyscale or RGB, and not transparent; otherwise "Unknown".
   */
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

/** Returns a width that genuine pictures of one row do not have. */
const standIn = (width: number, index: number): number => (width >= 1000 ? 5003 : 503) + index;

/** Finds the start and the end of an object's content. The end is -1 if the content is missing or incomplete. */
function contentOf(bytes: Uint8Array, at: number): [from: number, to: number] {
  const stream = indexOfWord(bytes, "stream", at, maxDictionaryLength);
  if (stream < 0) return [at, -1];
  const from = contentAt(bytes, stream);
  return [from, endOf(bytes, from, numberAt(decodeLatin1(bytes.subarray(at, stream)), "Length")?.value)];
}

function write(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
}
