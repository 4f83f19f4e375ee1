import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { jobs } from "./jobs.ts";
import { events } from "./model.ts";

/** Orders extracted from documents. Orders given to carriers are in the area `carrier-orders`. */
export const orders = defineArea({
  operations: { orders: operations },
  descriptions: { orders: "Transport orders: extracted from documents, or given to carriers." },
  events: { Order: events },
  jobs,
});
