import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { settling, viewOf, type Feedback } from "./feedback.ts";

type SaidFeedback = Omit<Feedback, "status" | "createdAt" | "updatedAt">;

export const commands = commandsOn<Feedback, object>(
  "FEEDBACK",
  "feedback",
)({
  /** Somebody has said something. What follows of it is work from here on, whoever lives on to do it. */
  give: (now, said: SaidFeedback, { at, id }) => {
    if (now) return { reply: viewOf(now, id) };
    const state: Feedback = { ...said, status: "Learning", createdAt: at, updatedAt: at };
    return { state, jobs: [settling], reply: viewOf(state, id) };
  },

  look: (state) => (state ? { reply: state } : refuse("not_found")),

  /** Its subject took none of the corrections. */
  withdraw: (state, _: object, { at }) =>
    state
      ? { state: { ...state, status: "Withdrawn", updatedAt: at }, completedJobs: [settling], reply: {} }
      : { reply: {} },

  /** Everything that follows of it is done. */
  learnt: (state, { lessons }: { lessons: number }, { at }) =>
    state?.status === "Learning"
      ? { state: { ...state, status: "Learnt", lessons, updatedAt: at }, completedJobs: [settling], reply: {} }
      : { completedJobs: [settling], reply: {} },
});
