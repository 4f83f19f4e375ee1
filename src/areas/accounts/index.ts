import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { follow } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Accounts: who acts for a company, and which carriers it wants nothing to do with. */
export const accounts = defineArea({
  operations: { accounts: operations },
  descriptions: { accounts: "People who act for your company, and carriers that it knows or has blocked." },
  events: { Company: events },
  jobs: {
    "accounts.follow": follow,
  },
});
