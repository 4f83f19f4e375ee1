import type * as z from "zod";
import { refuse } from "../../kit/decision.ts";
import { Answer } from "../../kit/http.ts";
import { operationsOn, type Context } from "../../kit/operation.ts";
import { takeIn } from "../intake/index.ts";
import { receivedExample, viewExample } from "./example.ts";
import { folder, viewOf, type Quality } from "./record.ts";
import { QualityFields, QualityView, ReceivedQuality } from "./shapes.ts";
import { steps } from "./steps.ts";

const { get, post } = operationsOn<Quality>({ binding: "QUALITY", param: "documentId", scope: "documents" });

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
    decide: (now, _, { id }) => (now ? { reply: viewOf(now, id) } : refuse("not_found")),
  }),
};

/** The same bytes are looked at once for each type they should be and each language of the advice. */
async function receive(
  context: Context,
  { expectedType, language, metadata }: z.output<typeof QualityFields>,
): Promise<Answer<z.input<typeof ReceivedQuality>>> {
  const door = { binding: "QUALITY" as const, folder, steps };
  const said = { ...(expectedType && { expectedType }), ...(language && { language }), ...(metadata && { metadata }) };
  const as = `${expectedType ?? "any"}/${language ?? "en"}`;
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
