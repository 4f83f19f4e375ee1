import { defaultLimits, open } from "./formats/open.ts";
import type { OpenedDocument } from "./document/document.ts";
import type { Incoming } from "./formats/reader.ts";
import { ReadingEyes } from "./ocr/page-ocr.ts";
import type { Recognise } from "./images/recogniser.ts";
import type { LanguageModel } from "./language-model/engine.ts";
import { withSecondOpinion } from "./language-model/second.ts";
import { applyMemory, type RecallMemory } from "./memory/recall.ts";
import { kindNamed, kinds, type KindName, type ViewOf } from "./kinds/kinds.ts";
import { classifyDocument } from "./kinds/classify.ts";
import type { OrderView } from "./kinds/order/view.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { ReadingProblem, type Budget, type ReadingReason } from "./problem.ts";
import type { Reading, ReadingContext, ReadingResult } from "./document/reading.ts";
import type { DocumentLocale } from "./entities/entity.ts";
import { dayFromIso, type Day } from "./entities/relative-date.ts";
import { prepareGazetteer, detectLocale } from "./entities/find-entities.ts";
import { calibrate } from "./fields/confidence/calibration.ts";
import { layOut, type Layout, type Segment } from "./layout/layout.ts";
import { annotate } from "./fields/labels/annotations.ts";
import { joinPlaceFields } from "./fields/addresses/place-fields.ts";
import { proseOf } from "./fields/sections/prose.ts";
import { cardsIn, stopCardIn, withCardValues, type Card } from "./fields/tables/cards.ts";
import { newestMail, splitLayout, withoutMailHeads } from "./layout/split.ts";
import type { DocumentContext } from "./fields/labels/values.ts";
import { noteOlderMails, writtenOn, withOwnDates } from "./fields/written-dates.ts";

/*
 * From a file to what it says, one folder a step. A folder knows those named before it and none behind (`.oxlintrc.json`
 * holds them to it); only what a recogniser is, `ocr/recogniser.ts`, is known to whoever opens files.
 *
 *   pixels/      pictures of any format become pixels in grey
 *   know/        what is known beforehand: words of the trade by language, countries, postcodes, towns
 *   views/       the shapes of what is read, one for each kind of document
 *   open/        bytes of any format become pages of words with their places (`document.ts`)
 *   see/         what a run of words is by itself: a date, a place, a weight, a firm
 *   understand/  what it is here: rows and columns, labels and their values, sections, stops, parties, money
 *   ocr/         pages that are pictures become pages of words: in which language, which way round
 *   structured/  data that were data in the file (XML, EDI, JSON), mapped into those shapes
 *   statements/  rows of statements of fuel and toll cards, however many
 *   kinds/       the fields of one kind of document filled from all that, with checks
 *   fine-lists/  rows of lists of fines
 *   quality/     whether a scan is good enough
 *   mails/       what a mail is about, for which no document is read
 *   engines/     a language model as second opinion, looked up in the document and put together with the first
 *   pile/        where in a pile of scans a document begins
 *   learn/       what people's corrections taught of a sender, held against the next document of his
 *
 * 1. The pages are laid out as rows of segments (`layOut`); the context of the whole document is seen first: its
 *    languages, its countries, how it writes numbers and dates (`detectLocale`, `prepareGazetteer`).
 * 2. Of a mail thread the newest part is read, the whole of it only if that holds nothing of the kind (`newestMail`).
 * 3. Every segment is annotated with its labels and entities (`annotate`), once; all later steps ask the annotations.
 * 4. What each kind of document is told and read by stands in one table (`kinds/kinds.ts`). Data that was data in the file
 *    is mapped first. Of kinds that come several to a file, tables become a card for each row (`cardsIn`), other files are
 *    parted where the next begins, and each part is read by itself.
 * 5. Fields are drafts of values with their reasons until `separateEvidence` takes them apart into data and evidence; failed
 *    checks lower the confidence and change no value. What was guessed is calibrated (`calibrate`) last: scores become chances of
 *    being right, as learnt from documents with truth.
 */

/** Name and version of the engine, as records keep it. */
export const engine = "lorry-1";

/** What the engine reads with. */
export interface ReadingTools {
  gazetteer: GazetteerShards;
  /** Ends a reading that takes too long with `engine_timeout`. */
  budget: Budget;
  /** Reads the words on pictures, where there is something that can. */
  recognise?: Recognise;
  /** The second engine, where there is one. */
  model?: LanguageModel;
  /** What corrections of earlier documents taught. */
  recall?: RecallMemory;
}

/** A file as it was handed in. */
export type ReadableFile = Incoming;

const tooLittleText = 16;
const noTextFound = "The file contains no text that can be read.";

