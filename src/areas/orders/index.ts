/** Orders: read from a document; later, given to carriers. */
export { events, folder } from "./order.ts";
export { operations } from "./operations.ts";
export { read, remove } from "./reading.ts";
export { correctable, commands } from "./commands.ts";
