/** Who hears of what happens, and how it reaches them. */
export { bodyOf } from "./body.ts";
export { events } from "./events.ts";
export { listenersOf } from "./listeners.ts";
export { operations } from "./operations.ts";
export { replay } from "./replay.ts";
export { WebhookBody } from "./shapes.ts";
export { aboutMail, resealed, sealsOf, commands, type Subscription } from "./subscription.ts";
