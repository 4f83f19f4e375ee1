import { refuse } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { mostAttempts, mostFaults, routing, viewOf, type events, type Mail } from "./mail.ts";

type Received = Pick<Mail, "file" | "from" | "subject" | "messageId" | "isAutomatic">;
type Outcome = Pick<Mail, "status" | "ignoredBecause" | "label" | "kind" | "routed" | "notRouted">;

export const commands = commandsOn<Mail, typeof events>(
  "MAILS",
  "mails",
)({
  /** A mail has come. The same mail once more changes nothing. */
  receive: (state: Mail | undefined, said: Received, { at }) =>
    state
      ? { reply: { isNew: false } }
      : {
          state: { ...said, status: "Received", routed: [], createdAt: at, updatedAt: at },
          jobs: [routing],
          reply: { isNew: true },
        },

  look: (state: Mail | undefined) => (state ? { reply: state } : refuse("not_found")),

  /** Somebody sets about routing it. One that nobody comes to an end with is given up. */
  begin: (state: Mail | undefined, { token }: { token: string }, { at }) => {
    if (!state) return refuse("not_found");
    if (state.answer && state.answer.status !== "Sending")
      return { completedJobs: [routing], reply: { go: "Done" as const } };
    if (isHeld(state.lease, at)) return { reply: { go: "Busy" as const } };
    const attempts = attemptsAfter(state.lease, state.attempts ?? 0);
    const { faults = 0 } = state;
    const isGivenUp = state.status === "Received" && (attempts >= mostAttempts || faults >= mostFaults);
    const next: Mail = {
      ...state,
      attempts,
      lease: leaseFor(token, at),
      ...(isGivenUp && { status: "Failed", updatedAt: at }),
    };
    return { state: next, reply: { go: "Route" as const, mail: next, isLast: attempts + faults >= mostAttempts - 1 } };
  },

  renew: renewLease<Mail>,

  /** Routing it broke off by a fault of ours. */
  release: (state: Mail | undefined, { token }: { token: string }) => {
    if (!state || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, faults: (state.faults ?? 0) + 1 }, reply: {} };
  },

  view: (state: Mail | undefined, _ask: object, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),

  /** What was made of it. */
  routed: (state: Mail | undefined, { token, ...outcome }: Outcome & { token: string }, { at }) => {
    if (state?.status !== "Received" || !isHolder(state.lease, token)) return { reply: {} };
    return { state: { ...state, ...outcome, updatedAt: at }, reply: {} };
  },

  /** Its sender is about to be answered: whoever is told so first sends it, and nobody else ever does. */
  answering: (state: Mail | undefined, _ask: object, { at }) => {
    if (!state || state.answer) return { reply: { mayAnswer: false } };
    return { state: { ...state, answer: { status: "Sending", at } }, reply: { mayAnswer: true } };
  },

  /** Nothing is left to be done. */
  answered: (
    before: Mail | undefined,
    { token, status }: { token: string; status?: NonNullable<Mail["answer"]>["status"] },
    { at },
  ) => {
    if (!before) return { completedJobs: [routing], reply: {} };
    if (!isHolder(before.lease, token)) return { reply: {} };
    const { lease: _, ...now } = before;
    if (status === undefined || (now.answer && now.answer.status !== "Sending"))
      return { state: now, completedJobs: [routing], reply: {} };
    return { state: { ...now, answer: { status, at }, updatedAt: at }, completedJobs: [routing], reply: {} };
  },
});
