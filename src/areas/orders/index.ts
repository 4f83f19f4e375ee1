import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { events } from "./order.ts";
import { read, remove } from "./reading.ts";

/** Orders: read from a document; later, given to carriers. */
export const orders = defineArea({
  operations: { orders: operations },
  descriptions: { orders: "Transport orders: extracted from documents, or given to carriers." },
  events: { Order: events },
  jobs: {
    "orders.read": read,
    "orders.remove": remove,
  },
});
