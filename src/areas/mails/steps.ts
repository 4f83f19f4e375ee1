import { refuse } from "../../kit/decision.ts";
import { stepsOn } from "../../kit/operation.ts";
import { mostAttempts, routing, viewOf, type events, type Mail } from "./mail.ts";

type Received = Pick<Mail, "file" | "from" | "subject" | "messageId" | "isAutomatic">;
type Outcome = Pick<Mail, "status" | "ignoredBecause" | "label" | "kind" | "routed" | "notRouted">;

export const steps = stepsOn<Mail, typeof events>(
  "MAILS",
  "mails",
)({
  /** A mail has come. The same mail once more changes nothing. */
  receive: (now: Mail | undefined, said: Received, { at }) =>
    now
      ? { reply: { isNew: false } }
      : {
          state: { ...said, status: "Received", routed: [], createdAt: at, updatedAt: at },
          work: [routing],
          reply: { isNew: true },
        },

  look: (now: Mail | undefined) => (now ? { reply: now } : refuse("not_found")),

  /** Somebody sets about routing it. One that nobody comes to an end with is given up. */
  begin: (now: Mail | undefined, _ask: object, { at }) => {
    if (!now) return refuse("not_found");
    if (now.status !== "Received") return { reply: { mail: now, isLast: false } };
    const attempts = (now.attempts ?? 0) + 1;
    const state: Mail = attempts > mostAttempts ? { ...now, status: "Failed", updatedAt: at } : { ...now, attempts };
    return { state, reply: { mail: state, isLast: attempts === mostAttempts } };
  },

  view: (now: Mail | undefined, _ask: object, { id }) => (now ? { reply: viewOf(now, id) } : refuse("not_found")),

  /** What was made of it. The first end counts. */
  routed: (now: Mail | undefined, outcome: Outcome, { at }) => {
    if (now?.status !== "Received") return { reply: {} };
    return { state: { ...now, ...outcome, updatedAt: at }, reply: {} };
  },

  /** Its sender is about to be answered: whoever is told so first sends it, and nobody else ever does. */
  answering: (now: Mail | undefined, _ask: object, { at }) => {
    if (!now || now.answer) return { reply: { mayAnswer: false } };
    return { state: { ...now, answer: { status: "Sending", at } }, reply: { mayAnswer: true } };
  },

  /** Nothing is left to be done. */
  answered: (now: Mail | undefined, { status }: { status?: NonNullable<Mail["answer"]>["status"] }, { at }) => {
    if (!now || status === undefined || (now.answer && now.answer.status !== "Sending"))
      return { done: [routing], reply: {} };
    return { state: { ...now, answer: { status, at }, updatedAt: at }, done: [routing], reply: {} };
  },
});
