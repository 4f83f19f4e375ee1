import type { OpenedDocument } from "./document/document.ts";
import type { GazetteerShards } from "./lexicon/gazetteer.ts";
import type { Budget } from "./problem.ts";
import type { DocumentLocale } from "./entities/entity.ts";
import { prepareGazetteer, detectLocale } from "./entities/find-entities.ts";
import { layOut, type Layout } from "./layout/layout.ts";
import { annotate } from "./fields/labels/annotations.ts";
import { proseOf } from "./fields/sections/prose.ts";
import type { DocumentContext } from "./fields/labels/values.ts";

interface AnnotationOptions {
  gazetteer: GazetteerShards;
  budget: Budget;
  today: DocumentLocale["today"];
}

/** Finds all labels and entities of a document. `only` can select a part of the layout. */
export async function annotateDocument(
  document: OpenedDocument,
  { gazetteer: shards, budget, today }: AnnotationOptions,
  only: (layout: Layout) => Layout = (layout) => layout,
): Promise<DocumentContext> {
  const layout = only(layOut(document, budget));
  const lines = layout.segments.map(({ text }) => text);
  const { gazetteer, context } = await prepareGazetteer(shards, lines, detectLocale(lines, today));
  const annotations = annotate(layout, context, gazetteer, budget);
  return {
    annotations,
    prose: proseOf(annotations),
    languages: context.languages,
    countries: context.countries,
    budget,
  };
}
