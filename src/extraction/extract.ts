import { defaultLimits, openDocument } from "./formats/open.ts";
import type { OpenedDocument } from "./document/document.ts";
import type { InputFile } from "./formats/reader.ts";
import { DocumentOcr } from "./ocr/page-ocr.ts";
import type { Recognise } from "./images/recogniser.ts";
import type { LanguageModel } from "./language-model/engine.ts";
import { withSecondOpinion } from "./language-model/second.ts";
import { applyMemory, type RecallMemory } from "./memory/apply.ts";
import { kindNamed, kinds, type KindName, type ViewOf } from "./kinds/kinds.ts";
import { classifyDocument } from "./kinds/classify.ts";
import type { OrderView } from "./kinds/order/view.ts";
import type { OrderLabeller } from "./kinds/order/labeller/complete.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import { ExtractionProblem, type Budget, type ExtractionFailureReason } from "./problem.ts";
import type { ExtractedItem, ExtractionContext, ExtractionResult } from "./document/extraction-result.ts";
import type { DocumentLocale } from "./entities/entity.ts";
import { dayFromIso, type Day } from "./entities/calendar.ts";
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
 * Extraction. Each step is a folder. A folder imports only from those listed before it (`.oxlintrc.json` checks this).
 * The one exception is the interface of a recogniser, `images/recogniser.ts`.
 *
 *   document/        shapes of an opened file and of an extraction result
 *   images/          decodes pictures of any format to greyscale pixels
 *   lexicon/         words of the trade by language, countries, postal codes, towns
 *   entities/        finds typed values in text: dates, places, weights, companies
 *   formats/         converts the bytes of any format to pages of positioned words
 *   layout/          divides pages into rows of segments
 *   ocr/             recognises scanned pages, with their language and orientation
 *   fields/          finds labels and their values, tables, sections, addresses, stops, parties, money, confidences
 *   statements/      parses the rows of fuel and toll card statements
 *   kinds/           extracts and checks the fields of each kind of document
 *   quality/         assesses the legibility of scanned pages
 *   mail/            finds the labels and entities of mails
 *   language-model/  uses a language model as second engine, and verifies its values
 *   collections/     splits collections of scans into documents
 *   memory/          learns from the corrections of documents, for later documents of the same sender
 *   linear-model.ts  defines and evaluates the learned models
 *
 * 1. `layOut` turns pages into rows of segments. `detectLocale` and `prepareGazetteer` find the languages and countries
 *    of the document, and how it writes numbers and dates.
 * 2. Of a mail thread, only the newest mail is extracted (`newestMail`). If it has no items, the whole thread is.
 * 3. `annotate` finds the labels and entities of every segment once. All later steps use these annotations.
 * 4. `kinds/kinds.ts` lists the kinds. Structured data in the file is mapped first. For tabular kinds, each row of a
 *    table becomes a card (`cardsIn`). Other files are split where the next document begins.
 *    Orders are completed by a learned labeller (`kinds/order/labeller`), if `ExtractionTools` has one.
 * 5. Field values carry their source until `separateEvidence` splits them into data and evidence. Failed checks lower
 *    the confidence, but do not change values. Finally, `calibrate` turns scores into probabilities. It was trained on
 *    documents with known values.
 */

/** Name and version of the engine. Records store it. */
export const engine = "lorry-1";

/** Inputs of an extraction in addition to the file and its context. */
export interface ExtractionTools {
  gazetteer: GazetteerShards;
  /** Ends the extraction with `engine_timeout` if it takes too long. */
  budget: Budget;
  /** Recognises the words of pictures. Absent if there is no OCR. */
  recognise?: Recognise;
  /** Loads the labeller of orders. Without it, orders have what the rules find. */
  labeller?: () => Promise<OrderLabeller | undefined>;
  /** Language model for a second opinion. Absent if none is configured. */
  model?: LanguageModel;
  /** Looks up the corrections of earlier documents of the same sender. */
  recall?: RecallMemory;
}

const tooLittleText = 16;
const noTextFound = "The file contains no readable text.";

/** The result of an extraction, and the kind of document that was extracted. */
export type DocumentResult<Name extends KindName> = ExtractionResult<ViewOf<Name>> & { kind?: Name };

/** Extracts the transport orders of a file, one item for each; see {@link extractDocument}. */
export const extractOrders = (
  file: InputFile,
  context: ExtractionContext,
  tools: ExtractionTools,
): Promise<ExtractionResult<OrderView>> => extractDocument("order", file, context, tools);

/**
 * Extracts all documents of one kind from a file, one item for each. If the file cannot be opened or is of another
 * kind, the result has the status `Failed` and a reason.
 */
export const extractDocument = <Name extends KindName>(
  kind: Name,
  file: InputFile,
  context: ExtractionContext,
  tools: ExtractionTools,
): Promise<DocumentResult<Name>> => extractAnyOf([kind], file, context, tools);

