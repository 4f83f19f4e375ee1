import { fold } from "../lexicon/fold.ts";
import type { Check } from "../document/reading.ts";
import { seePlates } from "../entities/plates.ts";

/** Whether some country writes its plates so. */
export function plateShape(plate: string, pointer: string): Check {
  return {
    name: "PlateShape",
    passed: seePlates(fold(plate)).some((seen) => seen.value.plate === plate),
    detail: "A plate has the shape of some country's plates.",
    pointers: [pointer],
  };
}
