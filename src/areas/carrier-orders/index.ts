import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { operations } from "./operations.ts";
import { deleteFiles } from "./upload-document.ts";

/** Orders given to carriers, and the documents that carriers upload for them. */
export const carrierOrders = defineArea({
  operations: { carrierOrders: operations },
  descriptions: { carrierOrders: "Orders given to carriers, and the documents that carriers upload for them." },
  events: { Order: events },
  jobs: { "carrierOrders.deletePapers": deleteFiles },
});
