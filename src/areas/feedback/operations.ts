import * as z from "zod";
import { requireScope } from "../../http/caller.ts";
import { holds, type Caller, type ScopeArea } from "../../platform/credential.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { choice } from "../../domain/shapes.ts";
import { commands } from "./commands.ts";
import { inputExample, metricsExample, viewExample } from "./examples.ts";
import { metricsOf } from "./metrics.ts";
import { countedKinds, FeedbackInput, FeedbackView, Metrics, viewOf, type Feedback } from "./model.ts";
import { listFeedback, ListQuery } from "./search.ts";
import { countedAreas, subjectAreas, subjects } from "./subjects.ts";
import { submit } from "./submit.ts";

const { get, post } = operationsOn<Feedback, object>({
  binding: "FEEDBACK",
  param: "feedbackId",
  scope: "documents",
});

const day = z.iso.date();
const MetricsQuery = z.object({
  from: day.optional().describe("First day, UTC; by default twelve weeks ago."),
  to: day.optional().describe("Last day; by default today."),
  kind: choice(countedKinds).optional(),
});

/**
 * Returns the requested type or kind, otherwise all that the caller may read.
 * @throws Problem `missing_scope`
 */
function readableOf<Name extends string>(areas: Record<Name, ScopeArea>, caller: Caller, requested?: Name): Name[] {
  if (requested) requireScope(caller, `${areas[requested]}:read`);
  const names = requested ? [requested] : (Object.keys(areas) as Name[]);
  return names.filter((name) => holds(caller, `${areas[name]}:read`));
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const [defaultDays, maxDays] = [84, 731];

export const operations = {
  create: post("/api/v1/feedback", {
    summary: "Rate and correct extracted data",
    description:
      "Applies all corrections to the record or none. Their evidence has source `Human` and confidence 1, the event `OrderCorrected` (`OpportunityProcessed`, `DocumentProcessed`) is sent, and a `Partial` or `Failed` record becomes `Succeeded` if its checks pass. Corrections also improve the extraction of later documents of the same sender; values learned this way have the source `Learned`. For a classification only `label` can be corrected, for a transaction `licensePlate`, `vehicleId` and `driver`. In addition to `documents:write` the key needs the scope of the corrected record: `orders:write` for orders, `freights:write` for requests for quotes, `finance:write` for transactions.",
    body: FeedbackInput,
    ok: FeedbackView,
    status: 201,
    refuses: ["not_found", "invalid_state"],
    example: { body: inputExample, reply: viewExample },
    async handle({ body }, context) {
      const { type } = body.subject;
      if (type === "Transaction") requireScope(context.caller, "finance:write");
      else if (type !== "Classification" && type !== "DocumentCollection")
        requireScope(context.caller, subjects[type].scope);
      const { reply, ...more } = await submit(body, context);
      return new Answer(reply, { ...more, headers: { location: `/api/v1/feedback/${reply.feedbackId}` } });
    },
  }),

  list: get("/api/v1/feedback", {
    summary: "List feedback",
    description:
      "Newest first. New feedback appears in the list after about a second. Feedback on records that the key may not read is omitted.",
    query: ListQuery,
    ok: listOf(FeedbackView),
    example: { query: { type: "Order", rating: "Bad" }, reply: { items: [viewExample] } },
    handle: ({ query }, { env, caller }) =>
      listFeedback(env.ARCHIVE, caller.company, query, readableOf(subjectAreas, caller, query.type)),
  }),

  metrics: get("/api/v1/feedback/metrics", {
    summary: "Read the extraction accuracy by field and week",
    description:
      "Calculated from all feedback: corrected values count as wrong, the other values of a corrected or well rated record as right. A bad rating without corrections is not counted. New feedback is included after about a second. Kinds that the key may not read are omitted.",
    query: MetricsQuery,
    ok: Metrics,
    example: { query: { kind: "order" }, reply: metricsExample },
    async handle({ query: { from, to, kind } }, { env, caller }) {
      const last = to ?? new Date().toISOString().slice(0, 10);
      const first = from ?? new Date(Date.parse(last) - defaultDays * dayMilliseconds).toISOString().slice(0, 10);
      const days = (Date.parse(last) - Date.parse(first)) / dayMilliseconds;
      if (days < 0) throw invalid([wrongField(["to"], "too_small", "to must not be before from.")]);
      if (days > maxDays)
        throw invalid([wrongField(["from"], "too_small", `from and to may be at most ${maxDays} days apart.`)]);
      const kinds = readableOf(countedAreas, caller, kind);
      return metricsOf(env.ARCHIVE, caller.company, { from: first, to: last, kinds });
    },
  }),

  read: get("/api/v1/feedback/:feedbackId", {
    summary: "Read feedback",
    description: "The key also needs the scope to read the rated record.",
    ok: FeedbackView,
    example: { reply: viewExample },
    async handle({ params: { feedbackId } }, { caller, execute }) {
      const { reply: feedback, version } = await execute(commands.look, feedbackId, {});
      if (feedback.status === "Withdrawn") throw new Problem("not_found");
      requireScope(caller, `${subjectAreas[feedback.subject.type]}:read`);
      return new Answer(viewOf(feedback, feedbackId), { version });
    },
  }),
};
