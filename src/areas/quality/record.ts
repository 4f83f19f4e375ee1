import { given } from "../../kit/given.ts";
import type { Envelope, Intake } from "../intake/index.ts";
import type { DocumentType } from "../documents/kinds.ts";
import { adviceOn } from "./advice.ts";
import type { QualityFindings, QualityView } from "./shapes.ts";

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
/** Where its file lies in R2. */
export const folder = "quality";

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