/** What was read, and as which kind of document. */
export type DocumentResult<Name extends KindName> = ReadingResult<ViewOf<Name>> & { kind?: Name };

/** Reads transport orders from a file: one item for each order in it; see {@link readDocument}. */
export const readOrders = (
  file: ReadableFile,
  context: ReadingContext,
  tools: ReadingTools,
): Promise<ReadingResult<OrderView>> => readDocument("order", file, context, tools);

/**
 * Reads documents of one kind from a file: one item for each in it. A file that cannot be read, or is none of them, is a
 * result with status `Failed` and the reason.
 */
export const readDocument = <Name extends KindName>(
  kind: Name,
  file: ReadableFile,
  context: ReadingContext,
  tools: ReadingTools,
): Promise<DocumentResult<Name>> => readAnyOf([kind], file, context, tools);

/** Reads a file as whichever of these kinds it is, the likeliest first; `kind` says which one it was. */
export async function readAnyOf<Name extends KindName>(
  names: readonly [Name, ...Name[]],
  file: ReadableFile,
  context: ReadingContext,
  tools: ReadingTools,
): Promise<DocumentResult<Name>> {
  const { recognise, budget } = tools;
  const eyes = recognise && new ReadingEyes(recognise, budget, context.company.country);
  let document: OpenedDocument | undefined;
  try {
    document = await open(file, defaultLimits, budget, eyes);
    document.warnings.push(...(eyes?.warnings ?? []));
    return await readIn(document, names, context, tools);
  } catch (cause) {
    if (cause instanceof ReadingProblem) return failed(cause.reason, cause.message, document);
    throw cause;
  }
}

async function readIn<Name extends KindName>(
  document: OpenedDocument,
  names: readonly [Name, ...Name[]],
  context: ReadingContext,
  { gazetteer: shards, budget, model, recall }: ReadingTools,
): Promise<DocumentResult<Name>> {
  const title = names.some((name) => kindNamed(name).readsSubject) ? document.mail?.subject : "";
  const layout = layOut(await withTexts(document, [context.additionalInfo, title], budget), budget);
  const lines = layout.segments.map((segment) => segment.text);
  const isEmpty = lines.join("").length < tooLittleText && document.structured.length === 0;
  if (isEmpty) return failed("no_text_found", document.warnings[0] ?? noText(layout), document);
  const mailed = document.mail?.day ?? document.mail?.date ?? context.sentOn;
  const readOn = dayFromIso(context.today);
  const alone = detectLocale(lines, mailed === undefined ? readOn : dayFromIso(mailed));
  const { gazetteer, context: prepared } = await prepareGazetteer(shards, lines, alone);
  noteOlderMails(layout, prepared, document.mail?.date !== undefined);
  const fresh = newestMail(layout);
  const annotatedFirst = annotated(fresh, prepared);
  const locale = { ...prepared, today: (document.mail ? undefined : ownDay(annotatedFirst, 0)) ?? prepared.today };
  const newest = contextOf(fresh, annotatedFirst);
  const wholeThread = fresh === layout ? undefined : withoutMailHeads(layout);
  const result = await readHere();
  const name = result.kind ?? (names.length === 1 ? names[0] : undefined);
  if (!name) return result;
  const kind = kindNamed(name);
  const both = model
    ? await withSecondOpinion(result, kind, { layout: fresh, locale, gazetteer }, context, model)
    : result;
  const page = { annotations: newest.annotations, locale, mail: document.mail };
  const known = recall ? await applyMemory(both, name, kind, page, context, recall) : both;
  return known.status === "Read" ? { ...known, kind: name } : known;

  async function readHere(): Promise<DocumentResult<Name>> {
    const carrying = document.structured.length > 0 ? names.filter((name) => kindNamed(name).extractStructured) : [];
    for (const name of new Set([...carrying, ...likeliest(newest, names)])) {
      const items = await itemsOf(name, newest);
      if (items.length === 0 && wholeThread) items.push(...(await itemsOf(name, contextOf(wholeThread))));
      if (items.length > 0)
        return { status: "Read", kind: name, items, ...summary(document), language: locale.languages[0] };
    }
    const { reason, message } = kinds[names[0]].notRecognised;
    return failed(reason, names.length > 1 ? noKindFound : message, document);
  }

  async function itemsOf(name: Name, whole: DocumentContext): Promise<Reading<ViewOf<Name>>[]> {
    const kind = kindNamed(name);
    const structured =
      document.structured.length > 0 && kind.extractStructured?.(document.structured, whole, locale, context);
    if (structured && structured.length > 0) return structured;
    const page = whole.annotations.layout;
    const starts = () => kind.starts?.(whole) ?? [];
    if (!kind.isTabular) return each(name, partsOf(whole, starts()), (part) => part);
    const cards = cardsIn(whole);
    if (cards.length > 0) return each(name, cards, filled);
    const begins = starts();
    return each(name, splitLayout(page, begins, kind.common?.(whole, begins)), (part) => {
      const inPart = part === page ? whole : contextOf(part);
      const stops = stopCardIn(inPart);
      return stops ? filled(stops) : inPart;
    });
  }

  async function each<Part>(
    name: Name,
    parts: Part[],
    partAround: (part: Part) => DocumentContext,
  ): Promise<Reading<ViewOf<Name>>[]> {
    const kind = kindNamed(name);
    const items: Reading<ViewOf<Name>>[] = [];
    for (const part of parts) {
      await budget.pause();
      const read = [kind.extract(partAround(part), locale, context, document.mail) ?? []].flat();
      items.push(...read.map((item) => calibrate(name, item)));
    }
    return items;
  }

  function filled(card: Card): DocumentContext {
    const inCard = contextOf(card.layout);
    return { ...inCard, annotations: withCardValues(inCard.annotations, card) };
  }

  function partsOf(whole: DocumentContext, starts: readonly Segment[]): DocumentContext[] {
    const page = whole.annotations.layout;
    return splitLayout(page, starts).map((part) => (part === page ? whole : contextOf(part)));
  }

  function contextOf(part: Layout, marked = annotated(part, locale)): DocumentContext {
    return withOwnDates(marked, locale.today, (at) => ownDay(marked, at) ?? ownDay(annotatedFirst, at));
  }

  /** Of the body of a mail its head tells. */
  function ownDay(whole: DocumentContext, part: number): Day | undefined {
    return document.mail && layout.parts[part]?.role === "Body" ? undefined : writtenOn(whole, part, readOn);
  }

  function annotated(part: Layout, locale: DocumentLocale): DocumentContext {
    const annotations = annotate(part, locale, gazetteer, budget);
    joinPlaceFields(annotations, locale, gazetteer);
    return {
      annotations,
      prose: proseOf(annotations),
      languages: locale.languages,
      countries: locale.countries,
      budget,
    };
  }
}

