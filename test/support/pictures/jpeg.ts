import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Drawing } from "./draw.ts";

interface Encoder {
  getDecodedBuffer: (frame: object) => Uint8Array;
  setQuality: (quality: number) => void;
  setProgressive: (on: boolean) => void;
  encode: () => void;
  getEncodedBuffer: () => Uint8Array;
  delete: () => void;
}

/** Encodes a drawing as a JPEG. `orientation` is its EXIF orientation. */
export async function jpeg({ width, height, gray }: Drawing, orientation?: number): Promise<Uint8Array> {
  const { JPEGEncoder } = await codec();
  const encoder = new JPEGEncoder();
  encoder.getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount: 1, isSigned: false }).set(gray);
  encoder.setQuality(85);
  encoder.encode();
  const bytes = Uint8Array.from(encoder.getEncodedBuffer());
  encoder.delete();
  return orientation ? Buffer.concat([bytes.subarray(0, 2), exif(orientation), bytes.subarray(2)]) : bytes;
}

/** Encodes a drawing as a CMYK JPEG that uses only black. In a negative, each ink is stored inverted. */
export async function cmykJpeg({ width, height, gray }: Drawing, isNegative = false): Promise<Buffer> {
  const unused = Buffer.alloc(gray.length, isNegative ? 255 : 0);
  const black = isNegative ? gray : gray.map((light) => 255 - light);
  const inks = await Promise.all(
    [unused, unused, unused, black].map(async (ink) => Buffer.from(await jpeg({ width, height, gray: ink }))),
  );
  const [first] = inks;
  const frame = Math.max(first!.indexOf(Buffer.from([0xff, 0xc0])), first!.indexOf(Buffer.from([0xff, 0xc2])));
  const four = Buffer.from([...first!.subarray(frame, frame + 9), 4, ...inks.flatMap((_, ink) => [ink + 1, 0x11, 0])]);
  four.writeUInt16BE(four.length - 2, 2);
  const scans = inks.map((ink, at) => ofInk(ink.subarray(frame + 13, -2), at + 1));
  return Buffer.concat([first!.subarray(0, frame), four, ...scans, Buffer.from([0xff, 0xd9])]);
}

/** Changes the component number of JPEG scans. */
function ofInk(scans: Buffer, ink: number): Buffer {
  const begins = Buffer.from([0xff, 0xda, 0, 8, 1]);
  for (let at = scans.indexOf(begins); at >= 0; at = scans.indexOf(begins, at + 1)) scans[at + begins.length] = ink;
  return scans;
}

let made: Promise<{ JPEGEncoder: new () => Encoder }> | undefined;

function codec(): Promise<{ JPEGEncoder: new () => Encoder }> {
  return (made ??= (async () => {
    const name = "@cornerstonejs/codec-libjpeg-turbo-8bit";
    const { default: factory } = await import(`${name}/wasmjs`);
    return factory({ wasmBinary: await readFile(fileURLToPath(import.meta.resolve(`${name}/wasm`))) });
  })());
}

function exif(orientation: number): Buffer {
  const block = Buffer.from("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0", "latin1");
  block.writeUInt16LE(orientation, 6 + 18);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(block.length + 2, 2);
  return Buffer.concat([head, block]);
}
