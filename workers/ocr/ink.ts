import type { Box } from "../../src/reading/document.ts";
import type { Raster } from "../../src/reading/pixels/raster.ts";

/** How much darker than the paper around it ink is. */
const contrast = 40;
/** Paper is told by tiles of this many pixels, for a photograph is not equally light. */
const side = 32;

/** The lightest pixel of every tile of a page. */
export class Paper {
  private readonly across: number;
  private readonly light: Uint8Array;

  constructor({ width, height, gray }: Raster) {
    this.across = Math.ceil(width / side);
    this.light = new Uint8Array(this.across * Math.ceil(height / side));
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / side) * this.across;
      for (let x = 0; x < width; x++) {
        const tile = row + Math.floor(x / side);
        const value = gray[y * width + x]!;
        if (value > this.light[tile]!) this.light[tile] = value;
      }
    }
  }

  at(x: number, y: number): number {
    return this.light[Math.floor(y / side) * this.across + Math.floor(x / side)]!;
  }
}

/** 1 where a pixel is darker than the paper about it. */
export function inkOf({ width, height, gray }: Raster, paper: Paper): Uint8Array {
  const ink = new Uint8Array(gray.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (gray[y * width + x]! + contrast < paper.at(x, y)) ink[y * width + x] = 1;
  return ink;
}

/** The page with some parts of it made as light as its paper. */
export function wiped({ width, height, gray }: Raster, boxes: readonly Box[], paper: Paper): Raster {
  const out = Uint8Array.from(gray);
  each(boxes, width, height, (at, x, y) => (out[at] = paper.at(x, y)));
  return { width, height, gray: out };
}

/** How much of a page's ink stands outside of these boxes, 0..1. */
export function inkOutside(ink: Uint8Array, { width, height }: Raster, boxes: readonly Box[]): number {
  const rest = Uint8Array.from(ink);
  each(boxes, width, height, (at) => (rest[at] = 0));
  const count = (pixels: Uint8Array) => pixels.reduce((sum, pixel) => sum + pixel, 0);
  return count(rest) / Math.max(1, count(ink));
}

function each(
  boxes: readonly Box[],
  width: number,
  height: number,
  act: (at: number, x: number, y: number) => void,
): void {
  for (const { x0, y0, x1, y1 } of boxes) {
    const [left, top] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))];
    for (let y = top; y < Math.min(height, Math.ceil(y1)); y++)
      for (let x = left; x < Math.min(width, Math.ceil(x1)); x++) act(y * width + x, x, y);
  }
}
