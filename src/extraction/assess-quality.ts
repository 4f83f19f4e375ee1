import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument } from "./document/document.ts";
import { classifyDocument, type DocumentKind, type LikelyKind } from "./kinds/classify.ts";
import { mailEntities } from "./mail/mail-entities.ts";
import { DocumentOcr } from "./ocr/page-ocr.ts";
import { defaultLimits, openDocument } from "./formats/open.ts";
import type { PageMeasures } from "./images/measure.ts";
import { ReadingProblem } from "./problem.ts";
import { measurementsByPage, MeasuringOcr, type PageMeasurement } from "./quality/measuring-ocr.ts";
import { missingPages, numberingOf } from "./quality/numbering.ts";
import { judgedPage, judgementOf, verdictOf, type Judgement, type Loss } from "./quality/verdict.ts";
import type { ReadableFile, ReadingTools } from "./extract.ts";
import type { ReadingContext } from "./document/reading.ts";
import { dayFromIso } from "./entities/relative-date.ts";

/** A page of an assessed file, from 1. */
export interface AssessedPage extends Judgement {
  page: number;
  /** Absent where the page is text and no picture, or the picture is damaged. */
  measures?: PageMeasures;
}

/** How well a file can be read, and what was found in it. */
export interface Assessment extends Judgement {
  pages: AssessedPage[];
  /** The kind its words speak of, where it has words that can be read. */
  kind?: DocumentKind;
  confidence?: number;
  signatures: number;
  stamps: number;
  /** Numbers of orders and the like. */
  numbers: string[];
  /** Pages it says it has and that are not there. */
  missingPages: number[];
  warnings: string[];
}

/** What the file should be; what it lacks of that counts. */
export interface Expected {
  kind?: DocumentKind;
  /** It bears signatures and stamps where it is a scan. */
  signed?: boolean;
  /** Pages need no text: it may be a photograph of goods. */
  wordless?: boolean;
}

const sureOfKind = 0.8;
/** Fewer tell of no kind. */
const fewestLines = 6;

/**
 * How well the pages of a file can be read, by their pixels, and whether all of the document is there, by its words where
 * there is something that reads them.
 * @throws ReadingProblem when the file cannot be opened at all
 */
export async function assess(
  file: ReadableFile,
  expected: Expected,
  context: ReadingContext,
  { gazetteer, budget, recognise }: Pick<ReadingTools, "gazetteer" | "budget" | "recognise">,
): Promise<Assessment> {
  const ocr = recognise && new DocumentOcr(recognise, budget, context.company.country);
  const measuring = new MeasuringOcr({ ...(ocr && { ocr }), budget });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const pages = assessedPages(document, measuring.measurements, expected);
  const today = dayFromIso(context.today);
  const annotated = await annotateDocument(document, { gazetteer, budget, today });
  const { segments } = annotated.annotations.layout;
  const lines = pages.map(({ page }) => segments.filter((each) => each.page === page));
  const hasWords = segments.length >= fewestLines;
  const [likeliest] = hasWords ? classifyDocument(annotated) : [];
  const found = {
    ...(likeliest && { kind: likeliest.kind, confidence: likeliest.confidence }),
    signatures: marksOf(pages, "Signature"),
    stamps: marksOf(pages, "Stamp"),
    numbers: hasWords ? mailEntities(annotated, { today }).orderNumbers : [],
    missingPages: missingPages(lines.map(numberingOf)),
  };
  return {
    ...judgedWhole(pages, found, expected),
    pages,
    ...found,
    warnings: [...document.warnings, ...(ocr?.warnings ?? [])],
  };
}

/**
 * The same for whoever waits: by the pixels and such words as need no reading, and no picture is unpacked that takes more
 * memory than this, in bytes.
 * @throws ReadingProblem when it cannot be opened, takes too long or too much
 */
export async function assessPixels(
  file: ReadableFile,
  expected: Expected,
  { today }: Pick<ReadingContext, "today">,
  { gazetteer, budget, mostMemory }: Pick<ReadingTools, "gazetteer" | "budget"> & { mostMemory: number },
): Promise<Assessment> {
  const measuring = new MeasuringOcr({ mostMemory });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const pages = assessedPages(document, measuring.measurements, expected);
  const likeliest = expected.kind && (await kindByWords(document, today, { gazetteer, budget }));
  const found = {
    ...(likeliest && { kind: likeliest.kind, confidence: likeliest.confidence }),
    signatures: marksOf(pages, "Signature"),
    stamps: marksOf(pages, "Stamp"),
    numbers: [],
    missingPages: [],
  };
  return { ...judgedWhole(pages, found, expected), pages, ...found, warnings: document.warnings };
}

/** Undefined where there are few words, or they take too long. */
async function kindByWords(
  document: OpenedDocument,
  today: string,
  tools: Pick<ReadingTools, "gazetteer" | "budget">,
): Promise<LikelyKind | undefined> {
  try {
    const annotated = await annotateDocument(document, { ...tools, today: dayFromIso(today) });
    return annotated.annotations.layout.segments.length >= fewestLines ? classifyDocument(annotated)[0] : undefined;
  } catch (cause) {
    if (cause instanceof ReadingProblem) return undefined;
    throw cause;
  }
}

function assessedPages(
  document: OpenedDocument,
  looked: readonly PageMeasurement[],
  expected: Expected,
): AssessedPage[] {
  return measurementsByPage(document, looked).map((seen, index) => {
    if (!seen) return { page: index + 1, ...judgementOf([]) };
    return {
      page: index + 1,
      ...judgedPage(seen, expected),
      ...("measures" in seen && { measures: seen.measures }),
    };
  });
}

const marksOf = (pages: readonly AssessedPage[], kind: "Signature" | "Stamp"): number =>
  pages.reduce((sum, { measures }) => sum + (measures?.marks.filter((mark) => mark.kind === kind).length ?? 0), 0);

/** The worst page speaks for all, but for blank ones among others; then what is missing counts. */
function judgedWhole(
  pages: readonly AssessedPage[],
  {
    kind,
    confidence = 0,
    signatures,
    stamps,
    missingPages: missing,
  }: Omit<Assessment, keyof Judgement | "pages" | "warnings">,
  expected: Expected,
): Judgement {
  const written = pages.filter(({ reasons }) => !reasons.includes("Blank"));
  const worst = (written.length > 0 ? written : pages).toSorted((a, b) => a.score - b.score)[0];
  const isScan = pages.some(({ measures }) => measures !== undefined);
  const isOther = expected.kind && kind && kind !== expected.kind && confidence >= sureOfKind;
  const losses: Loss[] = [
    ["MissingPages", missing.length > 0 ? 35 : 0],
    ["OtherType", isOther ? 35 : 0],
    ["MissingSignature", expected.signed && isScan && signatures === 0 ? 15 : 0],
    ["MissingStamp", expected.signed && isScan && stamps === 0 ? 10 : 0],
  ];
  const lacking = judgementOf(losses);
  const ofPages = worst ?? judgementOf([["Damaged", 100]]);
  const score = Math.max(0, ofPages.score + lacking.score - 100);
  return { verdict: verdictOf(score), score, reasons: [...ofPages.reasons, ...lacking.reasons] };
}
