import { defineArea } from "../define-area.ts";
import { introduce } from "./introducing.ts";
import { operations } from "./operations.ts";

/** Vehicles of the fleet: what they are, and where and when they are free. */
export const vehicles = defineArea({
  operations: { vehicles: operations },
  jobs: {
    "vehicles.introduce": introduce,
  },
});
