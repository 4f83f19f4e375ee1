/** Piles of scans: taken apart into documents, each classified and read. */
export { events, type Collection } from "./collection.ts";
export { operations } from "./operations.ts";
export { Bounds } from "./shapes.ts";
export { split } from "./split.ts";
export { steps } from "./steps.ts";
