import type { Component } from "./blots.ts";
import type { Binarized } from "./ink.ts";
import type { Raster } from "./raster.ts";

/** From one pixel to the next but one: no edge is narrower. */
const sharpest = 2;
/** How many letters are looked at. */
const looked = 400;

/**
 * How wide the edge of a letter is, as a part of its height: from paper to ink in how many pixels, in the middle of what
 * many letters show. 0 is sharp, 0.4 can hardly be read. Undefined where there are no letters.
 */
export function edgeWidth(raster: Raster, { width }: Binarized, letters: readonly Component[]): number | undefined {
  const scale = raster.width / width;
  const every = Math.max(1, Math.floor(letters.length / looked));
  const edges: number[] = [];
  for (let index = 0; index < letters.length; index += every) {
    const { x0, y0, x1, y1 } = letters[index]!;
    const edge = edgeIn(raster, { x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale });
    if (edge !== undefined) edges.push(edge);
  }
  return edges.toSorted((a, b) => a - b)[Math.floor(edges.length / 2)];
}

/** Contrast over steepest step, each taken in its rows, as a part of the height of the letter. */
function edgeIn({ width, height, gray }: Raster, box: Omit<Component, "area">): number | undefined {
  const [left, right] = [Math.max(1, Math.floor(box.x0) - 2), Math.min(width - 2, Math.ceil(box.x1) + 2)];
  const [top, bottom] = [Math.max(0, Math.floor(box.y0)), Math.min(height, Math.ceil(box.y1))];
  let [dark, light, steepest] = [255, 0, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = y * width + x;
      const value = gray[at]!;
      if (value < dark) dark = value;
      if (value > light) light = value;
      const step = Math.abs(gray[at + 1]! - gray[at - 1]!) / 2;
      if (step > steepest) steepest = step;
    }
  const contrast = light - dark;
  return contrast < 25 || steepest === 0
    ? undefined
    : Math.max(0, contrast / steepest - sharpest) / Math.max(1, bottom - top);
}
