import { mailEntities } from "./mail/mail-entities.ts";
import type { DocumentContext } from "./fields/labels/values.ts";
import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument, Part } from "./document/document.ts";
import { classifyDocument, type DocumentKind } from "./kinds/classify.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { DocumentOcr, type OcrLimits } from "./ocr/page-ocr.ts";
import { ParallelOcr } from "./ocr/parallel-ocr.ts";
import { defaultLimits, openDocument } from "./formats/open.ts";
import { splitPages, trainingExamples, type StartExample, type StartWeights } from "./collections/page-starts.ts";
import { pageFeatures, type PageFeatures } from "./collections/page-features.ts";
import { MeasuringOcr, measurementsByPage, type PageMeasurement } from "./quality/measuring-ocr.ts";
import type { Budget } from "./problem.ts";
import type { ExtractionTools } from "./extract.ts";
import type { InputFile } from "./formats/reader.ts";
import type { ExtractionContext } from "./document/extraction-result.ts";
import { dayFromIso } from "./entities/calendar.ts";

const maxNumbers = 60;
/** At least three digits, with letters or separators. Digits alone are too ambiguous. */
const code =
  /(?<![\p{L}\d/_-])(?=[\p{L}\d/_-]*[\p{L}/_-])(?=(?:[\p{L}/_-]*\d){3})[\p{L}\d]+(?:[/_-][\p{L}\d]+)*(?![\p{L}\d/_-])/gu;
const minLength = 6;

function referenceNumbersIn(document: DocumentContext, today: { year: number; month: number; day: number }): string[] {
  const { orderNumbers } = mailEntities(document, { today });
  const codes = document.annotations.layout.segments.flatMap(({ text }) => text.match(code) ?? []);
  return [...new Set([...orderNumbers, ...codes.filter(({ length }) => length >= minLength)])].slice(0, maxNumbers);
}

/** A document in a collection. Pages count from 1. */
export interface FoundDocument {
  from: number;
  to: number;
  kind: DocumentKind;
  /** Probability that both kind and first page are right. */
  confidence: number;
  isSaid?: boolean;
  /** Numbers that may refer to an order. */
  numbers: string[];
}

interface DocumentBoundary {
  from: number;
  to: number;
  kind?: DocumentKind;
}

/** A file split into documents. */
export interface SplitResult {
  pages: number;
  documents: FoundDocument[];
  /** Training examples for first pages, if the caller declared the documents. */
  examples: StartExample[];
  warnings: string[];
}

interface SplitHints {
  boundaries?: readonly DocumentBoundary[] | undefined;
  weights: StartWeights;
}

interface Tools {
  gazetteer: GazetteerShards;
  budget: Budget;
}

/** At most one kind can be likelier than this. */
const likely = 0.5;

/** If OCR of a collection takes longer, several calls of {@link prescanPages} share the work. */
const collectionLimits: OcrLimits = { pages: 300, milliseconds: 240_000, isCollection: true };

/**
 * Recognises some pages (from 1) of a PDF or TIFF, to fill the OCR cache before the file is split.
 * @param atOnce number of pages recognised in parallel
 * @throws ExtractionProblem
 */
export async function prescanPages(
  file: InputFile,
  only: { from: number; to: number },
  { company }: Pick<ExtractionContext, "company">,
  { budget, recognise }: Required<Pick<ExtractionTools, "budget" | "recognise">>,
  atOnce = 1,
): Promise<void> {
  const each = () => new DocumentOcr(recognise, budget, company.country, collectionLimits);
  const measuring = new ParallelOcr(Array.from({ length: atOnce }, each));
  try {
    await openDocument(file, { ...defaultLimits, only }, budget, measuring);
  } finally {
    await measuring.done();
  }
}

/**
 * Finds and classifies the documents in a file of scans. What the caller declares is not detected.
 * @throws ExtractionProblem
 */
