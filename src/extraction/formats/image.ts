import { ExtractionProblem } from "../problem.ts";
import { pagesOfTiff } from "../images/tiff-directory.ts";
import type { Page } from "../document/document.ts";
import { tooManyPages, type OpenLimits } from "./limits.ts";
import type { Reader } from "./reader.ts";

export interface PictureSize {
  width: number;
  height: number;
}

/** Reads a picture as one page, or a TIFF file as several. Without OCR, page units are pixels. */
export const readImage: Reader = async ({ bytes }, { limits, budget, ocr }) => {
  const unread: Page = { ...requirePicture(bytes, limits), tokens: [], rulings: [], scanned: true };
  const count = pagesIn(bytes, limits);
  if (count > limits.pages) throw tooManyPages(limits.pages);
  const pages: Page[] = [];
  const { from, to } = limits.only ?? { from: 1, to: count };
  for (let page = from - 1; page < Math.min(to, count); page++) {
    await budget.pause();
    pages.push((await ocr?.read({ bytes, page })) ?? unread);
  }
  return { pages };
};

/**
 * Counts the pages of a picture.
 * @throws ExtractionProblem if a TIFF is damaged
 */
export function pagesIn(bytes: Uint8Array, limits: OpenLimits): number {
  const isTiff = bytes[0] === 0x49 || bytes[0] === 0x4d;
  return isTiff ? Math.max(1, pagesOfTiff(bytes, limits.pages + 1).length) : 1;
}

/**
 * Checks the size of a picture, and returns it.
 * @throws ExtractionProblem `file_unreadable` if the picture has no size, or more pixels than the limit
 */
export function requirePicture(bytes: Uint8Array, limits: OpenLimits): PictureSize {
  const size = pictureSize(bytes);
  if (!size || size.width === 0 || size.height === 0)
    throw new ExtractionProblem("file_unreadable", "The picture is damaged.");
  if (size.width * size.height > limits.pixels) {
    throw new ExtractionProblem(
      "file_unreadable",
      `The picture has ${size.width} x ${size.height} pixels, which is too many. Reduce its resolution.`,
    );
  }
  return size;
}

/** Smaller pictures in a mail or office document are logos and icons. */
const minPhotographPixels = 500_000;

export function isPhotograph(bytes: Uint8Array): boolean {
  const size = pictureSize(bytes);
  return size !== undefined && size.width * size.height >= minPhotographPixels;
}

/**
 * Parses the size in the header of a PNG, JPEG, TIFF (first page) or WebP file. The EXIF orientation is not applied.
 */
function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const magic = view.getUint32(0);
    if (magic === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (magic >>> 8 === 0xffd8ff) return jpegSize(view);
    if (magic === 0x49492a00 || magic === 0x4d4d002a) return tiffSize(view, magic === 0x49492a00);
    if (magic === 0x52494646) return webpSize(view);
    return undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function tiffSize(view: DataView, little: boolean): PictureSize | undefined {
  const directory = view.getUint32(4, little);
  const count = view.getUint16(directory, little);
  const tags = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    const isShort = view.getUint16(entry + 2, little) === 3;
    tags.set(
      view.getUint16(entry, little),
      isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little),
    );
  }
  const width = tags.get(256);
  const height = tags.get(257);
  return width && height ? { width, height } : undefined;
}

function webpSize(view: DataView): PictureSize | undefined {
  const chunk = view.getUint32(12);
  if (chunk === 0x56503858) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}
