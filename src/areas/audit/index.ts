/** The audit log: who has changed what, and when. */
export { operations } from "./operations.ts";
