import { defineArea } from "../define-area.ts";
import { events } from "./collection.ts";
import { operations } from "./operations.ts";
import { look } from "./prescan.ts";
import { remove, split } from "./split.ts";

/** Piles of scans: taken apart into documents, each classified, read, and handed in for the order it names. */
export const documentCollections = defineArea({
  operations: { documentCollections: operations },
  descriptions: { documentCollections: "Scanned collections: split into documents, each classified and extracted." },
  events: { DocumentCollection: events },
  jobs: {
    "documentCollections.split": split,
    "documentCollections.look": look,
    "documentCollections.remove": remove,
  },
});
