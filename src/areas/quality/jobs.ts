import { assessFile, type Assessment } from "../../extraction/assess-quality.ts";
import { engine } from "../../extraction/extract.ts";
import type { ExtractionResult } from "../../extraction/document/extraction-result.ts";
import { kindOfType as kindOfDocument } from "../documents/kinds.ts";
import { fileJobs } from "../intake/jobs.ts";
import { commands } from "./commands.ts";
import { files, typeOf, type Quality, type QualityFindings } from "./model.ts";

/** In this area, the "extraction" of a file checks the quality of its pages and recognises their text. */
export const jobs = fileJobs<Quality, ExtractionResult<QualityFindings>>(files, {
  commands,
  async extract({ expectedType }, file, context, tools) {
    const kind = expectedType && kindOfDocument(expectedType);
    const assessment = await assessFile(file, { ...(kind && { kind }), signed: kind === "cmr" }, context, tools);
    return {
      status: "Read",
      items: [{ data: findingsOf(assessment), evidence: [], checks: [] }],
      engine,
      pages: assessment.pages.length,
      format: "Image",
      warnings: assessment.warnings,
    };
  },
  envelopesOf: ({ items }) => items.map(({ data }) => ({ sequenceId: 0, status: "Succeeded" as const, data })),
  nothingFound: { reason: "file_corrupted", message: "The quality of the file cannot be checked." },
});

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
