import type { Binarized } from "./binarize.ts";

/** A connected area of ink, with its bounding box; `x1` and `y1` are exclusive. */
export interface Component {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Number of ink pixels. */
  area: number;
}

/** A picture with more components contains only noise. */
const maxComponents = 200_000;

/** Finds the connected areas of ink in a picture. Returns none if there are too many. */
export function connectedComponents({ width, height, ink }: Binarized): Component[] {
  const blots: Component[] = [];
  const joinedTo: number[] = [];
  let above: Run[] = [];
  for (let y = 0; y < height; y++) {
    const row = runsIn(ink, y * width, width);
    let from = 0;
    for (const run of row) {
      while (from < above.length && above[from]!.x1 < run.x0) from++;
      for (let at = from; at < above.length && above[at]!.x0 <= run.x1; at++)
        run.blot =
          run.blot < 0 ? rootOf(joinedTo, above[at]!.blot) : joined(joinedTo, blots, run.blot, above[at]!.blot);
      if (run.blot < 0) {
        if (blots.length >= maxComponents) return [];
        run.blot = blots.push({ x0: run.x0, y0: y, x1: run.x1, y1: y + 1, area: 0 }) - 1;
        joinedTo.push(run.blot);
      }
      const blot = blots[run.blot]!;
      blot.x0 = Math.min(blot.x0, run.x0);
      blot.x1 = Math.max(blot.x1, run.x1);
      blot.y1 = y + 1;
      blot.area += run.x1 - run.x0;
    }
    above = row;
  }
  return blots.filter((_, index) => joinedTo[index] === index);
}

interface Run {
  x0: number;
  x1: number;
  blot: number;
}

function runsIn(ink: Uint8Array, start: number, width: number): Run[] {
  const runs: Run[] = [];
  for (let x = 0; x < width; x++) {
    if (ink[start + x] === 0) continue;
    const x0 = x;
    while (x < width && ink[start + x] === 1) x++;
    runs.push({ x0, x1: x, blot: -1 });
  }
  return runs;
}

function rootOf(joinedTo: number[], blot: number): number {
  let root = blot;
  while (joinedTo[root] !== root) root = joinedTo[root]!;
  joinedTo[blot] = root;
  return root;
}

function joined(joinedTo: number[], blots: Component[], one: number, other: number): number {
  const [a, b] = [rootOf(joinedTo, one), rootOf(joinedTo, other)];
  if (a === b) return a;
  const [into, gone] = [blots[a]!, blots[b]!];
  into.x0 = Math.min(into.x0, gone.x0);
  into.x1 = Math.max(into.x1, gone.x1);
  into.y0 = Math.min(into.y0, gone.y0);
  into.y1 = Math.max(into.y1, gone.y1);
  into.area += gone.area;
  joinedTo[b] = a;
  return a;
}

/**
 * Limits for letters: height and width in pixels, ratio of width to height, share of ink in the box, and height
 * relative to the median height.
 */
const letter = { height: { least: 4, most: 80 }, width: 2, ratio: 4, ink: 0.12, ofUsual: { least: 0.5, most: 2.2 } };

/**
 * Finds the components that have about the usual height of letters. `height` is the median height in pixels, or 0 if
 * there are too few letters.
 */
export function glyphsAmong(blots: readonly Component[]): { letters: Component[]; height: number } {
  const likely = blots.filter(({ x0, y0, x1, y1, area }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    return (
      height >= letter.height.least &&
      height <= letter.height.most &&
      width >= letter.width &&
      width <= height * letter.ratio &&
      area >= width * height * letter.ink
    );
  });
  const heights = likely.map(({ y0, y1 }) => y1 - y0).toSorted((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)] ?? 0;
  const { least, most } = letter.ofUsual;
  const letters = likely.filter(({ y0, y1 }) => y1 - y0 >= height * least && y1 - y0 <= height * most);
  return { letters, height: letters.length < minGlyphs ? 0 : height };
}

/** Minimum number of letters of a page with text. */
const minGlyphs = 12;
