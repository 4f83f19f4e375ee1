import { largePictures } from "../formats/embedded-pictures.ts";
import { defaultLimits } from "../formats/limits.ts";
import type { InputFile } from "../formats/reader.ts";
import { checkZip } from "../formats/zip.ts";
import { Budget, ExtractionProblem } from "../problem.ts";

const milliseconds = 10_000;

/** The photographs and scans that an office document holds, in its order; none of other files. */
export function imagesIn(bytes: Uint8Array): InputFile[] {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [];
  try {
    return largePictures(bytes, checkZip(bytes, defaultLimits), {
      limits: defaultLimits,
      budget: new Budget(milliseconds),
    });
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return [];
    throw cause;
  }
}
