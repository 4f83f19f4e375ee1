/** Which vehicles fit a freight, and which freights a vehicle. */
export { operations } from "./operations.ts";
