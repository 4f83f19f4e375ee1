import { applyOrientation, type Raster } from "../images/raster.ts";

/** The EXIF orientation that means as many quarter turns clockwise. */
const orientations = [1, 6, 3, 8];

/** Turned clockwise by quarters. */
export const rotate = (raster: Raster, quarters: number): Raster =>
  applyOrientation(raster, orientations[((quarters % 4) + 4) % 4]!);

const paper = 255;

/** Turned about its middle by a small angle, in radians and clockwise, on a page of the same size; corners are white. */
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

/** The part of it from a column and row on, as far as it goes. */
export function crop({ width, height, gray }: Raster, left: number, top: number, wide: number, high: number): Raster {
  const [across, down] = [Math.min(wide, width - left), Math.min(high, height - top)];
  const out = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    const start = (top + y) * width + left;
    out.set(gray.subarray(start, start + across), y * across);
  }
  return { width: across, height: down, gray: out };
}
