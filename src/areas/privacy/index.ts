/** Privacy: what a company has of a person, gathered or erased. */
export { operations } from "./operations.ts";
export { nextDue, steps, type PrivacyRequest } from "./request.ts";
export { retain, retentionOperations, retentionSteps } from "./retention.ts";
export { expire, run } from "./works.ts";
