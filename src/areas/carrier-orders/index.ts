import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { events } from "./order.ts";
import { deletePapers } from "./upload-document.ts";

/** Orders given to carriers: their papers, and the page on which a carrier hands them in. */
export const carrierOrders = defineArea({
  operations: { carrierOrders: operations },
  descriptions: { carrierOrders: "Orders given to carriers, and the documents that carriers upload for them." },
  events: { Order: events },
  jobs: {
    "carrierOrders.deletePapers": deletePapers,
  },
});
