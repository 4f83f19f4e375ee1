import * as z from "zod";
import { kindNames as documentKindNames } from "../documents/kinds.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { choice, Id, optional, Text } from "../../domain/shapes.ts";
import type { FieldChange } from "../intake/model.ts";

export const subjectTypes = [
  "Order",
  "Opportunity",
  "Document",
  "DocumentCollection",
  "Classification",
  "Transaction",
] as const;
export type SubjectType = (typeof subjectTypes)[number];
export const ratings = ["Good", "Bad"] as const;
/** Kinds of records that metrics count. */
export const countedKinds = ["order", "opportunity", ...documentKindNames, "classification", "transaction"] as const;
export type CountedKind = (typeof countedKinds)[number];

const maxCorrections = 100;

const Subject = z.object({
  type: choice(subjectTypes),
  id: Id,
  sequenceId: z
    .number()
    .int()
    .min(0)
    .max(9999)
    .optional()
    .describe("Number of the order or lane in its file; the first by default."),
});

const correctValue = z
  .unknown()
  .describe("The correct value of the field; `null` if the document does not contain it.");

const CorrectionInput = z
  .object({
    path: z
      .string()
      .min(1)
      .max(300)
      .describe("Path in `data`, as JSON pointer (`/locations/0/city`) or with dots (`locations[0].city`)."),
    value: correctValue,
    comment: optional(Text(2000)),
  })
  .refine((correction) => "value" in correction && correction.value !== undefined, {
    path: ["value"],
    message: "It is required. Send null to remove the field",
    params: { code: "required" },
  })
  .meta({ id: "Correction" });

export const FeedbackInput = z
  .object({
    subject: Subject,
    rating: choice(ratings),
    corrections: z.array(CorrectionInput).max(maxCorrections).nullish(),
    comment: optional(Text(10_000)),
  })
  .meta({ id: "FeedbackInput" });
export type FeedbackInput = z.output<typeof FeedbackInput>;

const FieldCount = z.object({
  field: z.string().describe("JSON pointer into `data`; all items of a list are one field (`/locations/*/city`)."),
  right: z.number().int(),
  wrong: z.number().int(),
});
export type FieldCount = z.output<typeof FieldCount>;

export const FeedbackView = z
  .object({
    feedbackId: z.string(),
    subject: z.object({ type: z.enum(subjectTypes), id: z.string(), sequenceId: z.number().int() }),
    kind: z.enum(countedKinds).optional().describe("Kind of the record."),
    rating: z.enum(ratings),
    corrections: z.array(
      z.object({
        path: z.string().describe("JSON pointer."),
        before: z.unknown().optional().describe("The extracted value; absent if there was none."),
        value: z.unknown(),
        comment: z.string().optional(),
      }),
    ),
    comment: z.string().optional(),
    fields: z
      .array(FieldCount)
      .describe(
        "Right and wrong values by field: corrected values are wrong, all other extracted values are right. Values with the source `Computed` or `Registry` count only if they were corrected.",
      ),
    status: z
      .enum(["Learning", "Learnt"])
      .describe("`Learning` until the corrections are used for the next document of the same sender."),
    lessons: z.number().int().optional().describe("Number of lessons learned from it."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Feedback" });
export type FeedbackView = z.output<typeof FeedbackView>;

const count = z.number().int();
const accuracy = z.number().min(0).max(1).describe("Right values divided by all rated values.");

export const Metrics = z
  .object({
    from: z.string().describe("First day of the period."),
    to: z.string().describe("Last day of the period."),
    kinds: z.array(
      z.object({
        kind: z.enum(countedKinds),
        feedback: count.describe("Number of feedback records."),
        right: count,
        wrong: count,
        accuracy: accuracy.optional().describe("Absent if no value was rated."),
      }),
    ),
    fields: z.array(
      z.object({
        week: z.string().describe("Monday of the week."),
        kind: z.enum(countedKinds),
        field: z.string(),
        right: count,
        wrong: count,
        accuracy,
      }),
    ),
  })
  .meta({ id: "FeedbackMetrics" });
export type Metrics = z.output<typeof Metrics>;

export interface Feedback {
  subject: FeedbackView["subject"];
  kind?: CountedKind;
  rating: FeedbackView["rating"];
  /** Corrections, each with the value that it replaces. */
  corrections: (FieldChange & { comment?: string })[];
  comment?: string;
  fields: FieldCount[];
  /** `Withdrawn`: the corrections could not be applied, and the request was refused. */
  status: "Learning" | "Learnt" | "Withdrawn";
  lessons?: number;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

export type NewFeedback = Omit<Feedback, "status" | "createdAt" | "updatedAt">;

export function viewOf(state: Feedback, feedbackId: string): FeedbackView {
  const { subject, kind, rating, corrections, comment, fields, lessons, createdAt, updatedAt } = state;
  return {
    feedbackId,
    subject,
    ...omitUndefined({ kind }),
    rating,
    corrections: corrections.map(({ pointer, before, value, comment: text }) => ({
      path: pointer,
      ...omitUndefined({ before }),
      value,
      ...omitUndefined({ comment: text }),
    })),
    ...omitUndefined({ comment }),
    fields,
    status: state.status === "Learnt" ? "Learnt" : "Learning",
    ...omitUndefined({ lessons }),
    createdAt,
    updatedAt,
  };
}
