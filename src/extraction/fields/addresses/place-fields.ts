import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Gazetteer } from "../../lexicon/gazetteer.ts";
import type { Entity, SeeingContext } from "../../entities/entity.ts";
import { see } from "../../entities/see.ts";
import { areasOf, type Area } from "../labels/areas.ts";
import type { Label, Annotations } from "../labels/annotations.ts";

const farthestRows = 4;

/**
 * Forms with a field each for postcode, town and country: reads them as the one place they are and puts it where the
 * postcode stands.
 */
export function joinPlaceFields(marks: Annotations, context: SeeingContext, gazetteer: Gazetteer): void {
  const fields = (concept: ConceptId) =>
    marks.labels.filter(
      (label) => label.standing === "Head" && label.meanings.some((each) => each.concept === concept),
    );
  const [towns, countries] = [fields("city"), fields("country")];
  for (const label of fields("postalCode")) {
    const code = valueOf(marks, label);
    const town = nearest(label, towns);
    if (!code || !town || town === label) continue;
    const country = nearest(label, countries);
    const place = placeIn(
      [country, label, town].map((field) => field && textOf(valueOf(marks, field))),
      context,
      gazetteer,
    );
    const printed = /\d/u.test(textOf(code)) ? code : valueOf(marks, town);
    if (place && printed) put(marks, printed, place);
  }
}

function valueOf(marks: Annotations, label: Label): Area | undefined {
  return areasOf(marks, label).find(({ way, order }) => order === 0 && (way === "Same" || way === "Right"));
}

function textOf(area: Area | undefined): string {
  return area ? area.segment.text.slice(area.start, area.end).trim() : "";
}

/** The field of the same column that stands closest. */
function nearest(label: Label, fields: readonly Label[]): Label | undefined {
  const { segment } = label;
  const close = fields.filter(
    (other) =>
      other.segment.page === segment.page &&
      Math.abs(other.segment.row - segment.row) <= farthestRows &&
      Math.abs(other.segment.box.x0 - segment.box.x0) < 1.5 * segment.size,
  );
  const away = (other: Label) => Math.abs(other.segment.row - segment.row);
  return close.sort((a, b) => away(a) - away(b))[0];
}

function placeIn(
  words: readonly (string | undefined)[],
  context: SeeingContext,
  gazetteer: Gazetteer,
): Entity | undefined {
  const [country, code, town] = words;
  const readings = [`${country ?? ""} ${code} ${town}`.trim(), `${code} ${town}`];
  const places = readings.flatMap((text) =>
    see(text, context, gazetteer).filter(
      (entity) => entity.type === "Place" && entity.value.postalCode && entity.value.city,
    ),
  );
  return places.sort((a, b) => b.score - a.score)[0];
}

function put(marks: Annotations, { segment, start, end }: Area, place: Entity): void {
  const others = (marks.entitiesIn[segment.index] ?? []).filter((entity) => entity.end <= start || entity.start >= end);
  marks.entitiesIn[segment.index] = [...others, { ...place, start, end }].sort((a, b) => a.start - b.start);
}
