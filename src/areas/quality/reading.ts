import { assess, type Assessment } from "../../extraction/assess-quality.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { kindNames, kinds } from "../../extraction/kinds/kinds.ts";
import { engine } from "../../extraction/extract.ts";
import type { ReadingResult } from "../../extraction/document/reading.ts";
import { kindOfType as kindOfDocument } from "../documents/kinds.ts";
import { readingAt, removingAt } from "../intake/index.ts";
import { assessing, folder, type Quality } from "./record.ts";
import type { FoundType, QualityFindings } from "./shapes.ts";
import { commands } from "./commands.ts";

/** The work `quality.assess`: the pages of a file are looked at, and what of it can be read is read. */
export const assessed = readingAt<Quality, ReadingResult<QualityFindings>>({
  work: assessing,
  folder,
  idName: "documentId",
  commands,
  async read({ expectedType }, file, context, tools) {
    const kind = expectedType && kindOfDocument(expectedType);
    const found = await assess(file, { ...(kind && { kind }), signed: kind === "cmr" }, context, tools);
    return {
      status: "Read",
      items: [{ data: findingsOf(found), evidence: [], checks: [] }],
      engine,
      pages: found.pages.length,
      format: "Image",
      warnings: found.warnings,
    };
  },
  found: ({ items }) => items.map(({ data }) => ({ sequenceId: 0, status: "Succeeded" as const, data })),
  nothing: { reason: "file_corrupted", message: "The file cannot be looked at." },
});

/** The work `quality.remove`. */
export const remove = removingAt({ folder, commands });

const typesByKind = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, kinds[kind].apiName.plural])),
  statement: "Statements",
  other: "Other",
} as Record<DocumentKind, FoundType>;

/** The type of a kind, as the API spells it. */
export const typeOf = (kind: DocumentKind): FoundType => typesByKind[kind];

export const kindOfType = (type: FoundType): DocumentKind =>
  (Object.keys(typesByKind) as DocumentKind[]).find((kind) => typeOf(kind) === type) ?? "other";

function findingsOf({
  verdict,
  score,
  reasons,
  pages,
  kind,
  confidence,
  signatures,
  stamps,
  numbers,
  missingPages,
}: Assessment): QualityFindings {
  return {
    verdict,
    score,
    reasons,
    pages: pages.map(({ measures, ...page }) => {
      const { marks: _, ...measured } = measures ?? {};
      return { ...page, ...measured };
    }),
    found: {
      ...(kind && confidence !== undefined && { type: typeOf(kind), confidence: Math.round(confidence * 100) / 100 }),
      signatures,
      stamps,
      numbers,
      missingPages,
    },
  };
}
