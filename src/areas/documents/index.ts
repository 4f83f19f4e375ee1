/** Documents of the road: invoices, receipts, CMR notes, fines and insurance policies, read from files. */
export { documentRow, events, folder, kindOf, type Document } from "./document.ts";
export { operations } from "./operations.ts";
export { read, remove } from "./reading.ts";
export { correctable, commands } from "./commands.ts";