const noKindFound = "The document is of none of the kinds that are read here.";

/** A kind less likely than this is not tried, and what is another kind with this much more certainty is none of these. */
const [leastLikely, certain] = [0.1, 0.9];

/** The kinds the document may be of, the likeliest first. Empty where it is certainly of another kind. */
function likeliest<Name extends KindName>(around: DocumentContext, names: readonly Name[]): readonly Name[] {
  const likely = classifyDocument(around);
  const [first] = likely;
  const certainly = first && first.confidence >= certain ? first.kind : undefined;
  if (names.length === 1) {
    const { excludedBy = ["order", "opportunity"] } = kindNamed(names[0]!);
    return certainly && excludedBy.includes(certainly) ? [] : names;
  }
  if (certainly && !names.some((name) => name === certainly)) return [];
  return likely.flatMap(({ kind, confidence }) => {
    const name = names.find((each) => each === kind);
    return name && confidence >= leastLikely ? [name] : [];
  });
}

/** The file and the texts that came with it, which are read as further parts; alone they are no document. */
async function withTexts(
  document: OpenedDocument,
  texts: readonly (string | undefined)[],
  budget: Budget,
): Promise<OpenedDocument> {
  const empty = document.parts.every(({ pages }) => pages.every(({ tokens }) => tokens.length === 0));
  const parts = [...document.parts];
  for (const text of empty ? [] : texts) {
    if (!text?.trim()) continue;
    const opened = await open({ bytes: new TextEncoder().encode(text), name: "text.txt" }, defaultLimits, budget);
    parts.push(...opened.parts.map((part) => ({ ...part, role: "Body" as const })));
  }
  return { ...document, parts };
}

function noText({ pages }: Layout): string {
  const scans = pages.filter((page) => page.scanned).length;
  return scans > 0 ? `The file has ${scans} scanned ${scans === 1 ? "page" : "pages"} and no text.` : noTextFound;
}

function failed(reason: ReadingReason, message: string, document: OpenedDocument | undefined): ReadingResult<never> {
  return { status: "Failed", reason, message, items: [], ...summary(document) };
}

function summary(
  document: OpenedDocument | undefined,
): Pick<ReadingResult<never>, "engine" | "pages" | "format" | "warnings"> {
  return {
    engine,
    pages: document?.parts.reduce((sum, part) => sum + part.pages.length, 0) ?? 0,
    format: document?.format ?? "Text",
    warnings: document?.warnings ?? [],
  };
}
