import { Unzlib } from "fflate";
import { damaged, unreadable } from "./limits.ts";
import type { Directory } from "./tiff-directory.ts";
import makeModule from "pdfjs-dist/wasm/jbig2_nowasm_fallback.js";

/** Unpacked size of a strip or tile. */
interface Size {
  rowBytes: number;
  rows: number;
}

/**
 * Unpacks a strip or tile. The result never exceeds the declared length, whatever the file contains.
 * @throws ExtractionProblem `file_unreadable`
 */
export async function decodeStrip(packed: Uint8Array, page: Directory, size: Size): Promise<Uint8Array> {
  const length = size.rowBytes * size.rows;
  const { compression, fillOrder, bits, samples, predictor, little } = page;
  const straight = fillOrder === 2 && compression <= 4 ? mirrored(packed) : packed;
  if (compression >= 2 && compression <= 4) return decodeFax(straight, page, size);
  const strip = unpacked(straight, compression, length);
  if (predictor === 2 && bits >= 8) undoDifferences(strip, size.rowBytes, samples, bits, little);
  return strip;
}

function unpacked(packed: Uint8Array, compression: number, length: number): Uint8Array {
  switch (compression) {
    case 1:
      return filled(packed, length);
    case 5:
      return unlzw(packed, length);
    case 8:
    case 32946:
      return inflated(packed, length);
    case 32773:
      return unpackBits(packed, length);
    default:
      throw unreadable(`TIFF compression ${compression} is not supported.`);
  }
}

function filled(bytes: Uint8Array, length: number): Uint8Array {
  const strip = new Uint8Array(length);
  strip.set(bytes.subarray(0, length));
  return strip;
}

/** Decompresses a strip in small chunks, so that it can stop soon after the declared length. */
function inflated(packed: Uint8Array, length: number): Uint8Array {
  const strip = new Uint8Array(length);
  let at = 0;
  const inflate = new Unzlib((chunk) => {
    strip.set(chunk.subarray(0, Math.max(0, length - at)), Math.min(at, length));
    at += chunk.length;
  });
  const piece = 16 * 1024;
  try {
    for (let from = 0; from < packed.length && at < length; from += piece)
      inflate.push(packed.subarray(from, from + piece), from + piece >= packed.length);
  } catch {
    throw damaged();
  }
  return strip;
}

function unpackBits(packed: Uint8Array, length: number): Uint8Array {
  const strip = new Uint8Array(length);
  for (let from = 0, to = 0; from < packed.length && to < length;) {
    const count = packed[from++]!;
    if (count < 128) {
      strip.set(packed.subarray(from, from + Math.min(count + 1, length - to)), to);
      from += count + 1;
      to += count + 1;
    } else if (count > 128) {
      strip.fill(packed[from++] ?? 0, to, to + 257 - count);
      to += 257 - count;
    }
  }
  return strip;
}

const [clear, end, firstFree, mostCodes] = [256, 257, 258, 4096];

/**
 * Decodes LZW. A code above `end` stands for bytes that were already written; their position in the strip and their
 * number are kept for each code.
 */
function unlzw(packed: Uint8Array, length: number): Uint8Array {
  const strip = new Uint8Array(length);
  const [starts, lengths] = [new Uint32Array(mostCodes), new Uint16Array(mostCodes)];
  let [free, width, to] = [firstFree, 9, 0];
  let before = { from: 0, count: 0 };
  for (let bit = 0; bit + width <= packed.length * 8 && to < length;) {
    const code = bitsAt(packed, bit, width);
    bit += width;
    if (code === end) break;
    if (code === clear) {
      [free, width, before] = [firstFree, 9, { from: 0, count: 0 }];
      continue;
    }
    if (before.count > 0 && free < mostCodes) {
      starts[free] = before.from;
      lengths[free++] = before.count + 1;
    }
    if (code >= free) throw damaged();
    const from = to;
    if (code < clear) strip[to++] = code;
    else to = copied(strip, starts[code]!, lengths[code]!, to);
    before = { from, count: to - from };
    if (free >= (1 << width) - 1 && width < 12) width++;
  }
  return strip;
}

/** Copies byte by byte, because the source and the target may overlap. */
function copied(strip: Uint8Array, from: number, count: number, to: number): number {
  const most = Math.min(count, strip.length - to);
  for (let index = 0; index < most; index++) strip[to + index] = strip[from + index]!;
  return to + count;
}

function bitsAt(bytes: Uint8Array, at: number, width: number): number {
  const byte = at >> 3;
  const three = (bytes[byte]! << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
  return (three >> (24 - (at & 7) - width)) & ((1 << width) - 1);
}

function mirrored(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let [turned, rest] = [0, byte];
    for (let bit = 0; bit < 8; bit++, rest >>= 1) turned = (turned << 1) | (rest & 1);
    return turned;
  });
}

/** With the predictor, each sample is stored as the difference from the previous pixel. */
function undoDifferences(strip: Uint8Array, rowBytes: number, samples: number, bits: number, little: boolean): void {
  for (let row = 0; row < strip.length; row += rowBytes) {
    if (bits === 8) {
      for (let at = row + samples; at < row + rowBytes; at++) strip[at] = strip[at]! + strip[at - samples]!;
      continue;
    }
    const [high, low] = little ? [1, 0] : [0, 1];
    for (let at = row + samples * 2; at + 1 < row + rowBytes; at += 2) {
      const last = at - samples * 2;
      const sum = (strip[at + high]! << 8) + strip[at + low]! + (strip[last + high]! << 8) + strip[last + low]!;
      strip[at + high] = sum >> 8;
      strip[at + low] = sum;
    }
  }
}

/** The fax decoder of pdf.js. `imageData` is the decoded picture, as rows of bits. */
export interface FaxModule {
  _malloc: (size: number) => number;
  _free: (at: number) => void;
  writeArrayToMemory: (bytes: Uint8Array, at: number) => void;
  _ccitt_decode: (
    at: number,
    size: number,
    width: number,
    height: number,
    k: number,
    endOfLine: number,
    byteAlign: number,
    blackIs1: number,
    columns: number,
    rows: number,
  ) => void;
  imageData?: Uint8Array | null;
}

let last: WeakRef<FaxModule> | undefined;

async function faxModule(): Promise<FaxModule> {
  const cached = last?.deref();
  if (cached) return cached;
  const made = await makeModule({ print: () => {}, printErr: () => {} });
  last = new WeakRef(made);
  return made;
}

/** In the unpacked strip, bits that are 1 are black pixels. */
async function decodeFax(
  packed: Uint8Array,
  { compression, fax, blockWidth }: Directory,
  { rowBytes, rows }: { rowBytes: number; rows: number },
): Promise<Uint8Array> {
  const module = await faxModule();
  const at = module._malloc(packed.length);
  try {
    module.writeArrayToMemory(packed, at);
    const k = compression === 4 ? -1 : fax & 1;
    const alone = compression === 2 ? 1 : 0;
    module._ccitt_decode(at, packed.length, blockWidth, rows, k, 0, alone, 1, blockWidth, rows);
    const { imageData } = module;
    module.imageData = null;
    if (!imageData || imageData.length < rowBytes * rows) throw damaged();
    return imageData;
  } catch (cause) {
    last = undefined;
    throw cause;
  } finally {
    module._free(at);
  }
}
