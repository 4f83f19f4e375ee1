import { defineArea } from "../define-area.ts";
import { events } from "./document.ts";
import { operations } from "./operations.ts";
import { read, remove } from "./reading.ts";

/** Documents of the road: invoices, receipts, CMR notes, fines and insurance policies, read from files. */
export const documents = defineArea({
  operations: { documents: operations },
  descriptions: { documents: "Invoices, receipts, CMR notes, fines and insurance policies, extracted from files." },
  events: { Document: events },
  jobs: {
    "documents.read": read,
    "documents.remove": remove,
  },
});
