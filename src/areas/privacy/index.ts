/** Privacy: what a company has of a person, gathered or erased. */
export { operations } from "./operations.ts";
export { nextDue, commands, type PrivacyRequest } from "./request.ts";
export { forgetOlder, retain } from "./retaining.ts";
export type { Retention, RetentionPlace } from "./retained.ts";
export { retentionOperations, retentionCommands } from "./retention.ts";
export { expire, run } from "./jobs.ts";
