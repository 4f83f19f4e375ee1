import { annotateDocument } from "./annotate-document.ts";
import type { OpenedDocument, Part } from "./document/document.ts";
import type { DocumentKind } from "./kinds/classify.ts";
import { classifyDocument } from "./kinds/classify.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { DocumentOcr, type OcrLimits } from "./ocr/page-ocr.ts";
import { ParallelOcr } from "./ocr/parallel-ocr.ts";
import { defaultLimits, openDocument } from "./formats/open.ts";
import { type StartExample, type StartWeights, splitPages, trainingExamples } from "./collections/page-starts.ts";
import { referenceNumbersIn } from "./collections/reference-numbers.ts";
import { pageFeatures, type PageFeatures } from "./collections/page-features.ts";
import { measurementsByPage, MeasuringOcr, type PageMeasurement } from "./quality/measuring-ocr.ts";
import type { Budget } from "./problem.ts";
import type { ReadableFile, ReadingTools } from "./extract.ts";
import type { ReadingContext } from "./document/reading.ts";
import { dayFromIso } from "./entities/relative-date.ts";

/** A document found in a pile: its pages, from 1, and what it is. */
export interface FoundDocument {
  from: number;
  to: number;
  kind: DocumentKind;
  /** Of the kind and of where it begins together. */
  confidence: number;
  /** The kind was said, not found out. */
  isSaid?: boolean;
  /** By which it may name an order. */
  numbers: string[];
}

/** Where a document begins and ends, and perhaps what it is, as somebody says. */
export interface DocumentBoundary {
  from: number;
  to: number;
  kind?: DocumentKind;
}

/** A file taken apart. */
export interface SplitResult {
  pages: number;
  documents: FoundDocument[];
  /** What is to be learnt of where documents begin, where somebody has said it. */
  examples: StartExample[];
  warnings: string[];
}

/** What is known of a pile beforehand. */
export interface SplitHints {
  /** Where its documents begin and end, and perhaps what they are. */
  boundaries?: readonly DocumentBoundary[] | undefined;
  /** How much each sign speaks for a beginning. */
  weights: StartWeights;
}

interface Tools {
  gazetteer: GazetteerShards;
  budget: Budget;
}

/** A kind that is likelier than all others together. */
const likely = 0.5;

/** The scans of a pile may be three hundred pages of several senders. What takes longer is looked at by several. */
const pileLimits: OcrLimits = { pages: 300, milliseconds: 240_000, isCollection: true };

/**
 * Looks at some pages of a PDF or a TIFF, from 1, so that whoever keeps what is seen has it when the file is taken apart.
 * @param atOnce how many pages are looked at at the same time
 * @throws ReadingProblem
 */
export async function prescanPages(
  file: ReadableFile,
  only: { from: number; to: number },
  { company }: Pick<ReadingContext, "company">,
  { budget, recognise }: Required<Pick<ReadingTools, "budget" | "recognise">>,
  atOnce = 1,
): Promise<void> {
  const each = () => new DocumentOcr(recognise, budget, company.country, pileLimits);
  const measuring = new ParallelOcr(Array.from({ length: atOnce }, each));
  try {
    await openDocument(file, { ...defaultLimits, only }, budget, measuring);
  } finally {
    await measuring.done();
  }
}

/**
 * Finds the documents in a file of scans: where each begins, by its words, its numbering and the blank pages between, and of
 * which kind it is. What is said of it is taken as it is.
 * @throws ReadingProblem
 */
export async function splitCollection(
  file: ReadableFile,
  context: ReadingContext,
  { gazetteer, budget, recognise }: Pick<ReadingTools, "gazetteer" | "budget" | "recognise">,
  { boundaries: said, weights }: SplitHints,
): Promise<SplitResult> {
  const ocr = recognise && new DocumentOcr(recognise, budget, context.company.country, pileLimits);
  const measuring = new MeasuringOcr({ ...(ocr && { ocr }), budget });
  const document = await openDocument(file, defaultLimits, budget, measuring);
  const looks = measurementsByPage(document, measuring.measurements);
  const sketches = await featuresOfPages(document, context.today, { gazetteer, budget }, looks);
  const found: readonly (DocumentBoundary & { confidence?: number })[] =
    said ?? (isOnePiece(document) ? [{ from: 1, to: sketches.length }] : splitPages(sketches, weights));
  const documents: FoundDocument[] = [];
  const today = dayFromIso(context.today);
  for (const { from, to, kind, confidence = 1 } of found) {
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
  const examples = said && !isOnePiece(document) ? trainingExamples(sketches, said) : [];
  const warnings = [...document.warnings, ...(ocr?.warnings ?? [])];
  return { pages: sketches.length, documents, examples, warnings };
}

/**
 * Whether a file may hold several documents: its pages tell of several kinds, or some have words and others have yet to be
 * read.
 * @param today ISO day @throws ReadingProblem
 */
export async function mayHoldSeveralDocuments(file: ReadableFile, today: string, tools: Tools): Promise<boolean> {
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

/** Each page looked at by itself. */
export async function featuresOfPages(
  document: OpenedDocument,
  today: string,
  tools: Tools,
  looks: readonly (PageMeasurement | undefined)[] = [],
): Promise<PageFeatures[]> {
  const count = document.parts.reduce((sum, { pages }) => sum + pages.length, 0);
  const sketches: PageFeatures[] = [];
  for (let page = 1; page <= count; page++) {
    await tools.budget.pause();
    const alone = pagesOnly(document, page, page);
    const look = looks[page - 1];
    const blank = look && "measures" in look && look.measures.blank;
    sketches.push(pageFeatures(await annotateDocument(alone, { ...tools, today: dayFromIso(today) }), blank));
  }
  return sketches;
}

/** Only files whose pages were put together by a scanner are piles; a letter in Word is one thing. */
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
