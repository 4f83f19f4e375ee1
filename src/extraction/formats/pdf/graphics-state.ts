import type { Box } from "../../document/document.ts";
import { identity, type Matrix, type Point } from "./geometry.ts";

/** A colour as `#rrggbb`. Undefined if it cannot be determined (pictures, gradients, patterns, transparent areas). */
type Colour = string | undefined;

const maxAreas = 20_000;

/**
 * The background of the text on a page. It consists of filled areas and pictures, in painting order, on white paper.
 */
export class Background {
  private readonly areas: { box: Box; colour: Colour }[] = [];

  add(box: Box, colour: Colour): void {
    if (this.areas.length < maxAreas) this.areas.push({ box, colour });
  }

  at(point: Point): Colour {
    for (let index = this.areas.length - 1; index >= 0; index--) {
      const area = this.areas[index];
      if (area && contains(area.box, point)) return area.colour;
    }
    return "#ffffff";
  }
}

function contains(box: Box, point: Point): boolean {
  return point.x >= box.x0 && point.x <= box.x1 && point.y >= box.y0 && point.y <= box.y1;
}

/** Whether two colours look the same. Unknown colours differ from all others. */
export function isSameColour(one: Colour, other: Colour): boolean {
  if (!one || !other) return false;
  const a = Number.parseInt(one.slice(1, 7), 16);
  const b = Number.parseInt(other.slice(1, 7), 16);
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= 10);
}

/** The properties of a pdf.js font that are used here. */
export interface Font {
  name?: string;
  fontMatrix?: number[];
  bbox?: number[];
  isType3Font?: boolean;
}

/** The part of the PDF graphics state that determines the position and visibility of letters and lines. */
export interface GraphicsState {
  matrix: Matrix;
  fill: Colour;
  stroke: Colour;
  alpha: number;
  lineWidth: number;
  textMatrix: Matrix;
  at: Point;
  lineStart: Point;
  font: Font;
  size: number;
  letterSpacing: number;
  wordSpacing: number;
  stretch: number;
  leading: number;
  rise: number;
  mode: number;
}

export function initialState(matrix: Matrix): GraphicsState {
  return {
    matrix,
    fill: "#000000",
    stroke: "#000000",
    alpha: 1,
    lineWidth: 1,
    textMatrix: identity,
    at: { x: 0, y: 0 },
    lineStart: { x: 0, y: 0 },
    font: {},
    size: 0,
    letterSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  };
}

/**
 * Returns the height of the letters relative to the font size. For Type 3 fonts, which have their own scale, it is
 * computed from their bounding box.
 */
export function emHeight(font: Font): number {
  if (!font.isType3Font) return 1;
  const height = ((font.bbox?.[3] ?? 0) - (font.bbox?.[1] ?? 0)) * Math.abs(font.fontMatrix?.[3] ?? 0);
  return height > 0.01 ? height : 1;
}

export function isBold(name = ""): boolean {
  return /bold|black|heavy|semib|demi(?!ght)/i.test(name);
}
