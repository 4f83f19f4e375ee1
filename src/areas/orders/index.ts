/** Orders: read from a document; later, given to carriers. */
export { events } from "./order.ts";
export { operations } from "./operations.ts";
export { read } from "./reading.ts";
export { steps } from "./steps.ts";
