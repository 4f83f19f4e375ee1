import { deflateSync } from "node:zlib";
import { packedPng } from "../pictures/png.ts";

/** One entry of a TIFF directory. `type` 1 is bytes, 3 is shorts, 4 is longs. */
type Entry = [tag: number, type: number, count: number, value: number];

/** Offset at which the content of a `rawTiff` begins. */
export const contentStart = 8;

/** Makes a TIFF with its content first, followed by a chain of these directories. */
export function rawTiff(directories: readonly Entry[][], content: Buffer): Buffer {
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  let at = contentStart + content.length;
  head.writeUInt32LE(at, 4);
  const written = directories.map((entries, index) => {
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [place, [tag, type, count, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + place * 12);
      directory.writeUInt16LE(type, 4 + place * 12);
      directory.writeUInt32LE(count, 6 + place * 12);
      directory.writeUInt32LE(value, 10 + place * 12);
    }
    at += directory.length;
    directory.writeUInt32LE(index === directories.length - 1 ? 0 : at, directory.length - 4);
    return directory;
  });
  return Buffer.concat([head, content, ...written]);
}

const blackAndWhite = (width: number, height: number, rows: number): Entry[] => [
  [256, 4, 1, width],
  [257, 4, 1, height],
  [258, 3, 1, 1],
  [259, 3, 1, 8],
  [262, 3, 1, 0],
  [278, 4, 1, rows],
];

/** Makes a TIFF whose black-and-white pages all refer to the same strip of a few bytes. */
export function pagesOfOneStrip(pages: number, width: number, height: number): Buffer {
  const strip = deflateSync(Buffer.alloc(Math.ceil(width / 8) * height));
  const directory: Entry[] = [
    ...blackAndWhite(width, height, height),
    [273, 4, 1, contentStart],
    [279, 4, 1, strip.length],
  ];
  return rawTiff(
    Array.from({ length: pages }, () => directory),
    strip,
  );
}

/** Makes a TIFF of one page whose rows all refer to the same four megabytes, which decompress to nothing. */
export function rowsOfOneStrip(): Buffer {
  const rows = 60_000;
  const nothing = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    Buffer.alloc(4_000_000, Buffer.from([0, 0, 0, 0xff, 0xff])),
  ]);
  const [offsets, lengths] = [Buffer.alloc(rows * 4), Buffer.alloc(rows * 4)];
  for (let row = 0; row < rows; row++) {
    offsets.writeUInt32LE(contentStart, row * 4);
    lengths.writeUInt32LE(nothing.length, row * 4);
  }
  const directory: Entry[] = [
    ...blackAndWhite(100, rows, 1),
    [273, 4, rows, contentStart + nothing.length],
    [279, 4, rows, contentStart + nothing.length + offsets.length],
  ];
  return rawTiff([directory], Buffer.concat([nothing, offsets, lengths]));
}

/** Makes a TIFF of one page with about a thousand tags, each of which has two hundred thousand numbers. */
export function endlessTags(): Buffer {
  const numbers = Buffer.alloc(200_000, 1);
  const others = Array.from({ length: 900 }, (_, index): Entry => [1000 + index, 1, numbers.length, contentStart]);
  const directory: Entry[] = [...blackAndWhite(80, 100, 100), [273, 4, 1, contentStart], [279, 4, 1, 1000], ...others];
  return rawTiff([directory], numbers);
}

/** Makes a white PNG with one bit per pixel. */
export function whitePng(width: number, height: number): Uint8Array {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  return packedPng({ width, height }, { bits: 1 }, deflateSync(Buffer.alloc(row.length * height, row)));
}

/** Inserts this many scan headers before the first one of a JPEG. */
export function withScans(jpeg: Uint8Array, scans: number): Buffer {
  const whole = Buffer.from(jpeg);
  const first = whole.indexOf(Buffer.from([0xff, 0xda]));
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
  return Buffer.concat([whole.subarray(0, first), Buffer.alloc(scan.length * scans, scan), whole.subarray(first)]);
}

/** Makes the header of an animated WebP. */
export function animatedWebp(): Buffer {
  const whole = Buffer.alloc(64);
  whole.write("RIFF\x38\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x09\0\0\x09\0\0", "latin1");
  return whole;
}

/** Changes a grey JPEG so that it declares four colour components. */
export function inFourColours(jpeg: Uint8Array): Buffer {
  const whole = Buffer.from(jpeg);
  whole[frameOf(whole) + 9] = 4;
  return whole;
}

/** Changes a JPEG so that it declares a size of one pixel. */
export function onePixelOf(jpeg: Uint8Array): Buffer {
  const whole = Buffer.from(jpeg);
  whole.set([0, 1, 0, 1], frameOf(whole) + 5);
  return whole;
}

/** Finds the offset of the frame header of a JPEG. */
export const frameOf = (jpeg: Buffer): number =>
  Math.max(jpeg.indexOf(Buffer.from([0xff, 0xc0])), jpeg.indexOf(Buffer.from([0xff, 0xc2])));
