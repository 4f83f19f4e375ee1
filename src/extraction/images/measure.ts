import { connectedComponents, glyphsAmong, type Component } from "./blots.ts";
import { findHandMarks, type HandMark } from "./marks-by-hand.ts";
import { binarize, type Binarized } from "./ink.ts";
import { measureLighting, roundToThousandth, type Lighting } from "./light.ts";
import { detectRotation, measureSkew } from "./lines-of-ink.ts";
import type { Raster } from "./raster.ts";
import { edgeWidth } from "./sharpness.ts";

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
