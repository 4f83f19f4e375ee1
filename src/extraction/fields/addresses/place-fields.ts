import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Gazetteer } from "../../lexicon/gazetteer.ts";
import type { Entity, DocumentLocale } from "../../entities/entity.ts";
import { findEntities } from "../../entities/find-entities.ts";
import { valueAreasOf, type ValueArea } from "../labels/value-areas.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import { distances } from "../scores.ts";

const farthestRows = 4;

/** Joins separate fields for postal code, town and country into one place, at the position of the postal code. */
export function joinPlaceFields(annotations: Annotations, context: DocumentLocale, gazetteer: Gazetteer): void {
  const fields = (concept: ConceptId) =>
    annotations.labels.filter(
      (label) => label.standing === "Head" && label.meanings.some((each) => each.concept === concept),
    );
  const [towns, countries] = [fields("city"), fields("country")];
  for (const label of fields("postalCode")) {
    const code = valueOf(annotations, label);
    const town = nearest(label, towns);
    if (!code || !town || town === label) continue;
    const country = nearest(label, countries);
    const place = placeIn(
      [country, label, town].map((field) => field && textOf(valueOf(annotations, field))),
      context,
      gazetteer,
    );
    const printed = /\d/u.test(textOf(code)) ? code : valueOf(annotations, town);
    if (place && printed) put(annotations, printed, place);
  }
}

function valueOf(annotations: Annotations, label: Label): ValueArea | undefined {
  return valueAreasOf(annotations, label).find(({ way, order }) => order === 0 && (way === "Same" || way === "Right"));
}

function textOf(area: ValueArea | undefined): string {
  return area ? area.segment.text.slice(area.start, area.end).trim() : "";
}

function nearest(label: Label, fields: readonly Label[]): Label | undefined {
  const { segment } = label;
  const close = fields.filter(
    (other) =>
      other.segment.page === segment.page &&
      Math.abs(other.segment.row - segment.row) <= farthestRows &&
      Math.abs(other.segment.box.x0 - segment.box.x0) < distances.fieldColumn * segment.size,
  );
  const away = (other: Label) => Math.abs(other.segment.row - segment.row);
  return close.sort((a, b) => away(a) - away(b))[0];
}

function placeIn(
  words: readonly (string | undefined)[],
  context: DocumentLocale,
  gazetteer: Gazetteer,
): Entity | undefined {
  const [country, code, town] = words;
  const readings = [`${country ?? ""} ${code} ${town}`.trim(), `${code} ${town}`];
  const places = readings.flatMap((text) =>
    findEntities(text, context, gazetteer).filter(
      (entity) => entity.type === "Place" && entity.value.postalCode && entity.value.city,
    ),
  );
  return places.sort((a, b) => b.score - a.score)[0];
}

function put(annotations: Annotations, { segment, start, end }: ValueArea, place: Entity): void {
  const others = (annotations.entitiesIn[segment.index] ?? []).filter(
    (entity) => entity.end <= start || entity.start >= end,
  );
  annotations.entitiesIn[segment.index] = [...others, { ...place, start, end }].sort((a, b) => a.start - b.start);
}
