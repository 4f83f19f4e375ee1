import { defineArea } from "../define-area.ts";
import { importFeeds } from "./jobs.ts";
import { operations } from "./operations.ts";
import { events } from "./model.ts";

/** Transactions of fuel and toll cards: imported, matched with the fleet, checked for anomalies and summed. */
export const transactions = defineArea({
  operations: { transactions: operations },
  descriptions: { transactions: "Purchases with fuel and toll cards: matched with the fleet, checked and totalled." },
  events: { Transaction: events },
  jobs: {
    "transactions.import": importFeeds,
  },
});
