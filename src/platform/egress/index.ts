/** Every call to another system goes through this folder. */
export { checkTarget, refusalOfUrl } from "./gate.ts";
export { send, type Failure, type Outgoing, type Sent } from "./send.ts";
export { refusalOfTargets } from "./targets.ts";
