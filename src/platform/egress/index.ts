/** Every call to another system uses this module. */
export { checkTarget, refusalOfUrl } from "./gate.ts";
export { send, type Failure, type Outgoing, type Sent } from "./send.ts";
export { refusalOfTargets } from "./targets.ts";
