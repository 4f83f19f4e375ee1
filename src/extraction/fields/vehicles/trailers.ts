import type { ConceptId } from "../../lexicon/concepts.ts";
import { findTrailers, onlyLabelled } from "../../lexicon/trailers.ts";
import { containsAnswer } from "../labels/answers.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

const labels: ReadonlySet<ConceptId> = new Set([
  "trailerType",
  "vehicleRequirements",
  "vehicle",
  "truckPlate",
  "trailerPlate",
  "plates",
]);

/**
 * Finds the requested trailer types, as ids of the API's table: after a vehicle label, otherwise in the first line with
 * an unambiguous word.
 */
export function trailersIn(document: DocumentContext): FieldValue<string>[] {
  const asked = document.annotations.labels
    .filter((label) => label.standing !== "Loose" && label.meanings.some((each) => labels.has(each.concept)))
    .flatMap((label) =>
      valueAreasOf(document.annotations, label).filter(
        (area) => area.way !== "Before" && area.order < 3 && area.crossed === 0,
      ),
    );
  for (const { segment, start, end } of asked) {
    const found = typesIn(segment, start, end, true);
    if (found.length > 0) return found;
  }
  for (const segment of document.annotations.layout.segments) {
    const firm = entitiesOfType(document.annotations, "Company", [segment]).length > 0;
    const found = firm || document.prose.has(segment) ? [] : typesIn(segment, 0, segment.text.length, false);
    if (found.length > 0) return found;
  }
  return [];
}

/** Words for trailers that may also mean goods, buildings or streets. */
const hardlyTrailers: ReadonlySet<string> = new Set(["box", "bus", "coil", "silo", "transporter", "caixa", "platform"]);
const deniedBefore = 12;

/**
 * Finds the trailer types of a request: those that {@link trailersIn} finds, and those of all other words for trailers,
 * unless a word is ambiguous (`hardlyTrailers`) or negated.
 */
export function trailersNamed(document: DocumentContext): FieldValue<string>[] {
  const sure = trailersIn(document);
  const named = document.annotations.layout.segments
    .filter(
      (segment) =>
        !document.prose.has(segment) && entitiesOfType(document.annotations, "Company", [segment]).length === 0,
    )
    .flatMap((segment) =>
      findTrailers(segment.text)
        .filter(
          ({ word, start }) =>
            !hardlyTrailers.has(word) &&
            !containsAnswer("no", segment.text.slice(Math.max(0, start - deniedBefore), start)),
        )
        .map(({ id, start, end }) => new FieldValue(id, scores.vehicle.trailerType.elsewhere, { segment, start, end })),
    );
  return [...new Map([...named, ...sure].map((found) => [found.value, found])).values()];
}

/** Whether the text consists of a word for a trailer and nothing else. */
export function isTrailer(text: string): boolean {
  const found = findTrailers(text.trim());
  return found.length === 1 && found[0]?.start === 0 && found[0].end === text.trim().length;
}

function typesIn(segment: Segment, start: number, end: number, labelled: boolean): FieldValue<string>[] {
  const { trailerType } = scores.vehicle;
  const found = new Map<string, FieldValue<string>>();
  for (const { id, word, start: from, end: to } of findTrailers(segment.text.slice(start, end))) {
    if (found.has(id) || (!labelled && onlyLabelled.has(word))) continue;
    found.set(
      id,
      new FieldValue(id, labelled ? trailerType.labelled : trailerType.elsewhere, {
        segment,
        start: start + from,
        end: start + to,
      }),
    );
  }
  return [...found.values()];
}
