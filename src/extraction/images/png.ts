import { luma } from "./jpeg.ts";
import { type PixelLimits, damaged, requireSize } from "./limits.ts";
import { orientationIn } from "./orientation.ts";
import { type Raster, type RowSink, applyOrientation, rowsInto } from "./raster.ts";

/** The image header (IHDR). `color` is the colour type of the PNG format. */
interface Head {
  width: number;
  height: number;
  bits: number;
  color: number;
  interlaced: boolean;
}

interface Chunks {
  head: Head;
  data: Uint8Array[];
  /** Grey level of each palette colour, blended on white. */
  palette: Uint8Array;
  orientation: number;
}

/** Samples per pixel by colour type. */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Decodes a PNG row by row, so that only the scaled-down picture is held in memory. Of an animation, the default image
 * is decoded.
 * @throws ExtractionProblem `file_unreadable`
 */
export async function decodePng(bytes: Uint8Array, limits: PixelLimits): Promise<Raster> {
  const chunks = chunksOf(bytes);
  if (!chunks || !channelsOf[chunks.head.color] || ![1, 2, 4, 8, 16].includes(chunks.head.bits)) throw damaged();
  const { head, orientation } = chunks;
  requireSize(head.width, head.height, head.interlaced ? 1 : 0, limits);
  const sink = rowsInto(head.width, head.height, limits.kept);
  const begin = passesOf(chunks);
  if (head.interlaced) await weave(begin, head, sink);
  else await pour(begin(head.width), head, sink);
  return applyOrientation(sink.raster(), orientation);
}

function chunksOf(bytes: Uint8Array): Chunks | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Partial<Chunks> & { data: Uint8Array[] } = { data: [] };
  let colors: Uint8Array = new Uint8Array();
  let alphas: Uint8Array = new Uint8Array();
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (name === "IHDR" && chunk.length >= 13) chunks.head = headIn(chunk);
    if (name === "PLTE") colors = chunk;
    if (name === "tRNS") alphas = chunk;
    if (name === "IDAT") chunks.data.push(chunk);
    if (name === "eXIf") chunks.orientation = orientationIn(chunk);
    if (name === "IEND") break;
    at += 12 + length;
  }
  const { head, data, orientation = 1 } = chunks;
  return head && { head, data, orientation, palette: greys(colors, alphas) };
}

function headIn(chunk: Uint8Array): Head {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    bits: view.getUint8(8),
    color: view.getUint8(9),
    interlaced: view.getUint8(12) === 1,
  };
}

function greys(colors: Uint8Array, alphas: Uint8Array): Uint8Array {
  const grey = new Uint8Array(256);
  for (let index = 0; index * 3 + 2 < colors.length && index < 256; index++) {
    const light = luma(colors[index * 3]!, colors[index * 3 + 1]!, colors[index * 3 + 2]!);
    grey[index] = onWhite(light, alphas[index] ?? 255);
  }
  return grey;
}

const onWhite = (light: number, solid: number): number => (light * solid + 255 * (255 - solid)) / 255;

/**
 * Starts a pass whose rows have this width. The returned function reads the next row. It always returns the same
 * buffer, so each call overwrites the previous row.
 */
type Passes = (width: number) => () => Promise<Uint8Array>;

function passesOf({ head, data, palette }: Chunks): Passes {
  const unpacked = unpackedBytes(data);
  const pixelBits = head.bits * channelsOf[head.color]!;
  const step = Math.max(1, pixelBits >> 3);
  const filter = new Uint8Array(1);
  return (width) => {
    const length = Math.ceil((width * pixelBits) / 8);
    let [above, row] = [new Uint8Array(length), new Uint8Array(length)];
    const grey = new Uint8Array(width);
    return async () => {
      [above, row] = [row, above];
      await unpacked(filter);
      await unpacked(row);
      if (!undoFilter(filter[0]!, row, above, step)) throw damaged();
      greyRow(row, grey, head, palette);
      return grey;
    };
  };
}

/**
 * Returns a function that fills a buffer with the next decompressed bytes.
 * @throws ExtractionProblem if there are too few bytes
 */
function unpackedBytes(packed: Uint8Array[]): (into: Uint8Array) => Promise<void> {
  const reader = new Blob(packed as BufferSource[])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"))
    .getReader();
  let chunk: Uint8Array = new Uint8Array();
  return async (into) => {
    for (let filled = 0; filled < into.length;) {
      if (chunk.length === 0) {
        const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
        if (done || !value) throw damaged();
        chunk = value;
      }
      const taken = Math.min(chunk.length, into.length - filled);
      into.set(chunk.subarray(0, taken), filled);
      chunk = chunk.subarray(taken);
      filled += taken;
    }
  };
}

/** Converts a row of samples to greyscale. Images with a palette need `palette`, the grey levels of its colours. */
export function greyRow(row: Uint8Array, grey: Uint8Array, { bits, color }: Head, palette?: Uint8Array): void {
  const wide = bits >> 3;
  if (color === 3 || (color === 0 && bits < 8)) return greyOfFew(row, grey, bits, color === 3 ? palette : undefined);
  const step = channelsOf[color]! * wide;
  for (let x = 0, at = 0; x < grey.length; x++, at += step) {
    const light = color < 2 || color === 4 ? row[at]! : luma(row[at]!, row[at + wide]!, row[at + 2 * wide]!);
    grey[x] = color < 4 ? light : onWhite(light, row[at + step - wide]!);
  }
}

/** The pixels are indexes of a palette, or have fewer than 8 bits. */
function greyOfFew(row: Uint8Array, grey: Uint8Array, bits: number, palette: Uint8Array | undefined): void {
  const most = 2 ** bits - 1;
  for (let x = 0; x < grey.length; x++) {
    const bit = x * bits;
    const value = (row[bit >> 3]! >> (8 - bits - (bit & 7))) & most;
    grey[x] = palette ? palette[value]! : (value * 255) / most;
  }
}

async function pour(next: () => Promise<Uint8Array>, { height }: Head, sink: RowSink): Promise<void> {
  for (let y = 0; y < height; y++) sink.add(await next());
}

/** Offsets and steps of the Adam7 interlace passes. */
const weaving = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

async function weave(begin: Passes, { width, height }: Head, sink: RowSink): Promise<void> {
  const whole = new Uint8Array(width * height);
  for (const [left, top, right, down] of weaving) {
    const inPass = Math.ceil((width - left) / right);
    if (inPass <= 0) continue;
    const next = begin(inPass);
    for (let y = top; y < height; y += down) {
      const row = await next();
      for (let x = 0; x < inPass; x++) whole[y * width + left + x * right] = row[x]!;
    }
  }
  for (let y = 0; y < height; y++) sink.add(whole.subarray(y * width, (y + 1) * width));
}

/** Reverses the filter of a PNG row in place. Returns false if the filter is unknown. */
export function undoFilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = step; at < row.length; at++) row[at] = row[at]! + row[at - step]!;
      return true;
    case 2:
      for (let at = 0; at < row.length; at++) row[at] = row[at]! + above[at]!;
      return true;
    case 3:
      for (let at = 0; at < row.length; at++)
        row[at] = row[at]! + (((at < step ? 0 : row[at - step]!) + above[at]!) >> 1);
      return true;
    case 4:
      for (let at = 0; at < row.length; at++)
        row[at] = row[at]! + (at < step ? above[at]! : paeth(row[at - step]!, above[at]!, above[at - step]!));
      return true;
    default:
      return false;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [toLeft, toUp, toBoth] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (toLeft <= toUp && toLeft <= toBoth) return left;
  return toUp <= toBoth ? up : upLeft;
}
