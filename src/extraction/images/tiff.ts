import { ExtractionProblem } from "../problem.ts";
import { decodeJpeg, luma } from "./jpeg.ts";
import { damaged, requireSize, unreadable, type PixelLimits } from "./limits.ts";
import { applyOrientation, rowsInto, type Raster } from "./raster.ts";
import { directoryAt, maxBlocks, pagesOfTiff, type Directory } from "./tiff-directory.ts";
import { decodeStrip } from "./tiff-strips.ts";

/** The supported photometric interpretations. */
const [whiteIsZero, rgb, palette, separated] = [0, 2, 3, 5];

/**
 * Decodes the pages of a TIFF; thumbnails are left out. Damaged pages are skipped if other pages can be decoded.
 * @throws ExtractionProblem `file_unreadable` if no page can be decoded
 */
export async function decodeTiff(bytes: Uint8Array, limits: PixelLimits, only?: number): Promise<Raster[]> {
  const all = pagesOfTiff(bytes, limits.pages);
  const pages = only === undefined ? all : all.slice(only, only + 1);
  const rasters: Raster[] = [];
  let refused: ExtractionProblem | undefined;
  for (const page of pages) {
    try {
      rasters.push(await decodePage(bytes, directoryAt(bytes, page), limits));
    } catch (cause) {
      if (!(cause instanceof ExtractionProblem)) throw cause;
      refused ??= cause;
    }
  }
  if (rasters.length === 0) throw refused ?? damaged();
  return rasters;
}

async function decodePage(bytes: Uint8Array, page: Directory, limits: PixelLimits): Promise<Raster> {
  const { width, height, bits, samples, photometric, planar } = page;
  if (page.compression === 6 || page.compression === 7) return jpegPage(bytes, page, limits);
  if (photometric > separated || photometric === 4 || planar === 2)
    throw unreadable("The colour space of the TIFF is not supported.");
  if (![1, 2, 4, 8, 16].includes(bits) || samples < 1 || samples > 5) throw damaged();
  const rowBytes = Math.ceil((width * bits * samples) / 8);
  requireSize(width, height, 0, limits);
  const { blockWidth, blockHeight, offsets } = page;
  const isTiled = blockWidth < width;
  const blockBytes = Math.ceil((blockWidth * bits * samples) / 8);
  const across = Math.ceil(width / blockWidth);
  if (blockBytes * blockHeight * (isTiled ? across : 1) > limits.memory || offsets.length < across) throw damaged();
  const blocks = packedBlocks(bytes, page, across * Math.ceil(height / blockHeight));
  const sink = rowsInto(width, height, limits.kept);
  const grey = new Uint8Array(width);
  const row = new Uint8Array(rowBytes);
  for (let top = 0, block = 0; top < height; top += blockHeight, block += across) {
    const rows = Math.min(blockHeight, height - top);
    const unpacked: Uint8Array[] = [];
    for (let index = block; index < block + across; index++) {
      const size = { rowBytes: blockBytes, rows: isTiled ? blockHeight : rows };
      unpacked.push(await decodeStrip(blocks[index]!, page, size));
    }
    for (let y = 0; y < rows; y++) {
      for (const [index, part] of unpacked.entries())
        row.set(
          part.subarray(y * blockBytes, (y + 1) * blockBytes).subarray(0, rowBytes - index * blockBytes),
          index * blockBytes,
        );
      greyRow(row, grey, page);
      sink.add(grey);
    }
  }
  return applyOrientation(sink.raster(), page.orientation);
}

/** A strip or tile outside the file is empty. If strips or tiles overlap heavily, the file is refused as damaged. */
function packedBlocks(bytes: Uint8Array, { offsets, lengths }: Directory, count: number): Uint8Array[] {
  if (count > maxBlocks) throw damaged();
  const blocks = Array.from({ length: count }, (_, index) => {
    const [from = 0, length = 0] = [offsets[index], lengths[index]];
    return bytes.subarray(Math.min(from, bytes.length), Math.min(from + length, bytes.length));
  });
  if (blocks.reduce((sum, block) => sum + block.length, 0) > 2 * bytes.length) throw damaged();
  return blocks;
}

async function jpegPage(bytes: Uint8Array, page: Directory, limits: PixelLimits): Promise<Raster> {
  const [offset = 0, more] = page.offsets;
  if (page.compression === 6 || more !== undefined)
    throw unreadable("TIFF pages that consist of several JPEGs are not supported.");
  const picture = bytes.subarray(offset, offset + (page.lengths[0] ?? 0));
  const raster = await decodeJpeg(withTables(picture, page.jpegTables), limits);
  return applyOrientation(raster, page.orientation);
}

function withTables(picture: Uint8Array, tables: Uint8Array): Uint8Array {
  if (tables.length < 4) return picture;
  const inner = tables.subarray(2, tables.length - 2);
  const whole = new Uint8Array(picture.length + inner.length);
  whole.set(picture.subarray(0, 2));
  whole.set(inner, 2);
  whole.set(picture.subarray(2), 2 + inner.length);
  return whole;
}

function greyRow(row: Uint8Array, grey: Uint8Array, page: Directory): void {
  const { bits, samples, photometric, little, colors } = page;
  const wide = Math.max(1, bits >> 3);
  const high = bits === 16 && little ? 1 : 0;
  const most = 2 ** Math.min(8, bits) - 1;
  for (let x = 0, at = high; x < grey.length; x++, at += samples * wide) {
    const first = bits < 8 ? fewBits(row, x * samples * bits, bits) : row[at]!;
    if (photometric === rgb) grey[x] = luma(first, row[at + wide]!, row[at + 2 * wide]!);
    else if (photometric === separated)
      grey[x] = ofInks(first, row[at + wide]!, row[at + 2 * wide]!, row[at + 3 * wide]!);
    else if (photometric === palette) grey[x] = colors[first] ?? 255;
    else grey[x] = ((photometric === whiteIsZero ? most - first : first) * 255) / most;
  }
}

/** Computes the brightness of a CMYK colour with channels from 0 to 255. */
const ofInks = (cyan: number, magenta: number, yellow: number, black: number): number =>
  (luma(255 - cyan, 255 - magenta, 255 - yellow) * (255 - black)) / 255;

const fewBits = (row: Uint8Array, at: number, bits: number): number =>
  (row[at >> 3]! >> (8 - bits - (at & 7))) & (2 ** bits - 1);
