import { Unzlib } from "fflate";
import { damaged, requireSize, type PixelLimits } from "./limits.ts";
import { greyRow, undoFilter } from "./png.ts";
import { rowsInto, type Raster } from "./raster.ts";

/** Rows of pixels that are compressed by deflate and have no file header, as in PDFs. */
export interface Deflated {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  bits: number;
  /** 1 for greyscale, 3 for RGB. */
  channels: number;
  /** Whether each row begins with a PNG filter byte. */
  isFiltered: boolean;
  isNegative: boolean;
}

/** The chunks of the input are small, because decompression may make them a thousand times larger. */
const piece = 16 * 1024;

/**
 * Decodes a picture to greyscale row by row. Only the scaled-down picture is held in memory. Missing rows are white.
 * @throws ExtractionProblem `file_unreadable`
 */
export function decodeDeflated(picture: Deflated, limits: PixelLimits): Raster {
  const { bytes, width, height, bits, channels, isFiltered, isNegative } = picture;
  if (![1, 2, 4, 8, 16].includes(bits)) throw damaged();
  requireSize(width, height, 0, limits);
  const sink = rowsInto(width, height, limits.kept);
  const length = Math.ceil((width * bits * channels) / 8);
  const step = Math.max(1, (bits * channels) >> 3);
  const head = { width, height, bits, color: channels === 1 ? 0 : 2, interlaced: false };
  const grey = new Uint8Array(width);
  let above: Uint8Array = new Uint8Array(length);
  let rows = 0;
  const add = (line: Uint8Array) => {
    const row = isFiltered ? line.subarray(1) : line;
    if (isFiltered && !undoFilter(line[0]!, row, above, step)) throw damaged();
    above = row;
    greyRow(row, grey, head);
    if (isNegative) for (let x = 0; x < width; x++) grey[x] = 255 - grey[x]!;
    sink.add(grey);
    rows++;
  };
  const lines = linesOf(length + (isFiltered ? 1 : 0), add);
  const unpack = new Unzlib(lines);
  try {
    for (let from = 0; from < bytes.length && rows < height; from += piece)
      unpack.push(bytes.subarray(from, from + piece), from + piece >= bytes.length);
  } catch {
    if (rows === 0) throw damaged();
  }
  if (rows === 0) throw damaged();
  return sink.raster();
}

function linesOf(length: number, take: (line: Uint8Array) => void): (piece: Uint8Array) => void {
  let line = new Uint8Array(length);
  let filled = 0;
  return (piece) => {
    for (let from = 0; from < piece.length;) {
      const count = Math.min(length - filled, piece.length - from);
      line.set(piece.subarray(from, from + count), filled);
      from += count;
      filled += count;
      if (filled < length) continue;
      take(line);
      line = new Uint8Array(length);
      filled = 0;
    }
  };
}
