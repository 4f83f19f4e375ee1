import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { completeFeedback } from "./jobs.ts";

export const feedback = defineArea({
  operations: { feedback: operations },
  descriptions: {
    feedback:
      "Ratings and corrections of extracted values: counted as accuracy, and applied to later documents of the same sender.",
  },
  jobs: { "feedback.settle": completeFeedback },
});
