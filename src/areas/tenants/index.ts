/** Companies as the operator of the deployment sees them: listed, given keys, suspended and deleted. */
export { deleteAll } from "./delete.ts";
export { follow, requireActive } from "./follow.ts";
export { operations } from "./operations.ts";
export { commands } from "./commands.ts";
export { companyRow } from "./view.ts";
