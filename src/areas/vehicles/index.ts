/** Vehicles of the fleet: what they are, and where and when they are free. */
export { introduce } from "./introducing.ts";
export { operations } from "./operations.ts";
export { VehicleOffered, type VehicleView } from "./shapes.ts";
export { commands } from "./commands.ts";
export { availabilityTerms, defaultRange, regionOf, vehicleRow } from "./search.ts";
export { events, type Vehicle } from "./vehicle.ts";
export { viewExample as example } from "./examples.ts";
