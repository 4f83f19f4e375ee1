import * as z from "zod";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { choice, Metadata, ProcessingStatus, optional } from "../../domain/shapes.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { kindNames, kinds } from "../../extraction/kinds/kinds.ts";
import { flaws, verdicts, type Flaw } from "../../extraction/quality/verdict.ts";
import { languageCodes, messagesIn } from "../../i18n/language.ts";
import { documentTypes, type DocumentType } from "../documents/kinds.ts";
import { receivedShape, type Envelope, type FileArea, type Intake } from "../intake/model.ts";
import { viewExample } from "./examples.ts";

/** Returns one sentence of advice about the first flaw, the most severe one; in English if the language is unknown. */
export const adviceOn = ([worst]: readonly Flaw[], language = "en"): string => {
  const advice: Record<Flaw | "Good", string> = messagesIn(language).quality;
  return advice[worst ?? "Good"];
};

/** Fields that may be sent with a file. */
export const QualityFields = z
  .object({
    expectedType: optional(choice(documentTypes)).describe(
      "Expected type. Documents of another type, and CMR notes without signature or stamp, are then reported.",
    ),
    language: optional(choice(languageCodes)).describe("Language of the advice, ISO 639-1; `en` by default."),
    metadata: optional(Metadata),
  })
  .meta({ id: "QualityFields" });

export const QualityVerdict = z.enum(verdicts).meta({ id: "QualityVerdict" });
export const QualityReason = z.enum(flaws).meta({ id: "QualityReason" });

const Judgement = {
  verdict: QualityVerdict,
  score: z.number().int().min(0).max(100),
  reasons: z.array(QualityReason).describe("Problems, the most severe first."),
};

const Fraction = z.number().min(0).max(1);

const QualityPage = z
  .object({
    page: z.number().int().min(1),
    ...Judgement,
    width: z
      .number()
      .int()
      .optional()
      .describe("Pixels, of the upright page. Pages of text have none of the following measurements."),
    height: z.number().int().optional(),
    resolution: z
      .number()
      .int()
      .optional()
      .describe("Pixels per inch. For an image, the calculation assumes an A4 page."),
    letterHeight: z
      .number()
      .int()
      .optional()
      .describe("Pixels. Text recognition works well from 12 and hardly below 6."),
    blur: Fraction.optional().describe("0 is sharp, 1 is unreadable."),
    darkness: Fraction.optional().describe("Darkness of the paper, 0 is white."),
    glare: Fraction.optional().describe("Fraction of the page that is overexposed."),
    crop: z
      .array(z.enum(["Left", "Top", "Right", "Bottom"]))
      .optional()
      .describe("Edges at which text is cut off."),
    skew: z.number().optional().describe("Clockwise rotation of the lines in degrees."),
    rotation: z
      .literal([0, 90, 180, 270])
      .optional()
      .describe("Clockwise rotation in degrees that makes the page upright."),
    blank: z.boolean().optional(),
  })
  .meta({ id: "QualityPage" });

export const foundTypes = [
  ...documentTypes,
  "Orders",
  "Opportunities",
  "DriverDocuments",
  "Statements",
  "Other",
] as const;
export type FoundType = (typeof foundTypes)[number];

const typesByKind = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, kinds[kind].apiName.plural])),
  statement: "Statements",
  other: "Other",
} as Record<DocumentKind, FoundType>;

export const typeOf = (kind: DocumentKind): FoundType => typesByKind[kind];

export const kindOfType = (type: FoundType): DocumentKind =>
  (Object.keys(typesByKind) as DocumentKind[]).find((kind) => typeOf(kind) === type) ?? "other";

const QualityFound = z
  .object({
    type: z.enum(foundTypes).optional().describe("Type detected from the text, if it is readable."),
    confidence: Fraction.optional(),
    signatures: z.number().int().describe("Number found on scanned pages."),
    stamps: z.number().int().describe("Number found on scanned pages."),
    numbers: z.array(z.string()).describe("Order numbers and other references."),
    missingPages: z.array(z.number().int()).describe("Missing pages, by the page numbers in the document (1 of 3)."),
  })
  .meta({ id: "QualityFound" });

/** The result of the quality check of a file. */
export const QualityFindings = z.object({ ...Judgement, pages: z.array(QualityPage), found: QualityFound });
export type QualityFindings = z.output<typeof QualityFindings>;

export const QualityView = z
  .object({
    documentId: z.string(),
    status: ProcessingStatus,
    message: z.string().optional(),
    errorCode: z.string().optional(),
    expectedType: z.enum(documentTypes).optional(),
    fileName: z.string(),
    ...QualityFindings.partial().shape,
    advice: z.string().optional().describe("What to do, as one sentence."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Quality" });
export type QualityView = z.output<typeof QualityView>;

/** A quality check as an item of a list, without the results of its pages. */
export const QualityRow = QualityView.omit({ pages: true }).meta({ id: "QualityRow" });
export type QualityRow = z.output<typeof QualityRow>;

export const ReceivedQuality = receivedShape("documentId", "ReceivedQuality", {
  quality: QualityView.optional().describe("With `Prefer: wait=N`, if the check has ended."),
});

export const events = {
  QualityDeleted: z.object({ documentId: z.string() }).meta({
    id: "QualityDeleted",
    description: "The quality check of a file was deleted, with the file.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

interface QualityEnvelope extends Envelope {
  data?: QualityFindings;
}

/** A file whose quality is checked. */
export interface Quality extends Intake<QualityEnvelope> {
  expectedType?: DocumentType;
  /** ISO 639-1. */
  language?: string;
}

export const files: FileArea<"documentId"> = {
  binding: "QUALITY",
  folder: "quality",
  idName: "documentId",
  jobs: { extract: "quality.assess", remove: "quality.remove" },
};

/** Returns the key under which the same bytes are checked once: their expected type and the language of the advice. */
export const variantOf = ({ expectedType, language }: Pick<Quality, "expectedType" | "language">): string =>
  `${expectedType ?? "any"}/${language ?? "en"}`;

export function viewOf(state: Quality, documentId: string): QualityView {
  const { status, envelopes, expectedType, language, metadata, file, createdAt, updatedAt } = state;
  const { message, errorCode, data } = envelopes[0] ?? {};
  return {
    documentId,
    status,
    ...omitUndefined({ message, errorCode, expectedType }),
    fileName: file.name,
    ...data,
    ...(data && { advice: adviceOn(data.reasons, language) }),
    ...omitUndefined({ metadata }),
    createdAt,
    updatedAt,
  };
}
