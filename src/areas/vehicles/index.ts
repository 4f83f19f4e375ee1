import { defineArea } from "../define-area.ts";
import { syncWithLedger } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Vehicles of the fleet: their properties, drivers and availability. */
export const vehicles = defineArea({
  operations: { vehicles: operations },
  descriptions: { vehicles: "Vehicles of the fleet: where and when they are free, and who drives them." },
  jobs: {
    "vehicles.introduce": syncWithLedger,
  },
});
