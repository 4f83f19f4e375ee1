/** Where freights are published: the built-in board, and connectors that a company registers. */
export { operations } from "./operations.ts";
export { board, type Call } from "./shapes.ts";
export { events, following, resealed, commands } from "./source.ts";
export { tellSource, type Telling, type Told } from "./tell.ts";
