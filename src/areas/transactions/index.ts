/** Transactions of fuel and toll cards: taken in, matched with the fleet, looked through and summed up. */
export { importFeeds } from "./importing.ts";
export { takeUpImports } from "./pending-imports.ts";
export { operations } from "./operations.ts";
export { events } from "./transaction.ts";
