import type { Binarized } from "./ink.ts";

/** How the paper is lit, all parts of 1. */
export interface Lighting {
  /** 0 is white paper, 1 is black. */
  darkness: number;
  /** How much of the page is washed out though the rest is not. */
  glare: number;
}

const tiles = 24;
/** Paper is at least as light as this; of photographs it is darker than the white of a scan. */
const [white, washedOut] = [240, 252];

/** Paper is the lightest part of each tile; what lies around the page is darker than most of it. */
export function measureLighting({ width, height, gray }: Binarized): Lighting {
  const [across, down] = [Math.max(1, Math.floor(width / tiles)), Math.max(1, Math.floor(height / tiles))];
  const papers: number[] = [];
  const washed: number[] = [];
  for (let top = 0; top + down <= height; top += down)
    for (let left = 0; left + across <= width; left += across) {
      const counts = new Uint32Array(256);
      for (let y = top; y < top + down; y++) for (let x = left; x < left + across; x++) counts[gray[y * width + x]!]!++;
      const area = across * down;
      papers.push(levelAt(counts, area * 0.8));
      washed.push(countFrom(counts, washedOut) / area);
    }
  const paper = papers.toSorted((a, b) => a - b)[Math.floor(papers.length * 0.6)] ?? 255;
  const isScan = paper >= white;
  const glare = isScan ? 0 : washed.filter((share) => share > 0.5).length / Math.max(1, washed.length);
  return { darkness: roundToThousandth(1 - paper / 255), glare: roundToThousandth(glare) };
}

/** The grey that this many pixels are not lighter than. */
function levelAt(counts: Uint32Array, pixels: number): number {
  let sum = 0;
  for (let level = 0; level < 256; level++) if ((sum += counts[level]!) >= pixels) return level;
  return 255;
}

function countFrom(counts: Uint32Array, level: number): number {
  let sum = 0;
  for (let at = level; at < 256; at++) sum += counts[at]!;
  return sum;
}

export const roundToThousandth = (value: number): number => Math.round(value * 1000) / 1000;
