import { luma } from "./jpeg.ts";
import { damaged } from "./limits.ts";

/** The directory entries of one TIFF page. */
export interface Directory {
  width: number;
  height: number;
  /** Bits per sample. */
  bits: number;
  samples: number;
  compression: number;
  photometric: number;
  planar: number;
  predictor: number;
  fillOrder: number;
  /** Options of the group 3 fax encoding (T4Options). Bit 0 means two-dimensional coding. */
  fax: number;
  orientation: number;
  little: boolean;
  /** Width of a strip or tile. A strip is as wide as the page. */
  blockWidth: number;
  blockHeight: number;
  offsets: number[];
  lengths: number[];
  jpegTables: Uint8Array;
  /** Grey level of each palette colour. */
  colors: Uint8Array;
}

/** Limits that no genuine file reaches: blocks of a page, directory entries, bytes of JPEG tables, palette values. */
export const maxBlocks = 200_000;
const [mostEntries, longestTables, paletteColours] = [1000, 65_536, 3 * 65_536];
const bytesOf: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1 };

/** Offset of each directory entry, by its tag. */
type Entries = Map<number, number>;

interface Tiff {
  view: DataView;
  little: boolean;
}

/**
 * Lists the offsets of the page directories of a TIFF in order. Thumbnails are left out. Reading stops if the chain is
 * circular, or after `most` directories.
 * @throws ExtractionProblem `file_unreadable` if there is no directory
 */
export function pagesOfTiff(bytes: Uint8Array, most: number): number[] {
  const tiff = tiffOf(bytes);
  const seen = new Set<number>();
  const pages: number[] = [];
  for (let at = firstOf(tiff); isDirectory(tiff, at) && !seen.has(at) && seen.size < most; at = nextAfter(tiff, at)) {
    seen.add(at);
    const kind = entriesOf(tiff, at).get(254);
    if (kind === undefined || ((valuesOf(tiff, kind, 1)[0] ?? 0) & 1) === 0) pages.push(at);
  }
  if (seen.size === 0) throw damaged();
  return pages;
}

/** Parses the directory at an offset. */
export function directoryAt(bytes: Uint8Array, at: number): Directory {
  const tiff = tiffOf(bytes);
  const entries = entriesOf(tiff, at);
  const many = (tag: number, most: number) => {
    const entry = entries.get(tag);
    return entry === undefined ? [] : valuesOf(tiff, entry, most);
  };
  const one = (tag: number, otherwise: number) => many(tag, 1)[0] ?? otherwise;
  const [width, height] = [one(256, 0), one(257, 0)];
  const isTiled = entries.has(322) && entries.has(324);
  const samples = one(277, 1);
  return {
    width,
    height,
    bits: one(258, 1),
    samples,
    compression: one(259, 1),
    photometric: one(262, 1),
    planar: samples > 1 ? one(284, 1) : 1,
    predictor: one(317, 1),
    fillOrder: one(266, 1),
    fax: one(292, 0),
    orientation: one(274, 1),
    little: tiff.little,
    blockWidth: Math.max(1, isTiled ? one(322, width) : width),
    blockHeight: Math.max(1, isTiled ? one(323, height) : Math.min(height, one(278, height))),
    offsets: many(isTiled ? 324 : 273, maxBlocks),
    lengths: many(isTiled ? 325 : 279, maxBlocks),
    jpegTables: Uint8Array.from(many(347, longestTables)),
    colors: greys(many(320, paletteColours)),
  };
}

const tiffOf = (bytes: Uint8Array): Tiff => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  little: bytes[0] === 0x49,
});

const firstOf = ({ view, little }: Tiff): number => (view.byteLength < 8 ? 0 : view.getUint32(4, little));

const nextAfter = ({ view, little }: Tiff, at: number): number =>
  view.getUint32(at + 2 + view.getUint16(at, little) * 12, little);

function isDirectory({ view, little }: Tiff, at: number): boolean {
  if (at === 0 || at + 2 > view.byteLength) return false;
  const count = view.getUint16(at, little);
  return count > 0 && count <= mostEntries && at + 6 + count * 12 <= view.byteLength;
}

function entriesOf({ view, little }: Tiff, at: number): Entries {
  const entries: Entries = new Map();
  for (let left = view.getUint16(at, little), entry = at + 2; left > 0; left--, entry += 12)
    entries.set(view.getUint16(entry, little), entry);
  return entries;
}

/** Reads at most `most` numbers of an entry. Numbers that do not fit into the entry are elsewhere in the file. */
function valuesOf({ view, little }: Tiff, entry: number, most: number): number[] {
  const [type, count] = [view.getUint16(entry + 2, little), view.getUint32(entry + 4, little)];
  const size = bytesOf[type];
  if (!size) return [];
  const from = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
  if (from + size * count > view.byteLength) return [];
  return Array.from({ length: Math.min(count, most) }, (_, index) => {
    const at = from + index * size;
    if (size === 1) return view.getUint8(at);
    return size === 2 ? view.getUint16(at, little) : view.getUint32(at, little);
  });
}

/** Converts a palette to grey levels. It stores all red, then all green, then all blue values, of 16 bits each. */
function greys(map: number[]): Uint8Array {
  const count = Math.floor(map.length / 3);
  return Uint8Array.from({ length: count }, (_, index) =>
    luma(map[index]! >> 8, map[count + index]! >> 8, map[2 * count + index]! >> 8),
  );
}
