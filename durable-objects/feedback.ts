import * as feedback from "../src/areas/feedback/index.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each feedback: what was said of a thing that was read, until it is learnt. */
export class FeedbackObject extends Aggregate<feedback.Feedback> {
  readonly noun = "Feedback";
  readonly decisions = decisionsOf({ feedback });
  urlOf = (id: string) => `/api/v1/feedback/${id}`;
  archiveRow = (state: feedback.Feedback, company: string, id: string): ArchiveRow | undefined =>
    feedback.feedbackRow(state, company, id);
  protected override isSettled = ({ status }: feedback.Feedback) => status !== "Learning";
}
