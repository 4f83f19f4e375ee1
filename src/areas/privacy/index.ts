import { defineArea } from "../define-area.ts";
import { expire, run } from "./jobs.ts";
import { operations } from "./operations.ts";
import { retain } from "./retention-jobs.ts";

/** Privacy: exporting and erasing the personal data that a company stores. */
export const privacy = defineArea({
  operations: { privacy: operations },
  descriptions: { privacy: "Personal data that your company stores: exported or erased." },
  jobs: {
    "privacy.retain": retain,
    "privacy.run": run,
    "privacy.expire": expire,
  },
});