/** Extracts a file as the most likely of the given kinds that yields items. `kind` of the result is that kind. */
export async function extractAnyOf<Name extends KindName>(
  names: readonly [Name, ...Name[]],
  file: InputFile,
  context: ExtractionContext,
  tools: ExtractionTools,
): Promise<DocumentResult<Name>> {
  const { recognise, budget } = tools;
  const ocr = recognise && new DocumentOcr(recognise, budget, context.company.country);
  let document: OpenedDocument | undefined;
  try {
    document = await openDocument(file, defaultLimits, budget, ocr);
    document.warnings.push(...(ocr?.warnings ?? []));
    return await extractFrom(document, names, context, tools);
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return failed(cause.reason, cause.message, document);
    throw cause;
  }
}

async function extractFrom<Name extends KindName>(
  document: OpenedDocument,
  names: readonly [Name, ...Name[]],
  context: ExtractionContext,
  { gazetteer: shards, budget, labeller, model, recall }: ExtractionTools,
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
  const remembered = recall ? await applyMemory(both, name, kind, page, context, recall) : both;
  return remembered.status === "Read" ? { ...remembered, kind: name } : remembered;

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

  async function itemsOf(name: Name, whole: DocumentContext): Promise<ExtractedItem<ViewOf<Name>>[]> {
    const kind = kindNamed(name);
    const structured =
      document.structured.length > 0 && kind.extractStructured?.(document.structured, whole, locale, context);
    if (structured && structured.length > 0) return structured;
    const page = whole.annotations.layout;
    const starts = () => kind.starts?.(whole) ?? [];
    if (!kind.isTabular) return each(name, partsOf(whole, starts()), (part) => part);
    const cards = cardsIn(whole, name === "opportunity");
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
    contextOfPart: (part: Part) => DocumentContext,
  ): Promise<ExtractedItem<ViewOf<Name>>[]> {
    const kind = kindNamed(name);
    const items: ExtractedItem<ViewOf<Name>>[] = [];
    const complete = name === "order" ? await labeller?.() : undefined;
    for (const part of parts) {
      await budget.pause();
      const read = [kind.extract(contextOfPart(part), locale, context, document.mail, complete) ?? []].flat();
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

  /** The date that is written in a part. Undefined for the body of a mail, because its header has the date. */
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

const noKindFound = "The document is not of a supported kind.";

/**
 * Kinds less likely than `minProbability` are not tried. A kind at least as likely as `certain` excludes the others.
 */
const [minProbability, certain] = [0.1, 0.9];

/**
 * Returns the kinds to try, likeliest first; none if the document is certainly of another kind. If `names` has one
 * kind, only the kinds in its `excludedBy` exclude it.
 */
function likeliest<Name extends KindName>(document: DocumentContext, names: readonly Name[]): readonly Name[] {
  const likely = classifyDocument(document);
  const [first] = likely;
  const certainly = first && first.confidence >= certain ? first.kind : undefined;
  if (names.length === 1) {
    const { excludedBy = ["order", "opportunity"] } = kindNamed(names[0]!);
    return certainly && excludedBy.includes(certainly) ? [] : names;
  }
  if (certainly && !names.some((name) => name === certainly)) return [];
  return likely.flatMap(({ kind, confidence }) => {
    const name = names.find((each) => each === kind);
    return name && confidence >= minProbability ? [name] : [];
  });
}

/**
 * Appends the texts that were sent with the file as further parts. If the file itself has no words, they are not
 * appended, because such texts alone are not a document.
 */
async function withTexts(
  document: OpenedDocument,
  texts: readonly (string | undefined)[],
  budget: Budget,
): Promise<OpenedDocument> {
  const empty = document.parts.every(({ pages }) => pages.every(({ tokens }) => tokens.length === 0));
  const parts = [...document.parts];
  for (const text of empty ? [] : texts) {
    if (!text?.trim()) continue;
    const opened = await openDocument(
      { bytes: new TextEncoder().encode(text), name: "text.txt" },
      defaultLimits,
      budget,
    );
    parts.push(...opened.parts.map((part) => ({ ...part, role: "Body" as const })));
  }
  return { ...document, parts };
}

function noText({ pages }: Layout): string {
  const scans = pages.filter((page) => page.scanned).length;
  return scans > 0 ? `The file has ${scans} scanned ${scans === 1 ? "page" : "pages"} and no text.` : noTextFound;
}

function failed(
  reason: ExtractionFailureReason,
  message: string,
  document: OpenedDocument | undefined,
): ExtractionResult<never> {
  return { status: "Failed", reason, message, items: [], ...summary(document) };
}

function summary(
  document: OpenedDocument | undefined,
): Pick<ExtractionResult<never>, "engine" | "pages" | "format" | "warnings"> {
  return {
    engine,
    pages: document?.parts.reduce((sum, part) => sum + part.pages.length, 0) ?? 0,
    format: document?.format ?? "Text",
    warnings: document?.warnings ?? [],
  };
}
