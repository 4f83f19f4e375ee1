import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { settling, viewOf, type Feedback } from "./feedback.ts";

type SaidFeedback = Omit<Feedback, "status" | "createdAt" | "updatedAt">;

export const commands = commandsOn<Feedback, object>(
  "FEEDBACK",
  "feedback",
)({
  /** Somebody has said something. What follows of it is work from here on, whoever lives on to do it. */
  give: (state, said: SaidFeedback, { at, id }) => {
    if (state) return { reply: viewOf(state, id) };
    const next: Feedback = { ...said, status: "Learning", createdAt: at, updatedAt: at };
    return { state: next, jobs: [settling], reply: viewOf(next, id) };
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
