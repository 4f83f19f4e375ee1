import { type Component, connectedComponents, glyphsAmong } from "./connected-components.ts";
import { type HandMark, findHandMarks } from "./hand-marks.ts";
import { type Binarized, binarize } from "./binarize.ts";
import { detectRotation, measureSkew } from "./skew.ts";
import type { Raster } from "./raster.ts";

export type Edge = "Left" | "Top" | "Right" | "Bottom";

/** What the pixels of a page tell of how well it can be read. */
export interface PageMeasures extends Lighting {
  /** As stored, turned as it is to be looked at. */
  width: number;
  height: number;
  /** Pixels to the inch if the page is A4, or a strip of its width. */
  resolution: number;
  /** Height of its letters in stored pixels; 0 where there are none. */
  letterHeight: number;
  /** 0 is sharp, 1 cannot be read. */
  blur: number;
  /** Sides at which text runs out of the picture. */
  crop: Edge[];
  /** Degrees the lines are turned clockwise. */
  skew: number;
  /** How the page must be turned, clockwise, to stand. */
  rotation: 0 | 90 | 180 | 270;
  blank: boolean;
  marks: HandMark[];
}

/** An edge is this wide in a sharp picture, and this much wider where nothing can be read, as parts of a letter's height. */
const [sharp, illegible] = [0.05, 0.4];
/** Ink on less than this part of a page is dust. */
const dust = 0.0008;

/** Looks at a page of a scan or a photograph. Takes a fifth of a second. */
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
    blank: !hasText && inkShare(page) < dust * 12,
    marks: findHandMarks(page, blots, height, skew),
  };
}

const [a4Width, a4Height] = [8.27, 11.69];

/** A page that is much longer than A4 is a strip, of which the width tells. */
function resolutionOf(width: number, height: number): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return Math.round(long > short * 1.7 ? short / (a4Width / 2) : long / a4Height);
}

function inkShare({ ink }: Binarized): number {
  let sum = 0;
  for (const dot of ink) sum += dot;
  return sum / ink.length;
}

/** Letters that end at the side of the picture are cut, if there are several on different lines. */
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
      cut.map(({ x0, y0 }) => Math.round((edge === "Left" || edge === "Right" ? y0 : x0) / (letterHeight * 1.5))),
    );
    return places.size >= 4 ? [edge] : [];
  });
}

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
