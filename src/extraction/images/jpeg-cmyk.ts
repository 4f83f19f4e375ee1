import { joinBytes } from "../document/bytes.ts";
import { damaged } from "./limits.ts";
import { rowsInto, type Raster } from "./raster.ts";

/** The JPEG decoder of pdf.js. It is used for CMYK, which libjpeg-turbo does not convert. */
interface PdfImages {
  JpegImage: new () => {
    width: number;
    height: number;
    parse: (bytes: Uint8Array) => void;
    /** Cyan, magenta, yellow and black of each pixel. */
    getData: (size: { width: number; height: number }) => Uint8ClampedArray;
  };
  setVerbosityLevel: (level: number) => void;
}

/** Bytes of memory per pixel: a two-byte coefficient and a one-byte value for each of four channels. */
export const bytesAPixelOfCmyk = 12;

const inks = 4;

/** The offset of the frame header, and the size that it declares. */
interface Frame {
  start: number;
  width: number;
  height: number;
}

/**
 * Decodes a CMYK or YCCK JPEG to greyscale. Some programs store inverted values without declaring it. Because pages are
 * mostly light, a result that is mostly dark is inverted.
 * @throws ExtractionProblem `file_unreadable`, or any error of pdf.js
 */
export async function greyOfCmyk(bytes: Uint8Array, { start, width, height }: Frame, kept: number): Promise<Raster> {
  const whole = withBareHead(bytes, start);
  const images = (await import("pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs")) as unknown as PdfImages;
  images.setVerbosityLevel(0);
  const image = new images.JpegImage();
  image.parse(whole);
  if (image.width !== width || image.height !== height) throw damaged();
  const pixels = image.getData({ width, height });
  const isNegative = meanLight(pixels) < 128;
  const sink = rowsInto(width, height, kept);
  const row = new Uint8Array(width);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += inks) row[x] = lightAt(pixels, at, isNegative);
    sink.add(row);
  }
  return sink.raster();
}

/** Number of pixels from one sample of the page's brightness to the next. */
const apart = 97;

function meanLight(pixels: Uint8ClampedArray): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < pixels.length; at += apart * inks, count++) sum += lightAt(pixels, at, false);
  return sum / Math.max(1, count);
}

function lightAt(pixels: Uint8ClampedArray, at: number, isNegative: boolean): number {
  const [cyan, magenta, yellow, black] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!, pixels[at + 3]!];
  const colour = (77 * cyan + 150 * magenta + 29 * yellow) >> 8;
  return Math.round(isNegative ? (colour * black) / 255 : ((255 - colour) * (255 - black)) / 255);
}

const [tables, codes, restarts, adobe, lines] = [0xdb, 0xc4, 0xdd, 0xee, 0xdc];
const headOfFrame = 10;
const maxSampling = 4;

/**
 * Removes the segments before the frame that are not needed for decoding. The size limit was checked for this frame
 * only, so a file that could make pdf.js use another frame is refused as damaged.
 */
function withBareHead(bytes: Uint8Array, start: number): Uint8Array {
  const head: Uint8Array[] = [];
  for (let at = 2; at < start;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const end = at + 2 + lengthAt(bytes, at + 2);
    if ([tables, codes, restarts, adobe].includes(marker)) head.push(bytes.subarray(at, end));
    at = end;
  }
  if (!head.every(isWhole) || head.some(hasFrame) || !isFrameOfInks(bytes, start) || tellsLines(bytes, start))
    throw damaged();
  return joinBytes([bytes.subarray(0, 2), ...head, bytes.subarray(start)]);
}

const lengthAt = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

/** Whether the content of a segment ends at its declared end. */
function isWhole(segment: Uint8Array): boolean {
  const marker = segment[1];
  if (marker === restarts) return segment.length === 6;
  let at = 4;
  if (marker === tables) while (at < segment.length) at += 1 + (segment[at]! >> 4 === 0 ? 64 : 128);
  else if (marker === codes)
    while (at < segment.length) at += 17 + segment.subarray(at + 1, at + 17).reduce((sum, each) => sum + each, 0);
  else return true;
  return at === segment.length;
}

const hasFrame = (segment: Uint8Array): boolean =>
  segment.some((byte, at) => byte === 0xff && segment[at + 1]! >= 0xc0 && segment[at + 1]! <= 0xc2);

function isFrameOfInks(bytes: Uint8Array, start: number): boolean {
  if (lengthAt(bytes, start + 2) !== 8 + 3 * inks) return false;
  const sampled = Array.from({ length: inks }, (_, ink) => bytes[start + headOfFrame + 3 * ink + 1]!);
  return sampled.every((each) => [each >> 4, each & 15].every((factor) => factor >= 1 && factor <= maxSampling));
}

/** Whether a DNL segment declares the number of lines again, which would change the size of the picture. */
function tellsLines(bytes: Uint8Array, start: number): boolean {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === lines) return true;
  return false;
}
