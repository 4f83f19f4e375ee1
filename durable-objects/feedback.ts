import { commands } from "../src/areas/feedback/commands.ts";
import type { Feedback } from "../src/areas/feedback/model.ts";
import { operations } from "../src/areas/feedback/operations.ts";
import { feedbackRow } from "../src/areas/feedback/search.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each feedback on an extracted record: the corrections, and whether they have been learned. */
export class FeedbackObject extends Aggregate<Feedback> {
  readonly noun = "Feedback";
  readonly decisions = decisionsOf({ feedback: { operations, commands } });
  urlOf = (id: string) => `/api/v1/feedback/${id}`;
  archiveRow = feedbackRow;
  protected override isComplete = ({ status }: Feedback) => status !== "Learning";
}
