import * as z from "zod";
import { kindNames as documentKindNames } from "../documents/kinds.ts";
import { choice, Id, said, Text } from "../../domain/shapes.ts";

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
/** What is counted, as metrics name it: kinds of documents, and mails. */
export const countedKinds = ["order", "opportunity", ...documentKindNames, "classification", "transaction"] as const;
export type CountedKind = (typeof countedKinds)[number];

const mostCorrections = 100;

const Subject = z.object({
  type: choice(subjectTypes),
  id: Id,
  sequenceId: z
    .number()
    .int()
    .min(0)
    .max(9999)
    .optional()
    .describe("Which of several orders or lanes of a file, the first when not said."),
});

const anything = z.unknown().describe("As the field has it. `null` where the document says nothing of the kind.");

const CorrectionInput = z
  .object({
    path: z
      .string()
      .min(1)
      .max(300)
      .describe("Where in `data`, as JSON pointer (`/locations/0/city`) or dotted (`locations[0].city`)."),
    value: anything,
    comment: said(Text(2000)),
  })
  .refine((given) => "value" in given && given.value !== undefined, {
    path: ["value"],
    message: "value is required; null takes the field out",
    params: { code: "required" },
  })
  .meta({ id: "Correction" });

export const FeedbackInput = z
  .object({
    subject: Subject,
    rating: choice(ratings),
    corrections: z.array(CorrectionInput).max(mostCorrections).nullish(),
    comment: said(Text(10_000)),
  })
  .meta({ id: "FeedbackInput" });
export type FeedbackInput = z.output<typeof FeedbackInput>;

const Judged = z.object({
  field: z.string().describe("A pointer into `data`; items of lists are one field (`/locations/*/city`)."),
  right: z.number().int(),
  wrong: z.number().int(),
});
export type Judged = z.output<typeof Judged>;

export const FeedbackView = z
  .object({
    feedbackId: z.string(),
    subject: z.object({ type: z.enum(subjectTypes), id: z.string(), sequenceId: z.number().int() }),
    kind: z.enum(countedKinds).optional().describe("As what it was read."),
    rating: z.enum(ratings),
    corrections: z.array(
      z.object({
        path: z.string().describe("As JSON pointer."),
        before: z.unknown().optional().describe("What was read; absent where nothing was."),
        value: z.unknown(),
        comment: z.string().optional(),
      }),
    ),
    comment: z.string().optional(),
    fields: z
      .array(Judged)
      .describe(
        "How often what was read was right: corrected values are wrong, all other values that were read are right. Computed values and those of the gazetteer (`source` `Computed`, `Registry`) count only when they are corrected themselves.",
      ),
    status: z
      .enum(["Learning", "Learnt"])
      .describe("`Learning` until the next document of the same sender is read with it."),
    lessons: z.number().int().optional().describe("How many things were learnt of it."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Feedback" });
export type FeedbackView = z.output<typeof FeedbackView>;

const count = z.number().int();
const accuracy = z.number().min(0).max(1).describe("Right of all that was judged.");

export const Metrics = z
  .object({
    from: z.string().describe("The first day that is counted."),
    to: z.string().describe("The last one."),
    kinds: z.array(
      z.object({
        kind: z.enum(countedKinds),
        feedback: count.describe("How many were given."),
        right: count,
        wrong: count,
        accuracy: accuracy.optional().describe("Absent where nothing was judged."),
      }),
    ),
    fields: z.array(
      z.object({
        week: z.string().describe("Its Monday."),
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
