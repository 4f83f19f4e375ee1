import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { follow } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Accounts: the people who act for a company, and the carriers that it knows or has blocked. */
export const accounts = defineArea({
  operations: { accounts: operations },
  descriptions: { accounts: "People who act for your company, and carriers that it knows or has blocked." },
  events: { Company: events },
  jobs: {
    "accounts.follow": follow,
  },
});
