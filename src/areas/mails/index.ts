import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Incoming mails: their classification, the records created from them, and the replies to their senders. */
export const mails = defineArea({
  operations: { mails: operations },
  descriptions: { mails: "Incoming mails: their kind, the records made from them, and the replies to their senders." },
});
