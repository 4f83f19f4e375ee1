import { luma } from "./jpeg.ts";
import { damaged } from "./limits.ts";

/** What a TIFF says of one of its pages. */
export interface Directory {
  width: number;
  height: number;
  /** Of one sample. */
  bits: number;
  samples: number;
  compression: number;
  photometric: number;
  planar: number;
  predictor: number;
  fillOrder: number;
  /** Options of the two fax codings. */
  fax: number;
  orientation: number;
  little: boolean;
  isThumbnail: boolean;
  /** A strip is a block as wide as the page. */
  blockWidth: number;
  blockHeight: number;
  offsets: number[];
  lengths: number[];
  jpegTables: Uint8Array;
  /** Grey of each colour of the palette. */
  colors: Uint8Array;
}

/** More blocks a page does not have, and more entries no directory. */
const [mostValues, mostEntries] = [200_000, 1000];
const bytesOf: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1 };

/** The directories of a TIFF in their order. A chain that comes back to where it was ends there. */
export function directoriesOf(bytes: Uint8Array, most: number): Directory[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const found: Directory[] = [];
  const seen = new Set<number>();
  for (let at = view.getUint32(4, little); at > 0 && !seen.has(at) && found.length < most;) {
    seen.add(at);
    if (at + 2 > bytes.length) break;
    const count = view.getUint16(at, little);
    if (count === 0 || count > mostEntries || at + 6 + count * 12 > bytes.length) break;
    found.push(directoryAt(view, at, count, little));
    at = view.getUint32(at + 2 + count * 12, little);
  }
  if (found.length === 0) throw damaged();
  return found;
}

function directoryAt(view: DataView, at: number, count: number, little: boolean): Directory {
  const tags = new Map<number, number[]>();
  for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12)
    tags.set(view.getUint16(entry, little), valuesAt(view, entry, little));
  const one = (tag: number, otherwise: number) => tags.get(tag)?.[0] ?? otherwise;
  const [width, height] = [one(256, 0), one(257, 0)];
  const isTiled = tags.has(322) && tags.has(324);
  const samples = one(277, 1);
  const bits = one(258, 1);
  return {
    width,
    height,
    bits,
    samples,
    compression: one(259, 1),
    photometric: one(262, 1),
    planar: samples > 1 ? one(284, 1) : 1,
    predictor: one(317, 1),
    fillOrder: one(266, 1),
    fax: one(292, 0),
    orientation: one(274, 1),
    little,
    isThumbnail: (one(254, 0) & 1) === 1,
    blockWidth: Math.max(1, isTiled ? one(322, width) : width),
    blockHeight: Math.max(1, isTiled ? one(323, height) : Math.min(height, one(278, height))),
    offsets: tags.get(isTiled ? 324 : 273) ?? [],
    lengths: tags.get(isTiled ? 325 : 279) ?? [],
    jpegTables: Uint8Array.from(tags.get(347) ?? []),
    colors: greys(tags.get(320) ?? []),
  };
}

/** The numbers of an entry; those too many for it lie elsewhere in the file. */
function valuesAt(view: DataView, entry: number, little: boolean): number[] {
  const [type, count] = [view.getUint16(entry + 2, little), view.getUint32(entry + 4, little)];
  const size = bytesOf[type];
  if (!size || count > mostValues) return [];
  const from = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
  if (from + size * count > view.byteLength) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * size;
    if (size === 1) return view.getUint8(at);
    return size === 2 ? view.getUint16(at, little) : view.getUint32(at, little);
  });
}

/** A palette keeps all reds, then all greens, then all blues, of 16 bits each. */
function greys(map: number[]): Uint8Array {
  const count = Math.floor(map.length / 3);
  return Uint8Array.from({ length: count }, (_, index) =>
    luma(map[index]! >> 8, map[count + index]! >> 8, map[2 * count + index]! >> 8),
  );
}
