import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument } from "./document/document.ts";
import { classifyDocument, type DocumentKind, type LikelyKind } from "./kinds/classify.ts";
import { mailEntities } from "./mail/mail-entities.ts";
import { DocumentOcr } from "./ocr/page-ocr.ts";
import { defaultLimits, openDocument } from "./formats/open.ts";
import type { PageMeasures } from "./images/measure.ts";
import { ExtractionProblem } from "./problem.ts";
import { measurementsByPage, MeasuringOcr, type PageMeasurement } from "./quality/measuring-ocr.ts";
import { missingPages, numberingOf } from "./quality/numbering.ts";
import { judgedPage, judgementOf, verdictOf, type Judgement, type Loss } from "./quality/verdict.ts";
import type { ExtractionTools } from "./extract.ts";
import type { InputFile } from "./formats/reader.ts";
import type { ExtractionContext } from "./document/extraction-result.ts";
import { dayFromIso } from "./entities/calendar.ts";

/** The assessment of a page. Pages are numbered from 1. */
export interface AssessedPage extends Judgement {
  page: number;
  /** Absent if the page is not a picture, or if its picture is damaged. */
  measures?: PageMeasures;
}

/** Quality and recognised contents of a file. */
export interface Assessment extends Judgement {
  pages: AssessedPage[];
  /** Kind of the document; absent if the file has too little text. */
  kind?: DocumentKind;
  confidence?: number;
  signatures: number;
  stamps: number;
  /** Numbers that may refer to an order. */
  numbers: string[];
  /** As far as the page numbering shows. */
  missingPages: number[];
  warnings: string[];
}

/** What is expected of a file. Each expectation that the file does not meet lowers the score. */
export interface ExpectedDocument {
  kind?: DocumentKind;
  /** Whether a scan must show a signature and a stamp. */
  signed?: boolean;
  /** Whether pages may have no text, because the file may be a photograph of goods. */
  wordless?: boolean;
}

const sureOfKind = 0.8;
const minLines = 6;

/**
 * Measures the legibility of each page from its pixels, and detects the kind of document, the numbers and the missing
 * pages from the text, which for scans requires OCR.
 * @throws ExtractionProblem if the file cannot be opened
 */
export async function assessFile(
  file: InputFile,
  expected: ExpectedDocument,
  context: ExtractionContext,
  { gazetteer, budget, recognise }: Pick<ExtractionTools, "gazetteer" | "budget" | "recognise">,
): Promise<Assessment> {
  const ocr = recognise && new DocumentOcr(recognise, budget, context.company.country);
  const measuring = new MeasuringOcr({ ...(ocr && { ocr }), budget });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const pages = assessPages(document, measuring.measurements, expected);
  const today = dayFromIso(context.today);
  const annotated = await annotateDocument(document, { gazetteer, budget, today });
  const { segments } = annotated.annotations.layout;
  const lines = pages.map(({ page }) => segments.filter((each) => each.page === page));
  const hasWords = segments.length >= minLines;
  const [likeliest] = hasWords ? classifyDocument(annotated) : [];
  const measured = {
    ...(likeliest && { kind: likeliest.kind, confidence: likeliest.confidence }),
    signatures: countMarks(pages, "Signature"),
    stamps: countMarks(pages, "Stamp"),
    numbers: hasWords ? mailEntities(annotated, { today }).orderNumbers : [],
    missingPages: missingPages(lines.map(numberingOf)),
  };
  return {
    ...judgeDocument(pages, measured, expected),
    pages,
    ...measured,
    warnings: [...document.warnings, ...(ocr?.warnings ?? [])],
  };
}

/**
 * Like {@link assessFile}, but without OCR, for callers that wait for the answer. A file with a picture that takes more
 * than `mostMemory` bytes to decode is refused.
 * @throws ExtractionProblem if the file cannot be opened, or takes too much time or memory
 */
export async function assessPixels(
  file: InputFile,
  expected: ExpectedDocument,
  { today }: Pick<ExtractionContext, "today">,
  { gazetteer, budget, mostMemory }: Pick<ExtractionTools, "gazetteer" | "budget"> & { mostMemory: number },
): Promise<Assessment> {
  const measuring = new MeasuringOcr({ mostMemory });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const pages = assessPages(document, measuring.measurements, expected);
  const likeliest = expected.kind && (await kindFromText(document, today, { gazetteer, budget }));
  const measured = {
    ...(likeliest && { kind: likeliest.kind, confidence: likeliest.confidence }),
    signatures: countMarks(pages, "Signature"),
    stamps: countMarks(pages, "Stamp"),
    numbers: [],
    missingPages: [],
  };
  return { ...judgeDocument(pages, measured, expected), pages, ...measured, warnings: document.warnings };
}

async function kindFromText(
  document: OpenedDocument,
  today: string,
  tools: Pick<ExtractionTools, "gazetteer" | "budget">,
): Promise<LikelyKind | undefined> {
  try {
    const annotated = await annotateDocument(document, { ...tools, today: dayFromIso(today) });
    return annotated.annotations.layout.segments.length >= minLines ? classifyDocument(annotated)[0] : undefined;
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return undefined;
    throw cause;
  }
}

function assessPages(
  document: OpenedDocument,
  looked: readonly PageMeasurement[],
  expected: ExpectedDocument,
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

const countMarks = (pages: readonly AssessedPage[], kind: "Signature" | "Stamp"): number =>
  pages.reduce((sum, { measures }) => sum + (measures?.marks.filter((mark) => mark.kind === kind).length ?? 0), 0);

/** The score is that of the worst page that is not blank, lowered for missing pages and for unmet expectations. */
function judgeDocument(
  pages: readonly AssessedPage[],
  {
    kind,
    confidence = 0,
    signatures,
    stamps,
    missingPages: missing,
  }: Omit<Assessment, keyof Judgement | "pages" | "warnings">,
  expected: ExpectedDocument,
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
