/** Piles of scans: taken apart into documents, each classified, read, and handed in for the order it names. */
export { collectionRow, documentsOf, events, type Collection } from "./collection.ts";
export { look } from "./prescan.ts";
export { operations } from "./operations.ts";
export { Bounds } from "./shapes.ts";
export { remove, split } from "./split.ts";
export { commands } from "./commands.ts";
