import { ExtractionProblem } from "../problem.ts";
import { decodeJpeg } from "./jpeg.ts";
import { damaged, defaultPixelLimits, unreadable, type PixelLimits } from "./limits.ts";
import { decodePng } from "./png.ts";
import type { Raster } from "./raster.ts";
import { decodeTiff } from "./tiff.ts";
import { decodeWebp } from "./webp.ts";

/**
 * The pages of a picture (JPEG, PNG, TIFF, WebP) in grey, turned as EXIF says, and scaled down where they have more pixels
 * than are kept. A TIFF may have several, of which `only` asks for one, counted from 0. Nothing is unpacked before its size is known to be within the limits.
 * @throws ExtractionProblem `file_unreadable`, with a sentence for people: damaged or cut off, too large, or kept in a way that
 * is not read (animations)
 */
export async function decode(
  bytes: Uint8Array,
  limits: PixelLimits = defaultPixelLimits,
  only?: number,
): Promise<Raster[]> {
  try {
    return await decoded(bytes, limits, only);
  } catch (cause) {
    throw cause instanceof ExtractionProblem ? cause : damaged();
  }
}

async function decoded(bytes: Uint8Array, limits: PixelLimits, only: number | undefined): Promise<Raster[]> {
  const [first, second] = [bytes[0], bytes[1]];
  if (first === 0xff && second === 0xd8) return [await decodeJpeg(bytes, limits)];
  if (first === 0x89 && second === 0x50) return [await decodePng(bytes, limits)];
  if (first === 0x52 && second === 0x49) return [await decodeWebp(bytes, limits)];
  if (first === 0x49 || first === 0x4d) return decodeTiff(bytes, limits, only);
  throw unreadable("The file is no picture that can be read.");
}
