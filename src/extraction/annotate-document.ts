import type { OpenedDocument } from "./document/document.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import type { Budget } from "./problem.ts";
import type { SeeingContext } from "./entities/entity.ts";
import { prepareGazetteer, seeingContext } from "./entities/see.ts";
import { layOut, type Layout } from "./layout/layout.ts";
import { mark } from "./fields/labels/annotations.ts";
import { proseOf } from "./fields/sections/prose.ts";
import type { DocumentContext } from "./fields/labels/values.ts";

/** What a document is looked at with. */
interface Eyes {
  gazetteer: GazetteerShards;
  budget: Budget;
  today: SeeingContext["today"];
}

/** A document with everything on it marked, for questions about the whole of it; `only` leaves parts of the page out. */
export async function lookedAt(
  document: OpenedDocument,
  { gazetteer: shards, budget, today }: Eyes,
  only: (layout: Layout) => Layout = (layout) => layout,
): Promise<DocumentContext> {
  const layout = only(layOut(document, budget));
  const lines = layout.segments.map(({ text }) => text);
  const { gazetteer, context } = await prepareGazetteer(shards, lines, seeingContext(lines, today));
  const marks = mark(layout, context, gazetteer, budget);
  return { marks, prose: proseOf(marks), languages: context.languages, countries: context.countries, budget };
}
