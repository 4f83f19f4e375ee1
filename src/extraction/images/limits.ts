import { ExtractionProblem } from "../problem.ts";

/** Size limits of pictures. */
export interface PixelLimits {
  /** Width times height of the stored picture. */
  pixels: number;
  /** Bytes that a decoder may hold for one picture. */
  memory: number;
  /** Larger pictures are scaled down to this number of pixels. */
  kept: number;
  /** Maximum number of pages of one file that are decoded. Further pages are skipped. */
  pages: number;
}

/**
 * Default limits. For comparison: an A4 page at 200 dpi, which suffices for OCR, has 3.9 million pixels, and a Worker
 * has 128 MB of memory.
 */
export const defaultPixelLimits: PixelLimits = {
  pixels: 120_000_000,
  memory: 80_000_000,
  kept: 4_500_000,
  pages: 200,
};

/** In pixels. Pictures of cameras and scanners are smaller. */
const maxSide = 65_535;

/**
 * Checks the size of a picture.
 * @throws ExtractionProblem `file_unreadable` if the width or height is 0, or the picture exceeds the limits
 */
export function requireSize(width: number, height: number, bytesAPixel: number, limits: PixelLimits): void {
  if (!(width > 0) || !(height > 0)) throw damaged();
  const pixels = width * height;
  if (Math.max(width, height) > maxSide || pixels > limits.pixels || pixels * bytesAPixel > limits.memory)
    throw unreadable(`The picture has ${width} x ${height} pixels, which is too many. Reduce its resolution.`);
}

export const unreadable = (message: string) => new ExtractionProblem("file_unreadable", message);
export const damaged = () => unreadable("The picture is damaged or truncated.");
