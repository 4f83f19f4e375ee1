import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Entity, EntityOf, ScoredSpan } from "../../entities/entity.ts";
import { splitSpan } from "../../layout/text-span.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { driversIn, type Driver } from "./drivers.ts";
import { FieldValue } from "../confidence/field-value.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

/** Plates of trucks and trailers, without spaces, and the drivers. */
export interface Vehicles {
  vehicles: FieldValue<string>[];
  trailers: FieldValue<string>[];
  drivers: Driver[];
}

const plateConcepts: readonly ConceptId[] = ["truckPlate", "trailerPlate", "plates", "vehicle", "driver"];

/**
 * Finds the plates of trucks and trailers. If their labels do not distinguish them, their order does: the truck comes
 * first.
 */
export function vehiclesIn(document: DocumentContext): Vehicles {
  const chosen = platesIn(document);
  const vehicles: FieldValue<string>[] = [];
  const trailers: FieldValue<string>[] = [];
  for (const [index, plate] of chosen.entries()) {
    const { segment, entity, score } = plate;
    const labelledType = saidBeside(document, plate);
    const trailer = labelledType
      ? labelledType === "Trailer"
      : isTrailer(plate, chosen.slice(0, index), chosen[index + 1]);
    const list = trailer ? trailers : vehicles;
    const value = entity.value.plate.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
    if (![...vehicles, ...trailers].some((found) => found.value === value))
      list.push(new FieldValue(value, score, { segment, start: entity.start, end: entity.end }));
  }
  return { vehicles, trailers, drivers: driversIn(document, chosen) };
}

const written: ReadonlySet<ConceptId> = new Set(["truckPlate", "trailerPlate", "plates"]);
/** Matches the separators between several plates in one line. */
export const platesApart = /[/,;+|]|\s[-–]\s/gu;
/** Matches a text that can be a plate of any country. */
export const plateLike = /^(?=(?:\P{N}*\p{N}){2})(?=.*\p{L})[\p{Lu}\p{N}][\p{Lu}\p{N} .-]{3,11}$/u;

/** Finds plates of any format: short codes between separators after a label for plates. */
function writtenPlates(document: DocumentContext, label: Label): LocatedEntity<"Plate">[] {
  const concept = label.meanings.some((each) => written.has(each.concept) && each.weight >= scores.meaning);
  if (!concept || label.standing === "Loose") return [];
  const [area] = valueAreasOf(document.annotations, label);
  if (!area || area.way === "Before") return [];
  const found: LocatedEntity<"Plate">[] = [];
  for (const span of splitSpan(area, platesApart)) {
    if (!plateLike.test(span.text)) break;
    const entity = {
      type: "Plate" as const,
      value: { plate: span.text },
      start: span.start,
      end: span.end,
      score: scores.vehicle.writtenPlate.entity,
    };
    found.push({ segment: area.segment, entity });
  }
  return found;
}

function platesIn(document: DocumentContext): FieldCandidate<"Plate">[] {
  const best = new Map<FieldCandidate<"Plate">["entity"], FieldCandidate<"Plate">>();
  for (const candidate of findCandidates(document, { concepts: plateConcepts, types: ["Plate"] })) {
    const { segment, entity } = candidate;
    const isWord = (document.annotations.labelsIn[segment.index] ?? []).some(
      (label) =>
        entity.start < label.end &&
        entity.end > label.start &&
        label.meanings.some(({ concept }) => written.has(concept)),
    );
    const other = isPartOf(document.annotations.entitiesIn[segment.index] ?? [], entity);
    if (candidate.score >= scores.vehicle.plate && !isWord && !other && !best.has(entity)) best.set(entity, candidate);
  }
  for (const candidate of best.values()) addPartner(document, candidate, best);
  for (const label of document.annotations.labels) addWritten(document, label, best);
  if (best.size === 0) for (const plate of pairsIn(document)) best.set(plate.entity, plate);
  return [...best.values()].sort((a, b) => a.segment.index - b.segment.index || a.entity.start - b.entity.start);
}

/** Adds the plate that a slash or another separator joins to a plate already found: "KH 441 / KH 803". */
function addPartner(
  { annotations }: DocumentContext,
  first: FieldCandidate<"Plate">,
  best: Map<FieldCandidate<"Plate">["entity"], FieldCandidate<"Plate">>,
): void {
  const partner = entitiesOfType(annotations, "Plate", [first.segment]).find(
    ({ entity }) =>
      entity.start > first.entity.end &&
      entity.start - first.entity.end < 4 &&
      between.test(first.segment.text.slice(first.entity.end, entity.start)),
  );
  const other = partner && isPartOf(annotations.entitiesIn[first.segment.index] ?? [], partner.entity);
  if (partner && !other && !best.has(partner.entity)) best.set(partner.entity, { ...first, ...partner });
}

const between = /^\s?(?:[/+|&]|-|–|\p{L}{1,3})\s?$/u;

