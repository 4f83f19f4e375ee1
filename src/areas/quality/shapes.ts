import * as z from "zod";
import { listParameters } from "../../platform/lists.ts";
import {
  choice,
  Metadata,
  ProcessingStatus,
  processingStatuses,
  QueryMoment,
  QueryMomentEnd,
  said,
} from "../../domain/shapes.ts";
import { flaws, verdicts } from "../../extraction/quality/verdict.ts";
import { documentTypes } from "../documents/kinds.ts";
import { adviceLanguages } from "./advice.ts";

// What it is

/** What comes with a file. */
export const QualityFields = z
  .object({
    expectedType: said(choice(documentTypes)).describe(
      "What it should be. What another type of document is, and a CMR note without signature or stamp, is then told.",
    ),
    language: said(choice(adviceLanguages)).describe("Of the advice, ISO 639-1; `en` when not said."),
    metadata: said(Metadata),
  })
  .meta({ id: "QualityFields" });

export const QualityVerdict = z.enum(verdicts).meta({ id: "QualityVerdict" });
export const QualityReason = z.enum(flaws).meta({ id: "QualityReason" });

const Judgement = {
  verdict: QualityVerdict,
  score: z.number().int().min(0).max(100),
  reasons: z.array(QualityReason).describe("What is wrong, the worst first."),
};

const Part = z.number().min(0).max(1);

const QualityPage = z
  .object({
    page: z.number().int().min(1),
    ...Judgement,
    width: z
      .number()
      .int()
      .optional()
      .describe("Pixels, as it is to be looked at. Pages of text have none of what follows."),
    height: z.number().int().optional(),
    resolution: z.number().int().optional().describe("Pixels to the inch; of a picture as if it showed an A4 page."),
    letterHeight: z.number().int().optional().describe("Pixels; from 12 on letters are read well, below 6 hardly."),
    blur: Part.optional().describe("0 is sharp, 1 cannot be read."),
    darkness: Part.optional().describe("Of the paper: 0 is white."),
    glare: Part.optional().describe("How much of the page is washed out."),
    crop: z
      .array(z.enum(["Left", "Top", "Right", "Bottom"]))
      .optional()
      .describe("Sides at which text is cut off."),
    skew: z.number().optional().describe("Degrees the lines are turned clockwise."),
    rotation: z.literal([0, 90, 180, 270]).optional().describe("Degrees clockwise that turn it upright."),
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

const QualityFound = z
  .object({
    type: z.enum(foundTypes).optional().describe("By its words, where it has some that can be read."),
    confidence: Part.optional(),
    signatures: z.number().int().describe("Seen on scanned pages."),
    stamps: z.number().int().describe("Seen on scanned pages."),
    numbers: z.array(z.string()).describe("Of orders and the like."),
    missingPages: z.array(z.number().int()).describe("Of those it says it has (1 of 3)."),
  })
  .meta({ id: "QualityFound" });

/** What a look at a file found. */
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
    advice: z.string().optional().describe("What to do, in one sentence."),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Quality" });
export type QualityView = z.output<typeof QualityView>;

/** In lists, without what was measured of each page. */
export const QualityRow = QualityView.omit({ pages: true }).meta({ id: "QualityRow" });
export type QualityRow = z.output<typeof QualityRow>;

export const QualityListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt"]),
  status: choice(processingStatuses).optional(),
  verdict: choice(verdicts).optional(),
  expectedType: choice(documentTypes).optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words of the file's name; each may be the beginning of one."),
});

export const ReceivedQuality = z
  .object({
    documentId: z.string(),
    duplicateOf: z.string().optional().describe("The same bytes came before, within 180 days: this is what they made."),
    status: ProcessingStatus.optional().describe("With `Prefer: wait=N`."),
    quality: QualityView.optional().describe("With `Prefer: wait=N`, once the file was looked at."),
  })
  .meta({ id: "ReceivedQuality" });
