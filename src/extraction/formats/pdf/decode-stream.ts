import makeJbig2 from "pdfjs-dist/wasm/jbig2_nowasm_fallback.js";
import makeOpenJpeg from "pdfjs-dist/wasm/openjpeg_nowasm_fallback.js";
import { type Raster, rowsInto, toGraymap } from "../../images/raster.ts";
import { decode } from "../../images/decode.ts";
import { toGreyRaster } from "../../images/jpeg.ts";
import { decodeDeflated } from "../../images/deflated.ts";
import { damaged, defaultPixelLimits, requireSize } from "../../images/limits.ts";
import { ExtractionProblem } from "../../problem.ts";
import { numberAt } from "./syntax.ts";
import type { ImageStream } from "./image-streams.ts";

/** A decoder module of pdf.js. Each picture gets a new instance. */
interface Memory {
  _malloc: (size: number) => number;
  writeArrayToMemory: (bytes: Uint8Array, at: number) => void;
  imageData?: Uint8Array | null;
}

interface Jbig2 extends Memory {
  _jbig2_decode: (
    at: number,
    size: number,
    width: number,
    height: number,
    globals: number,
    globalsSize: number,
  ) => void;
}

interface OpenJpeg extends Memory {
  /** @returns 0 on success */
  _jp2_decode: (at: number, size: number, channels: number, indexed: number, mask: number, halvings: number) => number;
}

/** Bytes of memory that OpenJPEG needs per pixel: three channels of 32 bits. */
const bytesAPixel = 12;

const silent = { print: () => {}, printErr: () => {}, warn: () => {} };

interface ReadPicture extends Omit<ImageStream, "read"> {
  bytes: Uint8Array;
}

/**
 * Converts a picture stream to a file. JPEG and fax data keep their encoding; other data becomes a greyscale bitmap.
 */
export async function imageFileOf(stream: ImageStream): Promise<Uint8Array> {
  const picture = await readOf(stream);
  return fileOf(picture) ?? toGraymap(await rasterFrom(picture));
}

/**
 * Decodes a picture stream to greyscale.
 * @throws ExtractionProblem if the picture is damaged or too large
 */
export async function decodeStream(stream: ImageStream): Promise<Raster> {
  return rasterFrom(await readOf(stream));
}

function fileOf(picture: ReadPicture): Uint8Array | undefined {
  if (picture.filter === "DCTDecode") return picture.bytes;
  return picture.filter === "CCITTFaxDecode" ? faxFile(picture) : undefined;
}

async function rasterFrom(picture: ReadPicture): Promise<Raster> {
  if (picture.filter === "JBIG2Decode") return unpacked(jbig2, picture);
  if (picture.filter === "JPXDecode") return unpacked(jpx, picture);
  const file = fileOf(picture);
  if (!file) return flate(picture);
  const [raster] = await decode(file);
  if (!raster) throw damaged();
  return raster;
}

const readOf = async ({ read, ...stream }: ImageStream): Promise<ReadPicture> => ({ ...stream, bytes: await read() });

async function unpacked(unpack: (picture: ReadPicture) => Promise<Raster>, picture: ReadPicture): Promise<Raster> {
  try {
    return await unpack(picture);
  } catch (cause) {
    throw cause instanceof ExtractionProblem ? cause : damaged();
  }
}

const isNegative = (dictionary: string) => /\/Decode\s*\[\s*1(?:\.0*)?\s+0/.test(dictionary);

/** Converts fax data to a TIFF with a single page. */
function faxFile({ bytes, width, height, dictionary }: ReadPicture): Uint8Array {
  const k = Number(/\/K\s+(-?\d+)/.exec(dictionary)?.[1] ?? 0);
  const columns = Number(/\/Columns\s+(\d+)/.exec(dictionary)?.[1] ?? 1728);
  const onesAreBlack = /\/BlackIs1\s+true/.test(dictionary) === isNegative(dictionary);
  const tags: [tag: number, value: number][] = [
    [256, columns],
    [257, height],
    [258, 1],
    [259, k < 0 ? 4 : 3],
    [262, onesAreBlack ? 0 : 1],
    [273, 0],
    [277, 1],
    [278, height],
    [279, bytes.length],
    [292, k > 0 ? 1 : 0],
  ];
  const start = 8 + 2 + tags.length * 12 + 4;
  const file = new Uint8Array(start + bytes.length);
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  view.setUint16(8, tags.length, true);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, 4, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, tag === 273 ? start : value, true);
  }
  file.set(bytes, start);
  return width > 0 ? file : bytes;
}

