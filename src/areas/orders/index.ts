/** Orders: read from a document; later, given to carriers. */
export { events } from "./order.ts";
export { operations, steps } from "./operations.ts";
export { read } from "./reading.ts";
