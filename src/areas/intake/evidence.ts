import * as z from "zod";
import type { Context } from "../../http/operation.ts";
import { Problem } from "../../platform/problem.ts";
import { queryInteger } from "../../domain/shapes.ts";
import type { Evidence, ExtractedItem, ExtractionResult } from "../../extraction/document/extraction-result.ts";
import { withCorrections } from "./corrections.ts";
import { evidenceKey, type Envelope, type Intake } from "./model.ts";

const EvidenceView = z
  .object({
    value: z.unknown(),
    confidence: z.number().min(0).max(1),
    source: z.enum(["Document", "Learned", "Registry", "Computed", "Human"]),
    text: z.string().optional().describe("The text on the page."),
    page: z.number().int().optional(),
    box: z
      .array(z.number())
      .length(4)
      .optional()
      .describe("x0, y0, x1, y1 as fractions of the page width and height, 0 to 1."),
    feedbackId: z
      .string()
      .optional()
      .describe("The feedback that set the value (`Human`) or from which it was learned (`Learned`)."),
  })
  .meta({ id: "Evidence" });

const Evidences = z.object({
  sequenceId: z.number().int(),
  fields: z.record(z.string(), EvidenceView).describe("By JSON pointer into `data`."),
  checks: z.array(
    z.object({ name: z.string(), passed: z.boolean(), detail: z.string(), pointers: z.array(z.string()) }),
  ),
  alternatives: z
    .array(
      z.object({
        pointer: z.string().describe("JSON pointer of the field it was a candidate for."),
        value: z.unknown(),
        confidence: z.number().min(0).max(1),
        reason: z
          .enum(["differs", "not_grounded", "not_valid"])
          .describe(
            "`differs`: another value was chosen. `not_grounded`: the value is not in the document. `not_valid`: its check digits are wrong.",
          ),
      }),
    )
    .optional()
    .describe(
      "Candidate values that were not chosen. Present if a language model was used or a value was learned from feedback.",
    ),
  engine: z.string().describe("`lorry-1`, or `lorry-1+model` when a language model was used."),
  language: z.string().optional(),
  pages: z.number().int(),
  milliseconds: z.number(),
  warnings: z.array(z.string()),
});
export type Evidences = z.output<typeof Evidences>;

/** Returns the schema of the response with the evidence, in which the record's id has the name `idName`. */
export const evidenceShape = <const Name extends string>(idName: Name, id: string) =>
  z
    .object({ [idName]: z.string() } as Record<Name, z.ZodString>)
    .extend(Evidences.shape)
    .meta({ id });

/** Selects one item of a file that has several. */
export const SequenceQuery = z.object({
  sequenceId: queryInteger(0, 9999)
    .optional()
    .describe("Number of the item (order, lane or document) in the file, from 0. Default: 0."),
});

/** Returns the evidence of each item; if no item was found, one without fields. */
export function evidenceOf(result: ExtractionResult<unknown>, milliseconds: number): Evidences[] {
  const { engine, language, pages, warnings } = result;
  const items: Pick<ExtractedItem<unknown>, "evidence" | "checks" | "alternatives">[] =
    result.items.length > 0 ? result.items : [{ evidence: [], checks: [] }];
  return items.map(({ evidence, checks, alternatives }, sequenceId) => ({
    sequenceId,
    fields: Object.fromEntries(evidence.map(publicEvidence)),
    checks,
    alternatives,
    engine,
    language,
    pages,
    milliseconds,
    warnings,
  }));
}

/** Without internal details: how sure the text recognition was, and whether the labeller found the value. */
function publicEvidence(evidence: Evidence): [pointer: string, Omit<Evidence, "pointer" | "seen" | "labelled">] {
  const { pointer, seen: _, labelled: __, ...rest } = evidence;
  return [pointer, rest];
}

export const notProcessedYet = () => new Problem("not_processed_yet", undefined, { headers: { "retry-after": "1" } });

/**
 * Reads the stored evidence and applies later corrections.
 * @throws Problem `not_processed_yet`, or `not_found` if the file could not be processed, has no item with this
 *   `sequenceId`, or its evidence is no longer stored
 */
export async function readEvidence<Extraction extends Evidences>(
  { env, caller }: Pick<Context, "env" | "caller">,
  { status, envelopes, evidence, corrected }: Intake,
  { folder, id, sequenceId = 0 }: { folder: string; id: string; sequenceId?: number | undefined },
  viewOf: (envelope: never) => unknown = ({ data }: Envelope) => data,
): Promise<Extraction> {
  if (status === "Processing") throw notProcessedYet();
  const stored = await env.FILES.get(evidenceKey(caller.company, folder, id, evidence));
  const isUnread = envelopes.some(({ errorCode }) => errorCode?.startsWith("engine_"));
  const gone = new Problem(
    "not_found",
    isUnread ? "The file could not be processed." : "The evidence is no longer stored.",
  );
  if (!stored) throw gone;
  const item = (await stored.json<Extraction[]>())[sequenceId];
  if (!item && envelopes.some((envelope) => envelope.sequenceId === sequenceId)) throw gone;
  if (!item)
    throw new Problem("not_found", `The file has ${envelopes.length} items, none with sequenceId ${sequenceId}.`);
  const envelope = envelopes.find(({ sequenceId }) => sequenceId === item.sequenceId);
  return withCorrections(item, corrected, envelope && viewOf(envelope as never));
}
