import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { viewOf, type Feedback, type NewFeedback } from "./model.ts";

/** Job that applies the corrections, if the request has not done so, and learns from them. */
const settleJob = "feedback.settle";

export const commands = commandsOn<Feedback, object>(
  "FEEDBACK",
  "feedback",
)({
  /** Stores feedback. Idempotent. */
  give: (state, feedback: NewFeedback, { at, id }) => {
    if (state) return { reply: viewOf(state, id) };
    const next: Feedback = { ...feedback, status: "Learning", createdAt: at, updatedAt: at };
    return { state: next, jobs: [settleJob], reply: viewOf(next, id) };
  },

  look: (state) => (state ? { reply: state } : refuse("not_found")),

  withdraw: (state, _: object, { at }) =>
    state
      ? { state: { ...state, status: "Withdrawn", updatedAt: at }, completedJobs: [settleJob], reply: {} }
      : { reply: {} },

  learnt: (state, { lessons }: { lessons: number }, { at }) =>
    state?.status === "Learning"
      ? { state: { ...state, status: "Learnt", lessons, updatedAt: at }, completedJobs: [settleJob], reply: {} }
      : { completedJobs: [settleJob], reply: {} },
});
