import type { Box } from "./document.ts";

/** The smallest box that contains all boxes. */
export function boundingBox(boxes: readonly Box[]): Box {
  return {
    x0: Math.min(...boxes.map((box) => box.x0)),
    y0: Math.min(...boxes.map((box) => box.y0)),
    x1: Math.max(...boxes.map((box) => box.x1)),
    y1: Math.max(...boxes.map((box) => box.y1)),
  };
}

/** Horizontal overlap as a share of the smaller width, 0..1. */
export function horizontalOverlap(a: Box, b: Box): number {
  const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return Math.max(0, shared) / Math.max(1, Math.min(a.x1 - a.x0, b.x1 - b.x0));
}

/** Vertical overlap as a share of the smaller height, 0..1. */
export function verticalOverlap(a: Box, b: Box): number {
  const shared = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return Math.max(0, shared) / Math.max(1, Math.min(a.y1 - a.y0, b.y1 - b.y0));
}

/** The upper median; 0 for an empty list. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
