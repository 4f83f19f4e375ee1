/** Whatever leaves the service for the outside goes through here. */
export { checkedTarget, refusalOfUrl } from "./gate.ts";
export { send, type Failure, type Outgoing, type Sent } from "./send.ts";
export { refusalOfTargets } from "./targets.ts";