/** Finds two adjacent plates without a label, of a truck and its trailer: "WGM 12345 + WGM 9AK2". */
function pairsIn({ annotations }: DocumentContext): FieldCandidate<"Plate">[] {
  for (const segment of annotations.layout.segments) {
    const plates = entitiesOfType(annotations, "Plate", [segment]).filter(
      ({ entity }) => !isNumber(annotations.entitiesIn[segment.index] ?? [], entity),
    );
    const first = plates.findIndex(({ entity }, at) => {
      const next = plates[at + 1]?.entity;
      return next !== undefined && between.test(segment.text.slice(entity.end, next.start)) && alike(entity, next);
    });
    const label = { index: -1, segment, start: 0, end: 0, meanings: [], standing: "Lead" as const };
    if (first >= 0)
      return plates
        .slice(first, first + 2)
        .map((plate) => ({ ...plate, label, concept: "plates", way: "Same", score: scores.vehicle.pair }));
  }
  return [];
}

const alike = (one: EntityOf<"Plate">, other: EntityOf<"Plate">) =>
  one.value.country === other.value.country || one.value.trailer !== undefined || other.value.trailer !== undefined;

/** Whether an apparent plate is part of an address or amount: "LV-3401", "GBP 385". */
function isPartOf(entities: readonly Entity[], { start, end }: ScoredSpan): boolean {
  return entities.some(
    (entity) =>
      entity.start <= start &&
      entity.end >= end &&
      ((entity.type === "Place" && entity.value.city && entity.score >= scores.vehicle.other) ||
        (entity.type === "Amount" && entity.value.currency)),
  );
}

function isNumber(entities: readonly Entity[], { start, end }: ScoredSpan): boolean {
  return entities.some(
    ({ type, score, ...other }) =>
      ["Place", "Date", "Phone", "Container", "Vat", "Iban", "Quantity", "Amount"].includes(type) &&
      score >= scores.vehicle.other &&
      other.start < end &&
      other.end > start,
  );
}

/** Adds the plates at a label. Each replaces the recognised plates that are only parts of it. */
function addWritten(
  document: DocumentContext,
  label: Label,
  best: Map<FieldCandidate<"Plate">["entity"], FieldCandidate<"Plate">>,
): void {
  const concept = label.meanings.find((each) => written.has(each.concept))?.concept;
  for (const { segment, entity } of writtenPlates(document, label)) {
    const same = [...best.values()].filter(
      (other) => other.segment === segment && other.entity.start < entity.end && other.entity.end > entity.start,
    );
    if (!concept || same.some((other) => other.entity.end - other.entity.start >= entity.end - entity.start)) continue;
    for (const other of same) best.delete(other.entity);
    best.set(entity, {
      segment,
      entity,
      label,
      concept: same[0]?.concept ?? concept,
      way: "Same",
      score: same[0]?.score ?? scores.vehicle.writtenPlate.value,
    });
  }
}

/**
 * Determines from the word next to a plate whether it is the plate of a truck or of a trailer: "WGM 12345 (truck), WGM
 * 9AK2 (trailer)", "our trailer WGM 9AK2, your unit WGM 12345".
 */
function saidBeside({ annotations }: DocumentContext, plate: LocatedEntity<"Plate">): "Truck" | "Trailer" | undefined {
  const { segment, entity } = plate;
  const labels = annotations.labelsIn[segment.index] ?? [];
  const open = /^\s?\(\s?/u.exec(segment.text.slice(entity.end));
  const behind = open && labels.find(({ start }) => start === entity.end + open[0].length);
  const before = labels.findLast(
    ({ standing, end }) => standing === "Loose" && segment.text.slice(end, entity.start) === " ",
  );
  return (behind && vehicleOf(behind)) ?? (before && vehicleOf(before));
}

function vehicleOf({ meanings }: Label): "Truck" | "Trailer" | undefined {
  const says = (...concepts: ConceptId[]) =>
    meanings.some(({ concept, weight }) => weight >= scores.meaning && concepts.includes(concept));
  if (says("truckPlate")) return "Truck";
  if (says("trailerPlate", "trailerType")) return "Trailer";
  return says("vehicle") ? "Truck" : undefined;
}

function isTrailer(
  plate: FieldCandidate<"Plate">,
  earlier: readonly FieldCandidate<"Plate">[],
  next: FieldCandidate<"Plate"> | undefined,
): boolean {
  const together = earlier.filter(
    (other) => other.segment === plate.segment && other.label.segment === plate.label.segment,
  );
  if (plate.entity.value.trailer !== undefined) return plate.entity.value.trailer;
  const pair = next && next.segment === plate.segment && next.entity.start - plate.entity.end < 4;
  if (plate.concept === "trailerPlate" && pair && together.length === 0) return false;
  if (plate.concept === "trailerPlate" && (together.length > 0 || !sharesLabel(plate))) return true;
  if (plate.concept === "truckPlate" && together.length === 0) return false;
  return together.length % 2 === 1;
}

/** Whether one label is for both vehicles ("Truck / trailer"). If it is, the order of the plates decides. */
function sharesLabel(plate: FieldCandidate<"Plate">): boolean {
  return (
    plate.label.meanings.some((each) => each.concept === "truckPlate" || each.concept === "plates") ||
    (plate.way !== "Same" && plate.label.start > 0)
  );
}
