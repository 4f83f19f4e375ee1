import { median } from "../document/geometry.ts";
import type { Component } from "./connected-components.ts";
import type { Binarized } from "./binarize.ts";

/** A signature or stamp on a page. The box is in fractions of the page size. */
export interface HandMark {
  kind: "Signature" | "Stamp";
  box: [x0: number, y0: number, x1: number, y1: number];
}

/**
 * Finds signatures and stamps among the components of a page. A signature is a long thin stroke that is much larger
 * than the letters around it and fills little of its box; it is neither a frame nor a printed line. A stamp is a ring
 * with print inside, or a frame that is rotated against the page.
 */
export function findHandMarks(
  { width, height, ink }: Binarized,
  blots: readonly Component[],
  letterHeight: number,
  skew: number,
): HandMark[] {
  if (letterHeight === 0) return [];
  const large = blots.filter(({ x0, y0, x1, y1 }) => Math.min(y1 - y0, x1 - x0) >= letterHeight * bounds.mark);
  return large.flatMap((blot): HandMark[] => {
    const kind = kindOf(blot, blots, { width, height, ink, skew }, letterHeight);
    return kind ? [{ kind, box: [blot.x0 / width, blot.y0 / height, blot.x1 / width, blot.y1 / height] }] : [];
  });
}

type Page = Pick<Binarized, "width" | "height" | "ink"> & { skew: number };

/** Bounds, set by hand on generated scans. Heights and widths are in letter heights unless another unit is given. */
const bounds = {
  /** Minimum height and width of a mark. */
  mark: 2.2,
  /** Maximum width and height as fractions of the long side of the page, and maximum share of ink in the box. */
  page: { width: 0.45, height: 0.3, ink: 0.45 },
  /**
   * Round stamp. `ink`: minimum inked share of the ellipse. `ratio`: maximum ratio of the sides. `height`: minimum
   * height. `inside`: minimum number of components inside.
   */
  ring: { ink: 0.6, ratio: 1.8, height: 4, inside: 3 },
  /**
   * Rectangular stamp. `ratio`: maximum ratio of the sides. `straight`: upper limit for the longest straight run, as a
   * share of the side. `ink`: upper limit for the share of ink. `inside`: minimum number of components inside.
   */
  frame: { ratio: 7, straight: 0.9, ink: 0.35, inside: 4 },
  /**
   * Signature. `width`: minimum width. `ratio`: maximum ratio of height to width. `straight`: maximum length of the
   * longest straight run, as a share of the side. `ink`: upper limit for the share of ink. `inside`: upper limit for
   * the number of components inside.
   */
  signature: { width: 4, ratio: 2.5, straight: 0.6, ink: 0.3, inside: 12 },
  /**
   * Upper side of a frame. `margin`: share of the width at each end that is left out, because of the corners.
   * `unevenness`: tolerance in pixels. `straight`: minimum share that lies on one line.
   */
  side: { margin: 0.12, unevenness: 2.5, straight: 0.8 },
  /**
   * A frame that is rotated against the page by more than `least` degrees is stamped, not printed. `most`: maximum
   * slope in degrees.
   */
  skew: { least: 1.4, most: 40 },
  /**
   * The ring that is searched for ink: from this fraction of the ellipse's radius out to its edge, in steps of this
   * fraction.
   */
  rim: { from: 0.86, step: 0.02 },
} as const;

function kindOf(
  blot: Component,
  blots: readonly Component[],
  page: Page,
  letter: number,
): HandMark["kind"] | undefined {
  const [wide, high] = [blot.x1 - blot.x0, blot.y1 - blot.y0];
  const side = Math.max(page.width, page.height);
  const filled = blot.area / (wide * high);
  const { page: largest, ring, frame, signature } = bounds;
  if (wide > side * largest.width || high > side * largest.height || filled > largest.ink) return undefined;
  const { straight, rim } = outlineOf(blot, page);
  const within = blots.filter(
    (other) => other !== blot && other.x0 > blot.x0 && other.x1 < blot.x1 && other.y0 > blot.y0 && other.y1 < blot.y1,
  ).length;
  const isRound = rim > ring.ink && wide < high * ring.ratio && high < wide * ring.ratio;
  if (isRound && within >= ring.inside && high >= letter * ring.height) return "Stamp";
  const mayBeFrame =
    within >= frame.inside && wide < high * frame.ratio && straight < frame.straight && filled < frame.ink;
  if (mayBeFrame && isFrame(blot, page)) return "Stamp";
  if (straight > signature.straight) return undefined;
  const isStroke =
    filled < signature.ink &&
    wide >= letter * signature.width &&
    high <= wide * signature.ratio &&
    within < signature.inside;
  return isStroke ? "Signature" : undefined;
}

/** Whether the upper side of a component is one straight line that is rotated against the page. */
function isFrame({ x0, y0, x1, y1 }: Component, { width, ink, skew }: Page): boolean {
  const { side, skew: skewed } = bounds;
  const wide = x1 - x0;
  const tops = Array.from({ length: wide }, (_, at) => {
    for (let y = y0; y < y1; y++) if (ink[y * width + x0 + at] === 1) return y;
    return y1;
  });
  const [from, to] = [Math.round(wide * side.margin), Math.round(wide * (1 - side.margin))];
  const slope = (median(tops.slice(to - 5, to + 5)) - median(tops.slice(from - 5, from + 5))) / (to - from);
  const start = median(tops.slice(from - 5, from + 5));
  const near = tops.slice(from, to).filter((y, at) => Math.abs(y - start - slope * at) <= side.unevenness).length;
  const degrees = (Math.atan(slope) * 180) / Math.PI;
  return (
    near > (to - from) * side.straight && Math.abs(degrees - skew) > skewed.least && Math.abs(degrees) < skewed.most
  );
}

/**
 * Measures the outline of a component. `straight`: the longest horizontal or vertical run of ink, as a fraction of the
 * width or height of the box; it is near 1 for frames. `rim`: the inked fraction of the ellipse in the box.
 */
function outlineOf({ x0, y0, x1, y1 }: Component, { width, ink }: Page): { straight: number; rim: number } {
  const [wide, high] = [x1 - x0, y1 - y0];
  const row = (y: number) => longestRun(wide, (x) => ink[y * width + x0 + x]!) / wide;
  const column = (x: number) => longestRun(high, (y) => ink[(y0 + y) * width + x]!) / high;
  let [across, down] = [0, 0];
  for (let y = y0; y < y1; y++) across = Math.max(across, row(y));
  for (let x = x0; x < x1; x++) down = Math.max(down, column(x));
  const steps = 72;
  let on = 0;
  for (let step = 0; step < steps; step++) {
    const angle = (2 * Math.PI * step) / steps;
    if (isInkedAlong(angle)) on++;
  }
  return { straight: Math.max(across, down), rim: on / steps };

  function isInkedAlong(angle: number): boolean {
    for (let part: number = bounds.rim.from; part <= 1; part += bounds.rim.step) {
      const x = Math.floor((x0 + x1) / 2 + (Math.cos(angle) * wide * part) / 2 - 0.5);
      const y = Math.floor((y0 + y1) / 2 + (Math.sin(angle) * high * part) / 2 - 0.5);
      if (ink[y * width + x] === 1) return true;
    }
    return false;
  }
}

function longestRun(length: number, inkAt: (index: number) => number): number {
  let [longest, run] = [0, 0];
  for (let index = 0; index < length; index++) {
    run = inkAt(index) === 1 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
