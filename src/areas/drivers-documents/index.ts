import { defineArea } from "../define-area.ts";
import { extract, remove, renew } from "./jobs.ts";
import { events } from "./model.ts";
import { operations } from "./operations.ts";

/** Licences, cards and certificates of drivers: extracted from files, with reminders until they expire. */
export const driversDocuments = defineArea({
  operations: { driversDocuments: operations },
  descriptions: { driversDocuments: "Drivers' licences, cards and certificates, and when they expire." },
  events: { DriverDocument: events },
  jobs: {
    "driversDocuments.read": extract,
    "driversDocuments.renew": renew,
    "driversDocuments.forget": remove,
  },
});
