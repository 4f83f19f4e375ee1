/** Documents of drivers: licences, cards, certificates; read from files, and watched until they expire. */
export { driverDocumentRow, events, nextDue, placeOf, type DriverDocument } from "./document.ts";
export { operations } from "./operations.ts";
export { commands } from "./commands.ts";
export { forget, read, renew } from "./jobs.ts";
