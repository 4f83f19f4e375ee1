import { defineArea } from "../define-area.ts";
import { events } from "./document.ts";
import { forget, read, renew } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Documents of drivers: licences, cards, certificates; read from files, and watched until they expire. */
export const driversDocuments = defineArea({
  operations: { driversDocuments: operations },
  descriptions: { driversDocuments: "Drivers' licences, cards and certificates, and when they expire." },
  events: { DriverDocument: events },
  jobs: {
    "driversDocuments.read": read,
    "driversDocuments.renew": renew,
    "driversDocuments.forget": forget,
  },
});
