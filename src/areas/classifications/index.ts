import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Classifies mails and suggests the operations to which they should be sent. */
export const classifications = defineArea({
  operations: { classifications: operations },
  descriptions: {
    classifications: "The subject of a mail, the references in it, and what to do with its attachments.",
  },
});
