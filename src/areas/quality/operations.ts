import * as z from "zod";
import { anyOf, listArchive } from "../../platform/archive/archive.ts";
import { refuse } from "../../platform/decision.ts";
import { Answer } from "../../http/responses.ts";
import { listOf, usualLimit } from "../../platform/lists.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { isThere, takeIn } from "../intake/index.ts";
import { receivedExample, rowExample, viewExample } from "./examples.ts";
import { claimedAs, folder, viewOf, type events, type Quality } from "./record.ts";
import { QualityFields, QualityListQuery, QualityRow, QualityView, ReceivedQuality } from "./shapes.ts";
import { commands } from "./commands.ts";

const { get, post, del } = operationsOn<Quality, typeof events>({
  binding: "QUALITY",
  param: "documentId",
  scope: "documents",
});

const filters = ["status", "verdict", "expectedType", "internalId"] as const;

export const operations = {
  create: post("/api/v1/documents/quality", {
    summary: "Ask whether a scan or a photograph is good enough",
    description:
      "Pages that are pictures are measured by their pixels; pages that are text can always be read. The words, where they can be read, tell the type of the document, its numbers and whether pages are missing. The answer comes at once; with `Prefer: wait=N` it waits up to N seconds (30 at most) and then holds the verdict. A damaged picture is `Unreadable`, a file that is no document at all is refused.",
    takesFile: true,
    takesBase64: true,
    waits: true,
    body: QualityFields,
    ok: ReceivedQuality,
    status: 202,
    orStatus: 200,
    example: { body: { expectedType: "Cmrs", language: "pl" }, reply: receivedExample },
    handle: ({ body }, context) => receive(context, body),
  }),

  read: get("/api/v1/documents/quality/:documentId", {
    summary: "Read how good a scan or a photograph is",
    description: "While it is being looked at the status is `Processing`.",
    ok: QualityView,
    example: { reply: viewExample },
    decide: (state, _, { id }) => (isThere(state) ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  list: get("/api/v1/documents/quality", {
    summary: "List how good scans and photographs are",
    description: "Newest first unless `sort` says otherwise. A file appears about a second after it came.",
    query: QualityListQuery,
    ok: listOf(QualityRow),
    example: { query: { verdict: "Poor" }, reply: { items: [rowExample] } },
    handle: async ({ query }, { env, caller }) =>
      listArchive<QualityRow>(env.ARCHIVE, {
        table: "quality",
        company: caller.company,
        terms: filters.flatMap((name) => (query[name] === undefined ? [] : [anyOf(`${name}:${query[name]}`)])),
        ranges: [
          { column: "createdAt", from: query.createdFrom, to: query.createdTo },
          { column: "updatedAt", from: query.updatedSince },
        ],
        text: query.text,
        sort: query.sort ?? "-createdAt",
        limit: query.limit ?? usualLimit,
        cursor: query.cursor,
      }),
  }),

  remove: del("/api/v1/documents/quality/:documentId", {
    summary: "Delete how good a scan or a photograph is",
    description: "With its file. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    command: commands.remove,
  }),
};

async function receive(
  context: Context,
  { expectedType, language, metadata }: z.output<typeof QualityFields>,
): Promise<Answer<z.input<typeof ReceivedQuality>>> {
  const door = { binding: "QUALITY" as const, folder, commands };
  const said = { ...(expectedType && { expectedType }), ...(language && { language }), ...(metadata && { metadata }) };
  const as = claimedAs(said);
  const { id, reply, replayed, record } = await takeIn(door, context, context.file!, said, { as });
  const headers = { location: `/api/v1/documents/quality/${id}` };
  if (!record) return new Answer(reply, { replayed, headers });
  const { status } = record;
  const done = status !== "Processing";
  return new Answer(
    { ...reply, status, ...(done && { quality: viewOf(record, id) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}
