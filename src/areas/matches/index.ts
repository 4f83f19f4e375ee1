import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Finds vehicles that fit a freight, and freights that fit a vehicle. */
export const matches = defineArea({
  operations: { matches: operations },
  descriptions: { matches: "Vehicles that fit a freight, and freights that fit a vehicle." },
});
