import { type Raster, applyOrientation, rowsInto } from "../images/raster.ts";

/** EXIF orientations of 0 to 3 clockwise quarter turns. */
const orientations = [1, 6, 3, 8];

/** Rotates a picture by clockwise quarter turns. */
export const rotate = (raster: Raster, quarters: number): Raster =>
  applyOrientation(raster, orientations[((quarters % 4) + 4) % 4]!);

const paper = 255;

/**
 * Rotates a picture clockwise about its centre by a small angle in radians. Its size stays the same, and its corners
 * become white.
 */
export function deskew({ width, height, gray }: Raster, angle: number): Raster {
  const out = new Uint8Array(gray.length).fill(paper);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [width / 2, height / 2];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = cos * (x - middleX) + sin * (y - middleY) + middleX;
      const fromY = -sin * (x - middleX) + cos * (y - middleY) + middleY;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const at = top * width + left;
      const [across, down] = [fromX - left, fromY - top];
      const upper = gray[at]! + (gray[at + 1]! - gray[at]!) * across;
      const lower = gray[at + width]! + (gray[at + width + 1]! - gray[at + width]!) * across;
      out[y * width + x] = upper + (lower - upper) * down;
    }
  }
  return { width, height, gray: out };
}

/** Cuts out a rectangle, up to the right and bottom edges of the picture. */
export function crop({ width, height, gray }: Raster, left: number, top: number, wide: number, high: number): Raster {
  const [across, down] = [Math.min(wide, width - left), Math.min(high, height - top)];
  const out = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    const start = (top + y) * width + left;
    out.set(gray.subarray(start, start + across), y * across);
  }
  return { width: across, height: down, gray: out };
}

/** Scales a picture down to at most this number of pixels, by area averaging. */
export function fitWithin(raster: Raster, mostPixels: number): Raster {
  const { width, height, gray } = raster;
  if (width * height <= mostPixels) return raster;
  const sink = rowsInto(width, height, mostPixels);
  for (let y = 0; y < height; y++) sink.add(gray.subarray(y * width, (y + 1) * width));
  return sink.raster();
}

/** Scales a picture up by linear interpolation. */
export function enlarge({ width: from, height: rows, gray }: Raster, factor: number): Raster {
  const [width, height] = [Math.round(from * factor), Math.round(rows * factor)];
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const down = clamp((y + 0.5) / factor - 0.5, rows - 1);
    const [top, below] = [Math.floor(down), Math.min(rows - 1, Math.floor(down) + 1)];
    for (let x = 0; x < width; x++) {
      const along = clamp((x + 0.5) / factor - 0.5, from - 1);
      const [left, right] = [Math.floor(along), Math.min(from - 1, Math.floor(along) + 1)];
      const upper = mixed(gray[top * from + left]!, gray[top * from + right]!, along - left);
      const lower = mixed(gray[below * from + left]!, gray[below * from + right]!, along - left);
      out[y * width + x] = mixed(upper, lower, down - top);
    }
  }
  return { width, height, gray: out };
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
const mixed = (one: number, other: number, share: number) => one + (other - one) * share;
