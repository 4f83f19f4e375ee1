import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { operations } from "./operations.ts";
import { prescan } from "./prescan.ts";
import { remove, split } from "./split.ts";

/**
 * Collections of scans: split into documents, which are classified, extracted, and attached to the carrier orders that
 * they name.
 */
export const documentCollections = defineArea({
  operations: { documentCollections: operations },
  descriptions: { documentCollections: "Scanned collections: split into documents, each classified and extracted." },
  events: { DocumentCollection: events },
  jobs: {
    "documentCollections.split": split,
    "documentCollections.look": prescan,
    "documentCollections.remove": remove,
  },
});
