import { defineArea } from "../define-area.ts";
import { operations } from "./operations.ts";

/** Mails that come in: what they are, what was made of them, and what their senders are answered. */
export const mails = defineArea({
  operations: { mails: operations },
  descriptions: { mails: "Incoming mails: their kind, the records made from them, and the replies to their senders." },
});
