import { type Component, connectedComponents, glyphsAmong } from "./connected-components.ts";
import { type HandMark, findHandMarks } from "./hand-marks.ts";
import { type Binarized, binarize } from "./binarize.ts";
import { detectRotation, measureSkew } from "./skew.ts";
import type { Raster } from "./raster.ts";

export type Edge = "Left" | "Top" | "Right" | "Bottom";

/** Quality measurements of a page image. */
export interface PageMeasures extends Lighting {
  /** In pixels of the stored picture, before `rotation` is applied. */
  width: number;
  height: number;
  /** Estimated pixels per inch. The page is assumed to be A4, or, if it is a strip, half as wide as A4. */
  resolution: number;
  /** Letter height in pixels of the stored picture, or 0 if there are no letters. */
  letterHeight: number;
  /** 0 for sharp, 1 for illegible. */
  blur: number;
  /** Sides of the picture where text is cut off. */
  crop: Edge[];
  /** Skew of the text lines in degrees, clockwise. */
  skew: number;
  /** Clockwise rotation, in degrees, that turns the page upright. */
  rotation: 0 | 90 | 180 | 270;
  blank: boolean;
  marks: HandMark[];
}

/** Width of letter edges in a sharp picture and in an illegible one, as fractions of the letter height. */
const [sharp, illegible] = [0.05, 0.4];
/** A page without letters is blank if the fraction of it that is ink is below this. */
const dust = 0.0096;

/** Measures the quality of a scanned or photographed page. This takes about 200 ms. */
export function measurePage(raster: Raster): PageMeasures {
  const page = binarize(raster);
  const blots = connectedComponents(page);
  const { letters, height } = glyphsAmong(blots);
  const stored = raster.stored ?? raster;
  const hasText = height > 0;
  const rotation = hasText ? detectRotation(letters, height) : 0;
  const isLying = rotation === 90 || rotation === 270;
  const skew = hasText ? measureSkew(letters, { upright: isLying }).degrees : 0;
  const edge = hasText ? edgeWidth(raster, page, letters) : undefined;
  return {
    width: stored.width,
    height: stored.height,
    resolution: resolutionOf(stored.width, stored.height),
    letterHeight: Math.round(height * page.scale),
    ...measureLighting(page),
    blur: edge === undefined ? 0 : roundToThousandth(Math.min(1, Math.max(0, (edge - sharp) / (illegible - sharp)))),
    crop: hasText ? croppedEdges(page, letters, height) : [],
    skew,
    rotation,
    blank: !hasText && inkShare(page) < dust,
    marks: findHandMarks(page, blots, height, skew),
  };
}

/** Size of A4 in inches. */
const [a4Width, a4Height] = [8.27, 11.69];
/** A page is a strip if the ratio of its sides is above this. */
const strip = 1.7;

/** In pixels per inch. A strip is assumed to be half as wide as A4; any other page is assumed to be as long as A4. */
function resolutionOf(width: number, height: number): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return Math.round(long > short * strip ? short / (a4Width / 2) : long / a4Height);
}

function inkShare({ ink }: Binarized): number {
  let sum = 0;
  for (const dot of ink) sum += dot;
  return sum / ink.length;
}

/** Line height in letter heights, and minimum number of lines whose letters touch a cropped side. */
const [lineHeight, minCutLines] = [1.5, 4];

/** At a cropped side, letters of several lines touch the edge of the picture. */
function croppedEdges({ width, height }: Binarized, letters: readonly Component[], letterHeight: number): Edge[] {
  const near = 1;
  const sides: [Edge, (blot: Component) => boolean][] = [
    ["Left", ({ x0 }) => x0 <= near],
    ["Top", ({ y0 }) => y0 <= near],
    ["Right", ({ x1 }) => x1 >= width - near],
    ["Bottom", ({ y1 }) => y1 >= height - near],
  ];
  return sides.flatMap(([edge, touches]) => {
    const cut = letters.filter(touches);
    const places = new Set(
      cut.map(({ x0, y0 }) =>
        Math.round((edge === "Left" || edge === "Right" ? y0 : x0) / (letterHeight * lineHeight)),
      ),
    );
    return places.size >= minCutLines ? [edge] : [];
  });
}

/** Lighting of the page. All values are fractions of 1. */
export interface Lighting {
  /** 0 for white paper, 1 for black. */
  darkness: number;
  /** Fraction of the page that is overexposed. 0 for scans. */
  glare: number;
}

const tiles = 24;
/** Minimum brightness of the paper in a scan, and brightness above which part of a photograph is overexposed. */
const [white, washedOut] = [240, 252];
/**
 * Quantiles from which the brightness of the paper is measured. The level of a tile is the `pixels` quantile of its
 * pixels. The brightness of the paper is the `tiles` quantile of the levels of all tiles.
 */
const paperLevel = { pixels: 0.8, tiles: 0.6 };
/** A tile is overexposed if more than this fraction of it is brighter than `washedOut`. */
const minWashed = 0.5;

/** The paper is the lightest part of each tile. A background around the page is darker than most of the paper. */
function measureLighting({ width, height, gray }: Binarized): Lighting {
  const [across, down] = [Math.max(1, Math.floor(width / tiles)), Math.max(1, Math.floor(height / tiles))];
  const papers: number[] = [];
  const washed: number[] = [];
  for (let top = 0; top + down <= height; top += down)
    for (let left = 0; left + across <= width; left += across) {
      const counts = new Uint32Array(256);
      for (let y = top; y < top + down; y++) for (let x = left; x < left + across; x++) counts[gray[y * width + x]!]!++;
      const area = across * down;
      papers.push(levelAt(counts, area * paperLevel.pixels));
      washed.push(countFrom(counts, washedOut) / area);
    }
  const paper = papers.toSorted((a, b) => a - b)[Math.floor(papers.length * paperLevel.tiles)] ?? 255;
  const isScan = paper >= white;
  const glare = isScan ? 0 : washed.filter((share) => share > minWashed).length / Math.max(1, washed.length);
  return { darkness: roundToThousandth(1 - paper / 255), glare: roundToThousandth(glare) };
}

/** Finds the lowest grey level such that at least `pixels` pixels are not brighter. */
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

const roundToThousandth = (value: number): number => Math.round(value * 1000) / 1000;

/** Width, in pixels, of the sharpest possible edge between paper and ink. */
const sharpest = 2;
/** Minimum difference of grey levels in a letter. A fainter letter is not measured. */
const minContrast = 25;
const sampledLetters = 400;

/** Measures the median width of letter edges, as a fraction of the letter height. */
function edgeWidth(raster: Raster, { width }: Binarized, letters: readonly Component[]): number | undefined {
  const scale = raster.width / width;
  const every = Math.max(1, Math.floor(letters.length / sampledLetters));
  const edges: number[] = [];
  for (let index = 0; index < letters.length; index += every) {
    const { x0, y0, x1, y1 } = letters[index]!;
    const edge = edgeIn(raster, { x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale });
    if (edge !== undefined) edges.push(edge);
  }
  return edges.toSorted((a, b) => a - b)[Math.floor(edges.length / 2)];
}

/**
 * Measures the edge width of one letter, as a fraction of its height: its contrast divided by the steepest step in its
 * rows, less the width of the sharpest possible edge.
 */
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
  return contrast < minContrast || steepest === 0
    ? undefined
    : Math.max(0, contrast / steepest - sharpest) / Math.max(1, bottom - top);
}
