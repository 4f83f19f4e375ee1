import { crc32, deflateSync } from "node:zlib";
import type { Drawing } from "./draw.ts";

interface Kind {
  bits?: 1 | 8 | 16;
  color?: 0 | 2 | 3 | 6;
  interlaced?: boolean;
}

/** Encodes a drawing as a PNG. In a colour PNG, all channels have the grey value. */
export function png(
  { width, height, gray }: Drawing,
  { bits = 8, color = 0, interlaced = false }: Kind = {},
): Uint8Array {
  const passes = interlaced ? weaving : [[0, 0, 1, 1] as const];
  const raw = passes.flatMap(([left, top, right, down]) => {
    const rows: Buffer[] = [];
    for (let y = top; y < height; y += down) {
      const line = [];
      for (let x = left; x < width; x += right) line.push(gray[y * width + x]!);
      if (line.length > 0) rows.push(Buffer.concat([Buffer.from([0]), rowOf(line, bits, color)]));
    }
    return rows;
  });
  return packedPng({ width, height }, { bits, color, interlaced }, deflateSync(Buffer.concat(raw)));
}

/** Makes a PNG from rows that are already compressed. */
export function packedPng(
  { width, height }: Omit<Drawing, "gray">,
  { bits = 8, color = 0, interlaced = false }: Kind,
  packed: Buffer,
): Uint8Array {
  const palette = Buffer.from(Array.from({ length: 256 }, (_, index) => [index, index, index]).flat());
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, color, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...(color === 3 ? [chunk("PLTE", palette)] : []),
    chunk("IDAT", packed),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const weaving = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function rowOf(line: number[], bits: number, color: number): Buffer {
  if (bits === 1) {
    const row = Buffer.alloc(Math.ceil(line.length / 8));
    for (const [x, value] of line.entries()) if (value > 127) row[x >> 3]! |= 128 >> (x & 7);
    return row;
  }
  const samples = line.flatMap((value) =>
    color === 2 ? [value, value, value] : color === 6 ? [value, value, value, 255] : [value],
  );
  return Buffer.from(bits === 16 ? samples.flatMap((value) => [value, value]) : samples);
}

/** Makes a PNG that declares this size but contains no pixels. */
export function emptyPng(width: number, height: number): Uint8Array {
  const whole = Buffer.from(png({ width: 1, height: 1, gray: new Uint8Array(1) }));
  const head = Buffer.from(whole.subarray(16, 29));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([whole.subarray(0, 8), chunk("IHDR", head), whole.subarray(33)]);
}

function chunk(name: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(name, 4, "latin1");
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}
