import { Buffer } from "node:buffer";
import type { Raster } from "../../../src/extraction/images/raster.ts";
import codes from "./fax-codes.json" with { type: "json" };

/** Encodes a picture with fax compression Group 4 (ITU-T T.6). */
export function faxOf({ width, height, gray }: Raster): Uint8Array {
  const bits = new Bits();
  let before = Array<number>(width).fill(0);
  for (let y = 0; y < height; y++) {
    const line = Array.from(gray.subarray(y * width, (y + 1) * width), (value) => (value < 128 ? 1 : 0));
    writeLine(line, before, bits);
    before = line;
  }
  bits.write("000000000001000000000001");
  return bits.bytes();
}

const upright = ["0000010", "000010", "010", "1", "011", "000011", "0000011"];

function writeLine(line: number[], before: number[], bits: Bits): void {
  const width = line.length;
  let [at, colour] = [-1, 0];
  while (at < width) {
    const from = Math.max(at, 0);
    const end = at < 0 && line[0] === 1 ? 0 : changed(line, from, colour);
    const [above, past] = changesAbove(before, at, colour);
    if (past < end) {
      bits.write("0001");
      at = past;
      continue;
    }
    if (Math.abs(end - above) <= 3) {
      bits.write(upright[end - above + 3]!);
      at = end;
      colour = 1 - colour;
      continue;
    }
    const next = changed(line, end, 1 - colour);
    bits.write("001");
    run(end - from, colour, bits);
    run(next - end, 1 - colour, bits);
    at = next;
  }
}

/** Finds the position at which a run of one colour in a line ends. */
function changed(line: number[], from: number, colour: number): number {
  let at = from;
  while (at < line.length && line[at] === colour) at++;
  return at;
}

/**
 * Finds, in the line above, the position of the next change to the other colour and the position of the following
 * change.
 */
function changesAbove(before: number[], at: number, colour: number): [number, number] {
  let above = at + 1;
  while (above < before.length && !(before[above] !== colour && (before[above - 1] ?? 0) === colour)) above++;
  return [above, changed(before, above, 1 - colour)];
}

function run(length: number, colour: number, bits: Bits): void {
  const table = colour === 0 ? codes.white : codes.black;
  let left = length;
  for (; left >= 64; left -= Math.min(table.long.length, left >> 6) * 64)
    bits.write(table.long[Math.min(table.long.length, left >> 6) - 1]!);
  bits.write(table.short[left]!);
}

class Bits {
  private readonly parts: string[] = [];

  write(code: string): void {
    this.parts.push(code);
  }

  bytes(): Uint8Array {
    const all = this.parts.join("");
    return Uint8Array.from({ length: Math.ceil(all.length / 8) }, (_, at) =>
      Number.parseInt(all.slice(at * 8, at * 8 + 8).padEnd(8, "0"), 2),
    );
  }
}

/** Encodes a picture as a JBIG2 page, as embedded in a PDF: a page segment and a region in MMR coding. */
export function jbig2Of(page: Raster): Uint8Array {
  const { width, height } = page;
  const lines = faxOf(page);
  const size = Buffer.alloc(19);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const region = Buffer.alloc(18);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  region[17] = 1;
  return Buffer.concat([segment(0, 48, size), segment(1, 38, Buffer.concat([region, lines]))]);
}

function segment(number: number, type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(11);
  head.writeUInt32BE(number, 0);
  head[4] = type;
  head[6] = 1;
  head.writeUInt32BE(content.length, 7);
  return Buffer.concat([head, content]);
}
