import { withJpegDecoder } from "#codecs";
import { bytesAPixelOfCmyk, greyOfCmyk } from "./jpeg-cmyk.ts";
import { damaged, requireSize, unreadable, type PixelLimits } from "./limits.ts";
import { orientationAfterName } from "./orientation.ts";
import { applyOrientation, rowsInto, type Raster } from "./raster.ts";
import { isTrap, type JpegModule } from "./wasm.ts";

interface Head {
  width: number;
  height: number;
  components: number;
  bits: number;
  /** Whether the picture is coded in several passes. */
  progressive: boolean;
  orientation: number;
  /** Offset of the frame header. */
  start: number;
  /** Offset of the first byte after the frame header. */
  end: number;
}

/** Progressive pictures have about ten scans. The decoder processes the whole picture once for each scan. */
const maxScans = 100;
/** The limit for CMYK is lower, because CMYK is decoded without WebAssembly and therefore more slowly. */
const maxCmykScans = 24;

/** @throws ExtractionProblem `file_unreadable` */
export async function decodeJpeg(bytes: Uint8Array, limits: PixelLimits): Promise<Raster> {
  const head = jpegHead(bytes);
  if (!head) throw damaged();
  if (head.bits !== 8) throw unreadable(`The JPEG has ${head.bits} bits per sample; only 8 are supported.`);
  const scans = scansIn(bytes, head.end);
  if (scans > (head.components === 4 ? maxCmykScans : maxScans)) throw damaged();
  if (head.components === 4) {
    requireSize(head.width, head.height, bytesAPixelOfCmyk, limits);
    if (!hasEnd(bytes)) throw damaged();
    return applyOrientation(await greyOfCmyk(bytes, head, limits.kept), head.orientation);
  }
  const channels = head.components === 1 ? 1 : 3;
  // If there are several scans, the decoder holds all coefficients in memory.
  requireSize(head.width, head.height, channels * (head.progressive || scans > 1 ? 2 : 1), limits);
  const raster = await withJpegDecoder((module) => grey(module, bytes, head, limits));
  return applyOrientation(raster, head.orientation);
}

function grey({ JPEGDecoder }: JpegModule, bytes: Uint8Array, head: Head, limits: PixelLimits): Raster {
  const decoder = new JPEGDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    if (!decodes(decoder) && !hasEnd(bytes)) throw damaged();
    const { width, height, componentCount } = decoder.getFrameInfo();
    const pixels = decoder.getDecodedBuffer();
    if (width !== head.width || height !== head.height || pixels.length < width * height * componentCount)
      throw damaged();
    return toGreyRaster(pixels, width, height, componentCount, limits.kept);
  } finally {
    decoder.delete();
  }
}

/**
 * Whether the picture is decoded without an error. Stray bytes and truncation cause the same error, so the caller also
 * looks for the end marker, which only a truncated picture lacks.
 */
function decodes(decoder: { decode: () => void }): boolean {
  try {
    decoder.decode();
    return true;
  } catch (cause) {
    if (isTrap(cause)) throw cause;
    return false;
  }
}

/** Whether an end marker follows the last scan. */
function hasEnd(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 2; at > 0; at--) {
    if (bytes[at] !== 0xff) continue;
    if (bytes[at + 1] === 0xd9) return true;
    if (bytes[at + 1] === 0xda) return false;
  }
  return false;
}

/**
 * Converts pixels of one to four 8-bit channels to a greyscale raster. The last of two or four channels is
 * transparency, which is blended on white.
 */
export function toGreyRaster(
  pixels: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  channels: number,
  kept: number,
): Raster {
  const sink = rowsInto(width, height, kept);
  const row = new Uint8Array(width);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) row[x] = greyAt(pixels, at, channels);
    sink.add(row);
  }
  return sink.raster();
}

function greyAt(pixels: Uint8Array | Uint8ClampedArray, at: number, channels: number): number {
  if (channels === 1) return pixels[at]!;
  const light = channels === 2 ? pixels[at]! : luma(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
  if (channels === 3) return light;
  const solid = pixels[at + channels - 1]!;
  return solid === 255 ? light : Math.round((light * solid + 255 * (255 - solid)) / 255);
}

/** Computes the luma (brightness) of an 8-bit RGB colour. */
export const luma = (red: number, green: number, blue: number): number => (77 * red + 150 * green + 29 * blue) >> 8;

/** Parses the frame header of a JPEG. Returns undefined if there is none. */
export function jpegHead(bytes: Uint8Array): Head | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  for (let at = 2; at + 10 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker === 0xe1)
      orientation = Math.max(orientation, orientationAfterName(bytes.subarray(at + 4, at + 2 + length)));
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        bits: bytes[at + 4]!,
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: bytes[at + 9]!,
        progressive: (marker & 3) === 2,
        orientation,
        start: at,
        end: at + 2 + length,
      };
    at += 2 + length;
  }
  return undefined;
}

/** Counts the scans from an offset on. Counting stops above `maxScans`. */
function scansIn(bytes: Uint8Array, from: number): number {
  let scans = 0;
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 3 < bytes.length && scans <= maxScans;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xd9) break;
    if (marker === 0xda) scans++;
    const isBare = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
    const length = isBare ? (marker === 0xff ? 1 : 2) : 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!);
    at = bytes.indexOf(0xff, at + length);
  }
  return scans;
}
