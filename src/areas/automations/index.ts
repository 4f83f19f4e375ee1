/** Automations: fines put down to their drivers, by themselves where that is sure. */
export { automationRow, events, isOpen, nextDue, type Automation } from "./automation.ts";
export { keepsFleet } from "./looking.ts";
export { operations } from "./operations.ts";
export { commands } from "./commands.ts";
export { release, run } from "./jobs.ts";
