import { readFileSync } from "node:fs";
import { defaultLimits, openDocument } from "../../src/extraction/formats/open.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import type { MailHead } from "../../src/extraction/document/document.ts";
import { Budget } from "../../src/extraction/problem.ts";
import type { DocumentLocale } from "../../src/extraction/entities/entity.ts";
import { prepareGazetteer, detectLocale } from "../../src/extraction/entities/find-entities.ts";
import { layOut, type Layout } from "../../src/extraction/layout/layout.ts";
import { annotate } from "../../src/extraction/fields/labels/annotations.ts";
import { joinPlaceFields } from "../../src/extraction/fields/addresses/place-fields.ts";
import { proseOf } from "../../src/extraction/fields/sections/prose.ts";
import { newestMail } from "../../src/extraction/layout/split.ts";
import { stopCardIn, withCardValues } from "../../src/extraction/fields/tables/cards.ts";
import type { DocumentContext } from "../../src/extraction/fields/labels/values.ts";

const today = { year: 2026, month: 11, day: 20 };
const patience = 30_000;

/** Opens and annotates a file, without extracting fields. */
export async function documentContextOf(file: string, gazetteers: GazetteerShards): Promise<DocumentContext> {
  return (await seenIn(file, gazetteers)).document;
}

/** Opens and annotates a file that contains one order. A table of stops is converted to a form. */
export async function orderIn(file: string, gazetteers: GazetteerShards): Promise<OrderSeen> {
  const seen = await seenIn(file, gazetteers);
  const card = stopCardIn(seen.document);
  if (!card) return seen;
  const inCard = seen.marked(card.layout);
  return { ...seen, document: { ...inCard, annotations: withCardValues(inCard.annotations, card) } };
}

/** The input of the order extraction. */
export interface OrderSeen {
  document: DocumentContext;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}

async function seenIn(
  file: string,
  gazetteers: GazetteerShards,
): Promise<OrderSeen & { marked: (layout: Layout) => DocumentContext }> {
  const budget = new Budget(patience);
  const document = await openDocument({ bytes: readFileSync(file), name: file }, defaultLimits, budget);
  const layout = newestMail(layOut(document, budget));
  const lines = layout.segments.map((segment) => segment.text);
  const { gazetteer, context } = await prepareGazetteer(gazetteers, lines, detectLocale(lines, today));
  const marked = (part: Layout): DocumentContext => {
    const annotations = annotate(part, context, gazetteer, budget);
    joinPlaceFields(annotations, context, gazetteer);
    return {
      annotations,
      prose: proseOf(annotations),
      languages: context.languages,
      countries: context.countries,
      budget,
    };
  };
  return { document: marked(layout), locale: context, mail: document.mail, marked };
}
