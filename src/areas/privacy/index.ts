import { defineArea } from "../define-area.ts";
import { expire, run } from "./jobs.ts";
import { operations } from "./operations.ts";
import { retain } from "./retention-jobs.ts";

/** Exports and erases the personal data that a company stores, and deletes records after their retention period. */
export const privacy = defineArea({
  operations: { privacy: operations },
  descriptions: { privacy: "Personal data that your company stores: exported or erased." },
  jobs: {
    "privacy.retain": retain,
    "privacy.run": run,
    "privacy.expire": expire,
  },
});
