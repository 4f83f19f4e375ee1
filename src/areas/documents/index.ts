import { defineArea } from "../define-area.ts";
import { jobs } from "./jobs.ts";
import { events } from "./model.ts";
import { operations } from "./operations.ts";

/** Invoices, receipts, CMR notes, fines and insurance policies, extracted from files. */
export const documents = defineArea({
  operations: { documents: operations },
  descriptions: { documents: "Invoices, receipts, CMR notes, fines and insurance policies, extracted from files." },
  events: { Document: events },
  jobs,
});
