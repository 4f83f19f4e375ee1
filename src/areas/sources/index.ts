import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Sources at which freights are published: the built-in board, and connectors that a company registers. */
export const sources = defineArea({
  operations: { sources: operations },
  descriptions: { sources: "Where freights are published: the built-in board and your own connectors." },
});
