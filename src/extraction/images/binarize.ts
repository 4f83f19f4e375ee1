import { type Raster, rowsInto } from "./raster.ts";

/** A downscaled picture and its ink. Ink is all pixels that are darker than the paper around them. */
export interface Binarized {
  width: number;
  height: number;
  gray: Uint8Array;
  /** 1 for ink, 0 for paper. */
  ink: Uint8Array;
  /** Scale factor, along one side, from this picture to the stored picture. */
  scale: number;
}

/** Long side of the analysed picture in pixels. The letters of a page are about ten pixels high at this size. */
const longSide = 1600;
/**
 * `neighbourhood`: the brightness of the paper is the mean within this distance (a fraction of the long side).
 * `darker`: a pixel is ink if it is darker than this fraction of the paper's brightness.
 */
const [neighbourhood, darker] = [1 / 40, 0.82];

export function binarize(raster: Raster): Binarized {
  const small = downscale(raster, longSide);
  const stored = raster.stored ?? raster;
  return { ...small, ink: inkOf(small), scale: stored.width / small.width };
}

function downscale(raster: Raster, side: number): Raster {
  const { width, height, gray } = raster;
  const most = Math.max(width, height);
  if (most <= side) return raster;
  const sink = rowsInto(width, height, Math.max(1, Math.floor(width * height * (side / most) ** 2)));
  for (let y = 0; y < height; y++) sink.add(gray.subarray(y * width, (y + 1) * width));
  return sink.raster();
}

function inkOf({ width, height, gray }: Raster): Uint8Array {
  const reach = Math.max(4, Math.round(Math.max(width, height) * neighbourhood));
  const sums = summed(gray, width, height);
  const ink = new Uint8Array(gray.length);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
      const around = sumIn(sums, width, left, top, right, bottom) / ((right - left) * (bottom - top));
      const at = y * width + x;
      if (gray[at]! < around * darker) ink[at] = 1;
    }
  }
  return ink;
}

/** Creates a summed-area table: for each corner of a pixel, the sum of all pixels above it and to its left. */
function summed(values: Uint8Array, width: number, height: number): Uint32Array {
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += values[y * width + x]!;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  return sums;
}

const sumIn = (sums: Uint32Array, width: number, left: number, top: number, right: number, bottom: number): number =>
  sums[bottom * (width + 1) + right]! -
  sums[top * (width + 1) + right]! -
  sums[bottom * (width + 1) + left]! +
  sums[top * (width + 1) + left]!;
