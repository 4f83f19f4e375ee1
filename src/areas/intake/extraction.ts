import * as z from "zod";
import type { Context } from "../../http/operation.ts";
import { Problem } from "../../platform/problem.ts";
import { queryInteger } from "../../domain/shapes.ts";
import type { Evidence, Reading, ReadingResult } from "../../extraction/document/reading.ts";
import { withCorrections } from "./correcting.ts";
import { extractionKey, type Envelope, type Intake } from "./intake.ts";

const EvidenceView = z
  .object({
    value: z.unknown(),
    confidence: z.number().min(0).max(1),
    source: z.enum(["Document", "Learned", "Registry", "Computed", "Human"]),
    text: z.string().optional().describe("The words on the page."),
    page: z.number().int().optional(),
    box: z.array(z.number()).length(4).optional().describe("x0, y0, x1, y1 as parts of the page, 0 to 1."),
    feedbackId: z
      .string()
      .optional()
      .describe("Of values that are `Human` or `Learned`: the feedback that said so, or taught it."),
  })
  .meta({ id: "Evidence" });

/** The evidence of one thing found in a file. */
const Evidences = z.object({
  sequenceId: z.number().int(),
  fields: z.record(z.string(), EvidenceView).describe("By JSON pointer into `data`."),
  checks: z.array(
    z.object({ name: z.string(), passed: z.boolean(), detail: z.string(), pointers: z.array(z.string()) }),
  ),
  alternatives: z
    .array(
      z.object({
        pointer: z.string().describe("Where it would have stood."),
        value: z.unknown(),
        confidence: z.number().min(0).max(1),
        reason: z
          .enum(["differs", "not_grounded", "not_valid"])
          .describe("Another value was taken; it is not in the document; its check digits are wrong."),
      }),
    )
    .optional()
    .describe(
      "What an engine read as well and was not taken: where a language model was asked, and where a value was learnt from feedback.",
    ),
  engine: z.string().describe("`lorry-1`, or `lorry-1+model` where a language model had its say."),
  language: z.string().optional(),
  pages: z.number().int(),
  milliseconds: z.number(),
  warnings: z.array(z.string()),
});
export type Evidences = z.output<typeof Evidences>;

/** The same with the id of the thing in front, as its area calls it. */
export const extractionShape = <const Name extends string>(idName: Name, id: string) =>
  z
    .object({ [idName]: z.string() } as Record<Name, z.ZodString>)
    .extend(Evidences.shape)
    .meta({ id });

/** Which of several things in a file is meant. */
export const SequenceQuery = z.object({
  sequenceId: queryInteger(0, 9999).optional().describe("Which one of those in the file, 0 when not said."),
});

/** The evidence of each thing that was found; of a file in which nothing was, what was looked at. */
export function extractionsOf(result: ReadingResult<unknown>, milliseconds: number): Evidences[] {
  const { engine, language, pages, warnings } = result;
  const items: Pick<Reading<unknown>, "evidence" | "checks" | "alternatives">[] =
    result.items.length > 0 ? result.items : [{ evidence: [], checks: [] }];
  return items.map(({ evidence, checks, alternatives }, sequenceId) => ({
    sequenceId,
    fields: Object.fromEntries(evidence.map(told)),
    checks,
    alternatives,
    engine,
    language,
    pages,
    milliseconds,
    warnings,
  }));
}

/** What is known of how words on a picture were made out stays here. */
function told(evidence: Evidence): [pointer: string, Omit<Evidence, "pointer" | "seen">] {
  const { pointer, seen: _, ...rest } = evidence;
  return [pointer, rest];
}

/** The reading has not come to its end. */
export const notProcessedYet = () => new Problem("not_processed_yet", undefined, { headers: { "retry-after": "1" } });

/**
 * The evidence as it was kept.
 * @throws Problem `not_processed_yet`, `not_found` when the file has no such thing
 */
export async function extractionOf<Extraction extends Evidences>(
  { env, caller }: Pick<Context, "env" | "caller">,
  { status, envelopes, evidence, corrected }: Intake,
  place: { folder: string; id: string; sequenceId?: number | undefined },
  viewOf: (envelope: never) => unknown = ({ data }: Envelope) => data,
): Promise<Extraction> {
  if (status === "Processing") throw notProcessedYet();
  const stored = await env.FILES.get(extractionKey(caller.company, place.folder, place.id, evidence));
  const { sequenceId = 0 } = place;
  const isUnread = envelopes.some(({ errorCode }) => errorCode?.startsWith("engine_"));
  const gone = new Problem("not_found", isUnread ? "It could not be read." : "The evidence is no longer kept.");
  if (!stored) throw gone;
  const found = (await stored.json<Extraction[]>())[sequenceId];
  if (!found && envelopes.some((envelope) => envelope.sequenceId === sequenceId)) throw gone;
  if (!found)
    throw new Problem("not_found", `sequenceId ${sequenceId} is none of the ${envelopes.length} in the file.`);
  const envelope = envelopes.find(({ sequenceId }) => sequenceId === found.sequenceId);
  return withCorrections(found, corrected, envelope && viewOf(envelope as never));
}