export async function splitCollection(
  file: InputFile,
  context: ExtractionContext,
  { gazetteer, budget, recognise }: Pick<ExtractionTools, "gazetteer" | "budget" | "recognise">,
  { boundaries: declared, weights }: SplitHints,
): Promise<SplitResult> {
  const ocr = recognise && new DocumentOcr(recognise, budget, context.company.country, collectionLimits);
  const measuring = new MeasuringOcr({ ...(ocr && { ocr }), budget });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const measurements = measurementsByPage(document, measuring.measurements);
  const features = await featuresOfPages(document, context.today, { gazetteer, budget }, measurements);
  const ranges: readonly (DocumentBoundary & { confidence?: number })[] =
    declared ?? (isOnePiece(document) ? [{ from: 1, to: features.length }] : splitPages(features, weights));
  const documents: FoundDocument[] = [];
  const today = dayFromIso(context.today);
  for (const { from, to, kind, confidence = 1 } of ranges) {
    await budget.pause();
    const annotated = await annotateDocument(pagesOnly(document, from, to), { gazetteer, budget, today });
    const hasWords = annotated.annotations.layout.segments.length > 0;
    const [likeliest = { kind: "other" as const, confidence: 0 }] = hasWords ? classifyDocument(annotated) : [];
    documents.push({
      from,
      to,
      ...(kind
        ? { kind, confidence, isSaid: true }
        : { kind: likeliest.kind, confidence: confidence * likeliest.confidence }),
      numbers: referenceNumbersIn(annotated, today),
    });
  }
  const examples = declared && !isOnePiece(document) ? trainingExamples(features, declared) : [];
  const warnings = [...document.warnings, ...(ocr?.warnings ?? [])];
  return { pages: features.length, documents, examples, warnings };
}

/**
 * Whether a file may contain several documents: its pages are of several kinds, or only some pages are scans.
 * @param today ISO date
 * @throws ExtractionProblem
 */
export async function mayHoldSeveralDocuments(file: InputFile, today: string, tools: Tools): Promise<boolean> {
  const document = await openDocument(file, defaultLimits, tools.budget);
  const pages = document.parts.flatMap((part) => part.pages);
  if (isOnePiece(document) || pages.length < 2) return false;
  const scans = pages.filter(({ scanned }) => scanned).length;
  if (scans > 0) return scans < pages.length;
  const kinds = new Set<DocumentKind>();
  for (let page = 1; page <= pages.length; page++) {
    await tools.budget.pause();
    const [first] = classifyDocument(
      await annotateDocument(pagesOnly(document, page, page), { ...tools, today: dayFromIso(today) }),
    );
    if (first && first.confidence >= likely) kinds.add(first.kind);
  }
  kinds.delete("other");
  return kinds.size > 1;
}

/** Computes the features of each page separately. */
export async function featuresOfPages(
  document: OpenedDocument,
  today: string,
  tools: Tools,
  measurements: readonly (PageMeasurement | undefined)[] = [],
): Promise<PageFeatures[]> {
  const count = document.parts.reduce((sum, { pages }) => sum + pages.length, 0);
  const features: PageFeatures[] = [];
  for (let page = 1; page <= count; page++) {
    await tools.budget.pause();
    const alone = pagesOnly(document, page, page);
    const measurement = measurements[page - 1];
    const blank = measurement && "measures" in measurement && measurement.measures.blank;
    features.push(pageFeatures(await annotateDocument(alone, { ...tools, today: dayFromIso(today) }), blank));
  }
  return features;
}

/** Collections are PDFs or images. */
const isOnePiece = ({ format }: OpenedDocument): boolean => format !== "Pdf" && format !== "Image";

function pagesOnly(document: OpenedDocument, from: number, to: number): OpenedDocument {
  let number = 0;
  const parts = document.parts.map((part): Part => {
    const first = number + 1;
    number += part.pages.length;
    return { ...part, pages: part.pages.slice(Math.max(0, from - first), Math.max(0, to - first + 1)) };
  });
  return { ...document, structured: [], parts: parts.filter(({ pages }) => pages.length > 0) };
}
