import type { Box } from "../../src/extraction/document/document.ts";
import type { Raster } from "../../src/extraction/images/raster.ts";

/** Minimum difference in brightness (0 to 255) between ink and the surrounding paper. */
const contrast = 40;
/**
 * Side of a tile in pixels. The brightness of the paper is determined for each tile, because photographs are unevenly
 * lit.
 */
const side = 32;

/** The brightness of the paper: the lightest pixel of each tile of a page. */
export class PaperTiles {
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

/** Returns 1 for each pixel that is clearly darker than the surrounding paper, and 0 for all others. */
export function inkOf({ width, height, gray }: Raster, paper: PaperTiles): Uint8Array {
  const ink = new Uint8Array(gray.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (gray[y * width + x]! + contrast < paper.at(x, y)) ink[y * width + x] = 1;
  return ink;
}

/** Returns the ink outside the boxes. */
export function removeBoxes(ink: Uint8Array, { width, height }: Raster, boxes: readonly Box[]): Uint8Array {
  const rest = Uint8Array.from(ink);
  for (const { x0, y0, x1, y1 } of boxes) {
    const [left, right] = [Math.max(0, Math.floor(x0)), Math.min(width, Math.ceil(x1))];
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, Math.ceil(y1)); y++)
      rest.fill(0, y * width + left, Math.max(y * width + left, y * width + right));
  }
  return rest;
}
