import * as z from "zod";
import { anyOf, listArchive } from "../../platform/archive/archive.ts";
import { requireScope } from "../../http/caller.ts";
import { holds, type Caller, type ScopeArea } from "../../platform/credential.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { listOf, listParameters } from "../../platform/lists.ts";
import { choice, Id, QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";
import { inputExample, metricsExample, viewExample } from "./examples.ts";
import { there, viewOf, type Feedback } from "./feedback.ts";
import { given } from "./submit.ts";
import { metricsOf } from "./metrics.ts";
import { countedKinds, FeedbackInput, FeedbackView, Metrics, ratings, subjectTypes } from "./shapes.ts";
import { commands } from "./commands.ts";
import { countedAreas, subjectAreas, subjects } from "./subjects.ts";

const { get, post } = operationsOn<Feedback, object>({
  binding: "FEEDBACK",
  param: "feedbackId",
  scope: "documents",
});

const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt"]),
  type: choice(subjectTypes).optional(),
  subjectId: Id.optional().describe("What it was said of."),
  kind: choice(countedKinds).optional(),
  rating: choice(ratings).optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  text: z.string().max(200).optional().describe("Words of the comments; each may be the beginning of one."),
});

const day = z.iso.date();
const MetricsQuery = z.object({
  from: day.optional().describe("The first day, UTC; twelve weeks ago when not said."),
  to: day.optional().describe("The last one; today when not said."),
  kind: choice(countedKinds).optional(),
});

/** Those of these that the caller may read; the one that is asked for must be one. @throws Problem `missing_scope` */
function readableOf<Name extends string>(areas: Record<Name, ScopeArea>, caller: Caller, asked?: Name): Name[] {
  if (asked) requireScope(caller, `${areas[asked]}:read`);
  const names = asked ? [asked] : (Object.keys(areas) as Name[]);
  return names.filter((name) => holds(caller, `${areas[name]}:read`));
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const [usualDays, mostDays] = [84, 731];

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
      const { reply, ...more } = await given(body, context);
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
    async handle({ query }, { env, caller }) {
      const { type, subjectId, kind, rating } = query;
      const terms = Object.entries({ subject: subjectId, kind, rating }).flatMap(([name, value]) =>
        value ? [`${name}:${value}`] : [],
      );
      const types = readableOf(subjectAreas, caller, type);
      return listArchive<FeedbackView>(env.ARCHIVE, {
        table: "feedback",
        company: caller.company,
        terms: [
          ...[there, ...terms].map((term) => anyOf(term)),
          ...(types.length < subjectTypes.length ? [anyOf(...types.map((one) => `type:${one}`))] : []),
        ],
        ranges: [
          { column: "createdAt", from: query.createdFrom, to: query.createdTo },
          { column: "updatedAt", from: query.updatedSince },
        ],
        text: query.text,
        sort: query.sort ?? "-createdAt",
        limit: query.limit ?? 50,
        cursor: query.cursor,
      });
    },
  }),

  metrics: get("/api/v1/feedback/metrics", {
    summary: "Read the extraction accuracy by field and week",
    description:
      "Calculated from all feedback: corrected values were wrong; the other values of a corrected or well rated record were right. A bad rating without corrections counts no field. New feedback is included after about a second. Kinds that the key may not read are omitted.",
    query: MetricsQuery,
    ok: Metrics,
    example: { query: { kind: "order" }, reply: metricsExample },
    async handle({ query: { from, to, kind } }, { env, caller }) {
      const last = to ?? new Date().toISOString().slice(0, 10);
      const first = from ?? new Date(Date.parse(last) - usualDays * dayMilliseconds).toISOString().slice(0, 10);
      const days = (Date.parse(last) - Date.parse(first)) / dayMilliseconds;
      if (days < 0) throw invalid([wrongField(["to"], "too_small", "to is before from.")]);
      if (days > mostDays)
        throw invalid([wrongField(["from"], "too_small", `from and to are ${mostDays} days apart at most.`)]);
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
      const { reply: now, version } = await execute(commands.look, feedbackId, {});
      if (now.status === "Withdrawn") throw new Problem("not_found");
      requireScope(caller, `${subjectAreas[now.subject.type]}:read`);
      return new Answer(viewOf(now, feedbackId), { version });
    },
  }),
};
