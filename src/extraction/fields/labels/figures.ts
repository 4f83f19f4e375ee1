import type { ConceptId } from "../../lexicon/concepts.ts";
import { valueAreasOf, type ValueArea } from "./value-areas.ts";
import type { Owned } from "../../layout/layout.ts";
import type { Label } from "./annotations.ts";
import { bestConcept, featuresOf, scoreFeatures, type Features, type DocumentContext } from "./values.ts";

/** A number without a unit in the value area of a label. */
export interface BareNumber {
  value: number;
  label: Label;
  concept: ConceptId;
  area: ValueArea;
  /** 0..1, from the logistic model over the features. */
  score: number;
  features: Features;
}

const figure =
  /^\s*[+]?(\d{1,3}([ .,\u00a0'])\d{3}(?:\2\d{3})*|\d+)(?:[.,](\d{1,2}|000))?\s*(?:x|szt\.?|pcs\.?|EUR(?:O(?:PE)?)?|EPAL|EP)?\s*(?:\(\p{L}[^()]{0,30}\))?[.;,]?\s*$/iu;

/** Finds numbers that are alone in their cell or after their label, best first. Dates and codes do not count. */
export function findBareNumbers(document: DocumentContext, concepts: readonly ConceptId[], owned: Owned): BareNumber[] {
  const found: BareNumber[] = [];
  for (const label of document.annotations.labels) {
    const concept = bestConcept(label, concepts);
    const unitAlone = label.end - label.start < 4 && label.standing !== "Head";
    if (!concept || label.standing === "Loose" || unitAlone) continue;
    for (const area of valueAreasOf(document.annotations, label)) {
      const value = area.order <= 1 && owned(area.segment, area.start) ? plainFigure(document, area) : undefined;
      if (value === undefined) continue;
      const features = {
        ...featuresOf(document, label, area, { start: area.start, end: area.end, score: 0.6 }),
        conceptRank: concepts.indexOf(concept),
      };
      found.push({ value, label, concept, area, score: scoreFeatures(features), features });
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

function plainFigure(document: DocumentContext, { segment, start, end }: ValueArea): number | undefined {
  const match = figure.exec(segment.text.slice(start, end));
  const dated = (document.annotations.entitiesIn[segment.index] ?? []).some(
    (entity) => entity.type === "Date" && entity.start < end && entity.end > start,
  );
  return match && !dated ? Number(`${(match[1] ?? "").replace(/\D/gu, "")}.${match[3] ?? "0"}`) : undefined;
}
