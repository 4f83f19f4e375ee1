import type { Colour } from "./background.ts";
import { identity, type Matrix, type Point } from "./geometry.ts";

/** What pdf.js tells of a font; only what is needed here. */
export interface Font {
  name?: string;
  fontMatrix?: number[];
  bbox?: number[];
  isType3Font?: boolean;
}

/** The part of PDF's graphics state that decides where letters and lines fall and whether they are seen. */
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

/** Letters drawn as little pictures have a scale of their own: their box says how high they are. */
export function emHeight(font: Font): number {
  if (!font.isType3Font) return 1;
  const height = ((font.bbox?.[3] ?? 0) - (font.bbox?.[1] ?? 0)) * Math.abs(font.fontMatrix?.[3] ?? 0);
  return height > 0.01 ? height : 1;
}

export function isBold(name = ""): boolean {
  return /bold|black|heavy|semib|demi(?!ght)/i.test(name);
}
