import * as z from "zod";
import { termsFrom, tombstone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { given } from "../../platform/omit-undefined.ts";
import type { Envelope, Intake } from "../intake/index.ts";
import type { DocumentType } from "../documents/kinds.ts";
import { adviceOn } from "./advice.ts";
import { viewExample } from "./examples.ts";
import type { QualityFindings, QualityView } from "./shapes.ts";

// What happens to it

export const events = {
  QualityDeleted: z.object({ documentId: z.string() }).meta({
    id: "QualityDeleted",
    description: "A verdict on how well a file can be read was deleted, with the file.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

// What is remembered

/** What was found of how well a file can be read. */
export interface QualityEnvelope extends Envelope {
  data?: QualityFindings;
}

/** A file that is looked at for how well it can be read. */
export interface Quality extends Intake<QualityEnvelope> {
  /** What it should be. */
  expectedType?: DocumentType;
  /** In which the advice is given, ISO 639-1. */
  language?: string;
}

/** The work that looks at it. */
export const assessing = "quality.assess";
/** The work that deletes what is stored of one that was deleted. */
export const removing = "quality.remove";
/** Where its file lies in R2. */
export const folder = "quality";

/** The same bytes are looked at once for each type they should be and each language of the advice. */
export const claimedAs = ({ expectedType, language }: Pick<Quality, "expectedType" | "language">): string =>
  `${expectedType ?? "any"}/${language ?? "en"}`;

export function viewOf(now: Quality, documentId: string): QualityView {
  const { status, envelopes, expectedType, language, metadata, file, createdAt, updatedAt } = now;
  const { message, errorCode, data } = envelopes[0] ?? {};
  return {
    documentId,
    status,
    ...given({ message, errorCode, expectedType }),
    fileName: file.name,
    ...data,
    ...(data && { advice: adviceOn(data.reasons, language) }),
    ...given({ metadata }),
    createdAt,
    updatedAt,
  };
}

/** The archive's row: how it is listed and what it is found by. */
export function qualityRow(now: Quality, company: string, id: string): ArchiveRow {
  if (now.removed) return tombstone("quality", company, id);
  const { pages: _, ...view } = viewOf(now, id);
  const { status, verdict, expectedType, createdAt, updatedAt, metadata } = view;
  const terms = { status, verdict, expectedType, internalId: metadata?.["internalId"] };
  return {
    table: "quality",
    id,
    company,
    createdAt,
    updatedAt,
    terms: termsFrom(terms),
    text: now.file.name,
    columns: {},
    view,
  };
}
