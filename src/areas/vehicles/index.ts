/** Vehicles of the fleet: what they are, and where and when they are free. */
export { operations } from "./operations.ts";
export { VehicleOffered, type VehicleView } from "./shapes.ts";
export { steps } from "./steps.ts";
export { events, thereTerm, vehicleRow, type Vehicle } from "./vehicle.ts";
