import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Which vehicles fit a freight, and which freights a vehicle. */
export const matches = defineArea({
  operations: { matches: operations },
  descriptions: { matches: "Vehicles that fit a freight, and freights that fit a vehicle." },
});
