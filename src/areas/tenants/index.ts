import { defineArea } from "../define-area.ts";
import { deleteAll } from "./delete-company.ts";
import { follow } from "./jobs.ts";
import { operations } from "./operations.ts";

/** Companies as the operator of the deployment sees them: listed, given keys, suspended and deleted. */
export const tenants = defineArea({
  operations: { tenants: operations },
  descriptions: {
    tenants: "All companies of a deployment, for its operator: listed, given keys, suspended and deleted.",
  },
  jobs: {
    "tenants.follow": follow,
    "tenants.delete": deleteAll,
  },
});
