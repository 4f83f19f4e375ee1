/** Feedback: what people say of what was read, put right and learnt from. */
export { feedbackRow, type Feedback } from "./feedback.ts";
export { operations } from "./operations.ts";
export { settle } from "./settle.ts";
export { commands } from "./commands.ts";
