import { readFileSync } from "node:fs";
import { defaultLimits, open } from "../../src/extraction/formats/open.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import type { MailHead } from "../../src/extraction/document/document.ts";
import { Budget } from "../../src/extraction/problem.ts";
import type { SeeingContext } from "../../src/extraction/entities/entity.ts";
import { prepareGazetteer, seeingContext } from "../../src/extraction/entities/see.ts";
import { layOut, type Layout } from "../../src/extraction/layout/layout.ts";
import { mark } from "../../src/extraction/fields/labels/annotations.ts";
import { joinPlaceFields } from "../../src/extraction/fields/addresses/place-fields.ts";
import { proseOf } from "../../src/extraction/fields/sections/prose.ts";
import { newest } from "../../src/extraction/layout/split.ts";
import { stopCardIn, told } from "../../src/extraction/fields/tables/cards.ts";
import type { DocumentContext } from "../../src/extraction/fields/labels/values.ts";

const today = { year: 2026, month: 11, day: 20 };
const patience = 30_000;

/** A file as the engine sees it before it fills any field. */
export async function surroundingsOf(file: string, gazetteers: GazetteerShards): Promise<DocumentContext> {
  return (await seenIn(file, gazetteers)).around;
}

/** A file with one order in it as the engine sees it, a table of stops set as a card. */
export async function orderIn(file: string, gazetteers: GazetteerShards): Promise<OrderSeen> {
  const seen = await seenIn(file, gazetteers);
  const card = stopCardIn(seen.around);
  if (!card) return seen;
  const inCard = seen.marked(card.layout);
  return { ...seen, around: { ...inCard, marks: told(inCard.marks, card) } };
}

/** What an order is read from. */
export interface OrderSeen {
  around: DocumentContext;
  seeing: SeeingContext;
  mail: MailHead | undefined;
}

async function seenIn(
  file: string,
  gazetteers: GazetteerShards,
): Promise<OrderSeen & { marked: (layout: Layout) => DocumentContext }> {
  const budget = new Budget(patience);
  const document = await open({ bytes: readFileSync(file), name: file }, defaultLimits, budget);
  const layout = newest(layOut(document, budget));
  const lines = layout.segments.map((segment) => segment.text);
  const { gazetteer, context } = await prepareGazetteer(gazetteers, lines, seeingContext(lines, today));
  const marked = (part: Layout): DocumentContext => {
    const marks = mark(part, context, gazetteer, budget);
    joinPlaceFields(marks, context, gazetteer);
    return { marks, prose: proseOf(marks), languages: context.languages, countries: context.countries, budget };
  };
  return { around: marked(layout), seeing: context, mail: document.mail, marked };
}
