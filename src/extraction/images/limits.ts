import { ExtractionProblem } from "../problem.ts";

/** How large a picture may be. */
export interface PixelLimits {
  /** Width times height as stored. */
  pixels: number;
  /** What a decoder may hold of one picture at once, in bytes. */
  memory: number;
  /** A larger picture is scaled down to this many pixels. */
  kept: number;
  /** Pages of one file; further ones are left out. */
  pages: number;
}

/** An A4 page at 200 dpi has 3.9 million pixels, which is what letters need; a Worker has 128 MB. */
export const defaultPixelLimits: PixelLimits = {
  pixels: 120_000_000,
  memory: 80_000_000,
  kept: 4_500_000,
  pages: 200,
};

/** Longer sides than these no camera and no scanner makes. */
const maxSide = 65_535;

/** @throws ExtractionProblem `file_unreadable` for a picture without a size, or one that cannot be held */
export function requireSize(width: number, height: number, bytesAPixel: number, limits: PixelLimits): void {
  if (!(width > 0) || !(height > 0)) throw damaged();
  const pixels = width * height;
  if (Math.max(width, height) > maxSide || pixels > limits.pixels || pixels * bytesAPixel > limits.memory)
    throw unreadable(`The picture has ${width} x ${height} pixels, more than can be read.`);
}

export const unreadable = (message: string) => new ExtractionProblem("file_unreadable", message);
export const damaged = () => unreadable("The picture is damaged or cut off.");
