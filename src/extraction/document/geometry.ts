import type { Box } from "./document.ts";

/** Returns the smallest box that contains all boxes. */
export function boundingBox(boxes: readonly Box[]): Box {
  return {
    x0: Math.min(...boxes.map((box) => box.x0)),
    y0: Math.min(...boxes.map((box) => box.y0)),
    x1: Math.max(...boxes.map((box) => box.x1)),
    y1: Math.max(...boxes.map((box) => box.y1)),
  };
}

/** The horizontal overlap of two boxes, as a share of the smaller width (0..1). */
export function horizontalOverlap(a: Box, b: Box): number {
  const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return Math.max(0, shared) / Math.max(1, Math.min(a.x1 - a.x0, b.x1 - b.x0));
}

/** The vertical overlap of two boxes, as a share of the smaller height (0..1). */
export function verticalOverlap(a: Box, b: Box): number {
  const shared = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return Math.max(0, shared) / Math.max(1, Math.min(a.y1 - a.y0, b.y1 - b.y0));
}

/** Returns the median: for an even number of values, the larger of the two in the middle; for an empty list, 0. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
