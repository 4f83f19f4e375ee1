import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";
import { settle } from "./jobs.ts";

/** Ratings and corrections of extracted data. */
export const feedback = defineArea({
  operations: { feedback: operations },
  descriptions: {
    feedback:
      "Which extracted values were right or wrong: corrected, counted, and learnt for the next document of the same sender.",
  },
  jobs: { "feedback.settle": settle },
});
