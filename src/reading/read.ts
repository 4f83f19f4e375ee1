import { defaultLimits, open } from "./open/open.ts";
import type { OpenedDocument } from "./document.ts";
import { orderStarts } from "./kinds/order-starts.ts";
import { readOrder } from "./kinds/order.ts";
import type { OrderView } from "./views/order.ts";
import type { GazetteerShards } from "./know/gazetteer.ts";
import { ReadingProblem, type Budget, type ReadingReason } from "./problem.ts";
import type { Reading, ReadingContext, ReadingResult } from "./reading.ts";
import type { SeeingContext } from "./see/entity.ts";
import { prepareGazetteer, seeingContext } from "./see/see.ts";
import { layOut, type Layout } from "./understand/layout.ts";
import { mark } from "./understand/marks.ts";
import { joinPlaceFields } from "./understand/place-fields.ts";
import { proseOf } from "./understand/prose.ts";
import { cardsIn, stopCardIn, told, type Card } from "./understand/rows/cards.ts";
import { newest, parted } from "./understand/split.ts";
import type { Surroundings } from "./understand/values.ts";

/*
 * From a file to orders, one folder a step. A folder knows those named before it and none behind.
 *
 *   open/        bytes of any format become pages of words with their places (`document.ts`)
 *   know/        what is known beforehand: words of the trade by language, countries, postcodes, towns
 *   see/         what a run of words is by itself: a date, a place, a weight, a firm
 *   understand/  what it is here: rows and columns, labels and their values, sections, stops, parties, money
 *   kinds/       the fields of one kind of document filled from that, with checks
 *   views/       the shapes they are filled into
 *
 * 1. The pages are laid out as rows of segments (`layOut`); the context of the whole document is seen first: its
 *    languages, its countries, how it writes numbers and dates (`seeingContext`, `prepareGazetteer`).
 * 2. Of a mail thread the newest part is read, the whole of it only if that holds no order (`newest`).
 * 3. Every segment is marked with its labels and entities (`mark`), once; whoever asks later asks these marks.
 * 4. Tables of orders become a card for each order (`cardsIn`), other files are parted where an order begins
 *    (`orderStarts`), and each part is read by itself (`readOrder`).
 * 5. Fields are drafts of values with their reasons until `settle` takes them apart into data and evidence; failed
 *    checks lower the confidence and change no value.
 */

/** Name and version of the engine, as records keep it. */
export const engine = "lorry-1";

/** What the engine reads with. */
export interface ReadingTools {
  gazetteer: GazetteerShards;
  /** Ends a reading that takes too long with `engine_timeout`. */
  budget: Budget;
}

/** A file as it was handed in. */
export interface ReadableFile {
  bytes: Uint8Array;
  name: string;
  mediaType?: string;
}

const tooLittleText = 25;
const messages: Partial<Record<ReadingReason, string>> = {
  no_text_found: "The file contains no text that can be read.",
  input_not_freight: "The document is not a transport order.",
};

/**
 * Reads transport orders from a file: one item for each order in it. Never throws: a file that cannot be read is a
 * result with status `Failed` and the reason.
 */
export async function readOrders(
  file: ReadableFile,
  context: ReadingContext,
  tools: ReadingTools,
): Promise<ReadingResult<OrderView>> {
  let document: OpenedDocument | undefined;
  try {
    document = await open(file, defaultLimits, tools.budget);
    return await ordersIn(document, context, tools);
  } catch (cause) {
    if (cause instanceof ReadingProblem) return failed(cause.reason, cause.message, document);
    throw cause;
  }
}

async function ordersIn(
  document: OpenedDocument,
  context: ReadingContext,
  { gazetteer: shards, budget }: ReadingTools,
): Promise<ReadingResult<OrderView>> {
  const layout = layOut(await withInfo(document, context.additionalInfo, budget), budget);
  const lines = layout.segments.map((segment) => segment.text);
  if (lines.join("").length < tooLittleText) return failed("no_text_found", noText(layout), document);
  const alone = seeingContext(lines, dayOf(context.today));
  const { gazetteer, context: seeing } = await prepareGazetteer(shards, lines, alone);
  const fresh = newest(layout);
  const items = await ordersOf(fresh);
  if (items.length === 0 && fresh !== layout) items.push(...(await ordersOf(layout)));
  if (items.length === 0) return failed("input_not_freight", undefined, document);
  return { status: "Read", items, ...summary(document), language: seeing.languages[0] };

  async function ordersOf(page: Layout): Promise<Reading<OrderView>[]> {
    const whole = surroundingsOf(page, seeing);
    const cards = cardsIn(whole);
    if (cards.length > 0) return each(cards, filled);
    return each(parted(page, orderStarts(whole)), (part) => {
      const around = part === page ? whole : surroundingsOf(part, seeing);
      const stops = stopCardIn(around);
      return stops ? filled(stops) : around;
    });
  }

  async function each<Part>(parts: Part[], around: (part: Part) => Surroundings): Promise<Reading<OrderView>[]> {
    const orders: Reading<OrderView>[] = [];
    for (const part of parts) {
      await budget.pause();
      orders.push(...[readOrder(around(part), seeing, context, document.mail) ?? []].flat());
    }
    return orders;
  }

  function filled(card: Card): Surroundings {
    const around = surroundingsOf(card.layout, seeing);
    return { ...around, marks: told(around.marks, card) };
  }

  function surroundingsOf(part: Layout, seen: SeeingContext): Surroundings {
    const marks = mark(part, seen, gazetteer, budget);
    joinPlaceFields(marks, seen, gazetteer);
    return { marks, prose: proseOf(marks), languages: seen.languages, countries: seen.countries, budget };
  }
}

/** The file and the text that came with it, which is read as one more part; alone it is no document. */
async function withInfo(document: OpenedDocument, info: string | undefined, budget: Budget): Promise<OpenedDocument> {
  const empty = document.parts.every(({ pages }) => pages.every(({ tokens }) => tokens.length === 0));
  if (!info?.trim() || empty) return document;
  const { parts } = await open({ bytes: new TextEncoder().encode(info), name: "text.txt" }, defaultLimits, budget);
  return { ...document, parts: [...document.parts, ...parts.map((part) => ({ ...part, role: "Body" as const }))] };
}

function noText({ pages }: Layout): string {
  const scans = pages.filter((page) => page.scanned).length;
  return scans > 0
    ? `The file has ${scans} scanned ${scans === 1 ? "page" : "pages"} and no text.`
    : (messages.no_text_found ?? "");
}

function dayOf(iso: string): SeeingContext["today"] {
  const [year = 0, month = 1, day = 1] = iso.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

function failed(
  reason: ReadingReason,
  message: string | undefined,
  document: OpenedDocument | undefined,
): ReadingResult<OrderView> {
  return { status: "Failed", reason, message: message ?? messages[reason] ?? reason, items: [], ...summary(document) };
}

function summary(
  document: OpenedDocument | undefined,
): Pick<ReadingResult<OrderView>, "engine" | "pages" | "format" | "warnings"> {
  return {
    engine,
    pages: document?.parts.reduce((sum, part) => sum + part.pages.length, 0) ?? 0,
    format: document?.format ?? "Text",
    warnings: document?.warnings ?? [],
  };
}
