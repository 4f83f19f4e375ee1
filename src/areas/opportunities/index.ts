/** Requests for quotes: read into the body of a freight, filled up, or in a company's own form. */
export { operations } from "./operations.ts";
export { events, folder, opportunityRow, type Opportunity } from "./opportunity.ts";
export { profileOperations, profileCommands } from "./profile-operations.ts";
export { read, remove } from "./reading.ts";
export { correctable, commands } from "./commands.ts";
