import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Classifications: what a mail is about. */
export const classifications = defineArea({
  operations: { classifications: operations },
  descriptions: {
    classifications: "The subject of a mail, the references in it, and what to do with its attachments.",
  },
});
