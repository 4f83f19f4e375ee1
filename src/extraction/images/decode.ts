import { ExtractionProblem } from "../problem.ts";
import { decodeJpeg } from "./jpeg.ts";
import { damaged, defaultPixelLimits, unreadable, type PixelLimits } from "./limits.ts";
import { decodePng } from "./png.ts";
import type { Raster } from "./raster.ts";
import { decodeTiff } from "./tiff.ts";
import { decodeWebp } from "./webp.ts";

/**
 * Decodes the pages of a picture (JPEG, PNG, TIFF, WebP) to greyscale. Pages are turned upright according to their EXIF
 * orientation, and larger pages are scaled down to the limit. A TIFF may have several pages; `only` selects one (from
 * 0). Sizes are checked before anything is unpacked.
 * @throws ExtractionProblem `file_unreadable`, with a message for users, if the picture is damaged, truncated or too
 * large, or if it is of an unsupported kind, such as an animation
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
  throw unreadable("The picture format is not supported.");
}
