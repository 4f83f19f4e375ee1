import type { ArchiveRow } from "../../platform/archive/archive.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import type { FieldChange } from "../intake/index.ts";
import type { CountedKind, FeedbackView, Judged } from "./shapes.ts";

// What is remembered

/** Something said of what was read. */
export interface Feedback {
  subject: FeedbackView["subject"];
  kind?: CountedKind;
  rating: FeedbackView["rating"];
  /** As they were sent, with what they change. */
  corrections: (FieldChange & { comment?: string })[];
  comment?: string;
  fields: Judged[];
  /** `Withdrawn`: its subject did not take the corrections after all, and nobody was told that it did. */
  status: "Learning" | "Learnt" | "Withdrawn";
  lessons?: number;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** The work that applies what was not applied yet, and learns. */
export const settling = "feedback.settle";

export function viewOf(state: Feedback, feedbackId: string): FeedbackView {
  const { subject, kind, rating, corrections, comment, fields, lessons, createdAt, updatedAt } = state;
  return {
    feedbackId,
    subject,
    ...omitUndefined({ kind }),
    rating,
    corrections: corrections.map(({ pointer, before, value, comment: said }) => ({
      path: pointer,
      ...omitUndefined({ before }),
      value,
      ...omitUndefined({ comment: said }),
    })),
    ...omitUndefined({ comment }),
    fields,
    status: state.status === "Learnt" ? "Learnt" : "Learning",
    ...omitUndefined({ lessons }),
    createdAt,
    updatedAt,
  };
}

/** The archive's row; what was withdrawn is in no list and no metrics. */
export function feedbackRow(state: Feedback, company: string, id: string): ArchiveRow | undefined {
  const { subject, kind, rating, comment, corrections, createdAt, updatedAt } = state;
  const isThere = state.status !== "Withdrawn";
  return {
    table: "feedback",
    id,
    company,
    createdAt,
    updatedAt,
    terms: isThere
      ? [there, `type:${subject.type}`, `subject:${subject.id}`, `rating:${rating}`, ...(kind ? [`kind:${kind}`] : [])]
      : [],
    text: isThere ? [comment, ...corrections.map((each) => each.comment)].filter(Boolean).join(" ") : "",
    columns: {},
    view: isThere ? viewOf(state, id) : {},
  };
}

/** What is in a list stands under this. */
export const there = "there:yes";
