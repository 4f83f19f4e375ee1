import type * as z from "zod";
import { anyOf, type ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, searchable, words } from "../../platform/archive/searchable.ts";
import { choice, Id } from "../../domain/shapes.ts";
import {
  countedKinds,
  ratings,
  subjectTypes,
  viewOf,
  type Feedback,
  type FeedbackView,
  type SubjectType,
} from "./model.ts";

const search = searchable<Feedback, FeedbackView>()({
  table: "feedback",
  sort: ["createdAt", "updatedAt"],
  presence: "there:yes",
  fields: {
    type: exact(choice(subjectTypes).optional(), ({ subject }: Feedback) => subject.type),
    subjectId: {
      shape: Id.optional().describe("Id of the rated record."),
      terms: ({ subject }: Feedback) => [`subject:${subject.id}`],
      conditions: (id: string) => ({ terms: [anyOf(`subject:${id}`)] }),
    },
    kind: exact(choice(countedKinds).optional(), ({ kind }: Feedback) => kind),
    rating: exact(choice(ratings).optional(), ({ rating }: Feedback) => rating),
    ...createdBetween,
    text: words("Words of the comments; each matches the beginning of a word."),
  },
  text: ({ comment, corrections }) => [comment, ...corrections.map((correction) => correction.comment)],
});

export const ListQuery = search.query;

/**
 * Lists one page of the feedback on records of these types.
 * @throws Problem `invalid_cursor`
 */
export function listFeedback(
  archive: D1Database,
  company: string,
  query: z.output<typeof ListQuery>,
  types: readonly SubjectType[],
) {
  const isRestricted = !query.type && types.length < subjectTypes.length;
  const restriction = isRestricted ? { terms: [anyOf(...types.map((type) => `type:${type}`))] } : {};
  return search.list(archive, company, query, restriction);
}

/** Builds the archive row of feedback. Withdrawn feedback is neither listed nor counted. */
export const feedbackRow = (feedback: Feedback, company: string, id: string): ArchiveRow =>
  feedback.status === "Withdrawn"
    ? search.tombstone(company, id)
    : search.row(feedback, {
        id,
        company,
        createdAt: feedback.createdAt,
        updatedAt: feedback.updatedAt,
        view: viewOf(feedback, id),
      });
