import { deflateSync } from "node:zlib";
import type { Drawing } from "./draw.ts";

type Packing = "none" | "packBits" | "deflate" | "lzw" | "fax4";
const compressions: Record<Packing, number> = { none: 1, lzw: 5, deflate: 8, packBits: 32773, fax4: 4 };

/**
 * Makes a TIFF of several pages, each with its own compression. A page with fax compression must be blank, because only
 * white lines can be encoded here.
 */
export function tiff(pages: { drawing: Drawing; packing?: Packing }[], extra: Record<number, number> = {}): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])];
  let at = 8;
  for (const [index, { drawing, packing = "none" }] of pages.entries()) {
    const { width, height } = drawing;
    const strip = packed(drawing, packing);
    const isFax = packing === "fax4";
    const entries: [number, number][] = Object.entries({
      256: width,
      257: height,
      258: isFax ? 1 : 8,
      259: compressions[packing],
      262: isFax ? 0 : 1,
      273: 0,
      277: 1,
      278: height,
      279: strip.length,
      ...extra,
    }).map(([tag, value]) => [Number(tag), value]);
    const length = 2 + entries.length * 12 + 4;
    const directory = Buffer.alloc(length);
    directory.writeUInt16LE(entries.length, 0);
    for (const [place, [tag, value]] of entries.toSorted(([a], [b]) => a - b).entries()) {
      directory.writeUInt16LE(tag, 2 + place * 12);
      directory.writeUInt16LE(4, 4 + place * 12);
      directory.writeUInt32LE(1, 6 + place * 12);
      directory.writeUInt32LE(tag === 273 ? at + length : value, 10 + place * 12);
    }
    at += length + strip.length;
    directory.writeUInt32LE(index === pages.length - 1 ? 0 : at, length - 4);
    parts.push(directory, strip);
  }
  return Buffer.concat(parts);
}

function packed({ width, height, gray }: Drawing, packing: Packing): Buffer {
  switch (packing) {
    case "deflate":
      return deflateSync(gray);
    case "packBits":
      return Buffer.from(runs(gray));
    case "lzw":
      return lzw(gray);
    case "fax4":
      return whiteFax(height);
    case "none":
      return Buffer.from(gray.subarray(0, width * height));
  }
}

function runs(bytes: Uint8Array): number[] {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let count = 1;
    while (count < 128 && bytes[at + count] === bytes[at]) count++;
    out.push(count === 1 ? 0 : 257 - count, bytes[at]!);
    at += count;
  }
  return out;
}

function lzw(bytes: Uint8Array): Buffer {
  const bits: number[] = [];
  let codes = new Map<string, number>();
  let [next, width] = [258, 9];
  const put = (code: number) => {
    for (let bit = width - 1; bit >= 0; bit--) bits.push((code >> bit) & 1);
  };
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : codes.get(text));
  put(256);
  let before = "";
  for (const byte of bytes) {
    const longer = before + String.fromCharCode(byte);
    if (codeOf(longer) !== undefined) {
      before = longer;
      continue;
    }
    put(codeOf(before)!);
    codes.set(longer, next++);
    if (next > (1 << width) - 1) width++;
    if (next === 4094) {
      put(256);
      [codes, next, width] = [new Map(), 258, 9];
    }
    before = String.fromCharCode(byte);
  }
  put(codeOf(before)!);
  put(257);
  const out = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) if (bit) out[at >> 3]! |= 128 >> (at & 7);
  return out;
}

/**
 * Encodes white lines for fax: one bit for each line, because it equals the line above, and then the end of the block.
 */
function whiteFax(height: number): Buffer {
  const bits = "1".repeat(height) + "000000000001".repeat(2);
  return Buffer.from(
    bits
      .padEnd(Math.ceil(bits.length / 8) * 8, "0")
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}
