import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { settle } from "./settle.ts";

/** Feedback: what people say of what was read, put right and learnt from. */
export const feedback = defineArea({
  operations: { feedback: operations },
  jobs: {
    "feedback.settle": settle,
  },
});
