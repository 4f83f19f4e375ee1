import type { Raster } from "./raster.ts";

/** Writes pixels as a PGM file, which every reader of pictures takes. */
export function toGraymap({ width, height, gray }: Raster): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const out = new Uint8Array(head.length + gray.length);
  out.set(head);
  out.set(gray, head.length);
  return out;
}

/** Pixels of a PGM file as {@link toGraymap} writes it; undefined for anything else. */
export function fromGraymap(bytes: Uint8Array): Raster | undefined {
  const head = /^P5\n(\d{1,5}) (\d{1,5})\n255\n/.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 32)));
  if (!head) return undefined;
  const [width, height] = [Number(head[1]), Number(head[2])];
  const gray = bytes.subarray(head[0].length, head[0].length + width * height);
  return gray.length === width * height && gray.length > 0 ? { width, height, gray } : undefined;
}