async function jbig2({ bytes, globals, width, height, dictionary }: ReadPicture): Promise<Raster> {
  requireSize(width, height, 1 / 8, defaultPixelLimits);
  const module = (await makeJbig2(silent)) as Jbig2;
  const at = held(module, bytes);
  const shared = globals ? held(module, globals) : 0;
  module._jbig2_decode(at, bytes.length, width, height, shared, globals?.length ?? 0);
  const bits = module.imageData;
  const rowBytes = Math.ceil(width / 8);
  if (!bits || bits.length < rowBytes * height) throw damaged();
  const [zero, one] = isNegative(dictionary) ? [255, 0] : [0, 255];
  const sink = rowsInto(width, height, defaultPixelLimits.kept);
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) row[x] = (bits[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1 ? one : zero;
    sink.add(row);
  }
  return sink.raster();
}

function flate({ bytes, width, height, dictionary, channels = 1 }: ReadPicture): Raster {
  const [bits, predictor] = [numberAt(dictionary, "BitsPerComponent"), numberAt(dictionary, "Predictor")];
  const kept = {
    bits: bits?.value ?? 8,
    isFiltered: (predictor?.value ?? 1) >= 10,
    isNegative: isNegative(dictionary),
  };
  return decodeDeflated({ bytes, width, height, channels, ...kept }, defaultPixelLimits);
}

/** The size is that in the codestream, because the PDF may declare another one. */
async function jpx({ bytes }: ReadPicture): Promise<Raster> {
  const { kept } = defaultPixelLimits;
  const picture = codestreamOf(bytes);
  if (!picture) throw damaged();
  const pixels = picture.width * picture.height;
  requireSize(picture.width, picture.height, 0, defaultPixelLimits);
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.sqrt(pixels / kept)) - 0.2));
  const { width, height } = picture.halved(halvings);
  requireSize(width, height, bytesAPixel, defaultPixelLimits);
  const module = (await makeOpenJpeg(silent)) as OpenJpeg;
  if (module._jp2_decode(held(module, bytes), bytes.length, 0, 0, 0, halvings)) throw damaged();
  const { imageData } = module;
  const channels = imageData ? Math.floor(imageData.length / (width * height)) : 0;
  if (!imageData || channels < 1 || channels > 4) throw damaged();
  return toGreyRaster(imageData, width, height, channels, kept);
}

function held(module: Memory, bytes: Uint8Array): number {
  const at = module._malloc(bytes.length);
  module.writeArrayToMemory(bytes, at);
  return at;
}

/** The header of a JPEG 2000 codestream. */
export interface Codestream {
  width: number;
  height: number;
  /** Returns the size after both sides were halved this many times. */
  halved(times: number): { width: number; height: number };
}

/**
 * Limits that no genuine picture reaches. They are needed because a decoder allocates memory for all channels and tiles
 * at once.
 */
const [mostChannels, mostTiles] = [4, 4096];
const [startAndSize, box] = [0xff4fff51, 0x6a703263];

/** Parses the header of a JPEG 2000 picture, with or without JP2 boxes. */
function codestreamOf(bytes: Uint8Array): Codestream | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = startOf(view);
  if (at === undefined || at + headLength > bytes.length || view.getUint32(at) !== startAndSize) return undefined;
  const [right, bottom, left, top] = [8, 12, 16, 20].map((place) => view.getUint32(at + place)) as Four;
  const [tileWidth, tileHeight] = [view.getUint32(at + 24), view.getUint32(at + 28)];
  const tiles = Math.ceil(right / tileWidth) * Math.ceil(bottom / tileHeight);
  if (right <= left || bottom <= top || view.getUint16(at + 40) > mostChannels || !(tiles <= mostTiles))
    return undefined;
  return {
    width: right - left,
    height: bottom - top,
    halved: (times) => ({
      width: Math.ceil(right / 2 ** times) - Math.ceil(left / 2 ** times),
      height: Math.ceil(bottom / 2 ** times) - Math.ceil(top / 2 ** times),
    }),
  };
}

type Four = [number, number, number, number];
/** Length of the header in bytes, up to the end of the number of channels. */
const headLength = 42;

/** Finds the offset of the codestream: 0, or inside the first box that contains a codestream. */
function startOf(view: DataView): number | undefined {
  if (view.byteLength >= 4 && view.getUint32(0) === startAndSize) return 0;
  for (let at = 0; at + 16 <= view.byteLength;) {
    const length = view.getUint32(at);
    const head = length === 1 ? 16 : 8;
    if (view.getUint32(at + 4) === box) return at + head;
    const whole = length === 1 ? Number(view.getBigUint64(at + 8)) : length;
    if (whole < head) return undefined;
    at += whole;
  }
  return undefined;
}
