/** Freights: what is to be carried, published at a price that may grow, until somebody gets it or its time is over. */
export { freightRow } from "./archive.ts";
export { events, publicView, type Freight } from "./freight.ts";
export { nextDue } from "./lifecycle.ts";
export { operations } from "./operations.ts";
export { freightSteps as steps } from "./steps.ts";
export { release } from "./writing.ts";
