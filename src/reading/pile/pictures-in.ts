import { largePictures } from "../open/embedded-pictures.ts";
import { defaultLimits } from "../open/limits.ts";
import type { Incoming } from "../open/reader.ts";
import { checkZip } from "../open/zip.ts";
import { Budget, ReadingProblem } from "../problem.ts";

const milliseconds = 10_000;

/** The photographs and scans that an office document holds, in its order; none of other files. */
export function picturesIn(bytes: Uint8Array): Incoming[] {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [];
  try {
    return largePictures(bytes, checkZip(bytes, defaultLimits), {
      limits: defaultLimits,
      budget: new Budget(milliseconds),
    });
  } catch (cause) {
    if (cause instanceof ReadingProblem) return [];
    throw cause;
  }
}
