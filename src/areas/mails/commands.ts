import { refuse } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { maxAttempts, maxFaults, routeJob, viewOf, type events, type Mail } from "./model.ts";

type ReceivedMail = Pick<Mail, "file" | "from" | "subject" | "messageId" | "isAutomatic">;
type RoutingResult = Pick<Mail, "status" | "ignoredBecause" | "label" | "kind" | "routed" | "notRouted">;

export const commands = commandsOn<Mail, typeof events>(
  "MAILS",
  "mails",
)({
  /** Idempotent. */
  receive: (state: Mail | undefined, mail: ReceivedMail, { at }) =>
    state
      ? { reply: { isNew: false } }
      : {
          state: { ...mail, status: "Received", routed: [], createdAt: at, updatedAt: at },
          jobs: [routeJob],
          reply: { isNew: true },
        },

  look: (state: Mail | undefined) => (state ? { reply: state } : refuse("not_found")),

  /**
   * Takes the lease for an attempt to route the mail. The mail fails after too many interrupted attempts or internal
   * errors. `skipsFaulty`: this attempt skips files that cannot be submitted; see `maxAttempts`.
   */
  begin: (state: Mail | undefined, { token }: { token: string }, { at }) => {
    if (!state) return refuse("not_found");
    if (state.answer && state.answer.status !== "Sending")
      return { completedJobs: [routeJob], reply: { go: "Done" as const } };
    if (isHeld(state.lease, at)) return { reply: { go: "Busy" as const } };
    const attempts = attemptsAfter(state.lease, state.attempts ?? 0);
    const { faults = 0 } = state;
    const isExhausted = state.status === "Received" && (attempts >= maxAttempts || faults >= maxFaults);
    const next: Mail = {
      ...state,
      attempts,
      lease: leaseFor(token, at),
      ...(isExhausted && { status: "Failed", updatedAt: at }),
    };
    return {
      state: next,
      reply: { go: "Route" as const, mail: next, skipsFaulty: attempts + faults >= maxAttempts - 1 },
    };
  },

  renew: renewLease<Mail>,

  release: (state: Mail | undefined, { token }: { token: string }) => {
    if (!state || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, faults: (state.faults ?? 0) + 1 }, reply: {} };
  },

  view: (state: Mail | undefined, _: object, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),

  routed: (state: Mail | undefined, { token, ...result }: RoutingResult & { token: string }, { at }) => {
    if (state?.status !== "Received" || !isHolder(state.lease, token)) return { reply: {} };
    return { state: { ...state, ...result, updatedAt: at }, reply: {} };
  },

  /** Reserves the reply. Only the first caller may send it, so that it is never sent twice. */
  answering: (state: Mail | undefined, _: object, { at }) => {
    if (!state || state.answer) return { reply: { mayAnswer: false } };
    return { state: { ...state, answer: { status: "Sending", at } }, reply: { mayAnswer: true } };
  },

  /** Completes the job and records whether the reply was sent. */
  answered: (
    state: Mail | undefined,
    { token, status }: { token: string; status?: NonNullable<Mail["answer"]>["status"] },
    { at },
  ) => {
    if (!state) return { completedJobs: [routeJob], reply: {} };
    if (!isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    if (status === undefined || (rest.answer && rest.answer.status !== "Sending"))
      return { state: rest, completedJobs: [routeJob], reply: {} };
    return { state: { ...rest, answer: { status, at }, updatedAt: at }, completedJobs: [routeJob], reply: {} };
  },
});
