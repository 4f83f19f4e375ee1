/** Accounts: who acts for a company, and which carriers it wants nothing to do with. */
export { events, isBlocked, withinRole, type Account } from "./account.ts";
export { operations } from "./operations.ts";
export { accountOf, lapsed, nextUnblocking, commands } from "./commands.ts";
