import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { labelOf } from "../labels/line-label.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { Route, Stop } from "./stops.ts";
import type { DocumentContext } from "../labels/values.ts";
import { windowOf, type Moment, type Window } from "./windows.ts";

const otherDays: ReadonlySet<ConceptId> = new Set([
  "orderDate",
  "dueDate",
  "terminalSlot",
  "openingHours",
  "paymentTerm",
  "bookingNumber",
  "releaseNumber",
  "vessel",
]);
const fromConcepts: ReadonlySet<ConceptId> = new Set(["dateFrom"]);
const toConcepts: ReadonlySet<ConceptId> = new Set(["dateTo"]);
/** Finds the time window of the stop, from dates and times in its part of the document. */
export function windowAt(document: DocumentContext, route: Route, stop: Stop, context: DocumentLocale): Window {
  const dates = entitiesOfType(document.annotations, "Date").filter(mine);
  const times = entitiesOfType(document.annotations, "Time").filter(mine);
  const moments = [...dates, ...times].sort(
    (a, b) => a.segment.index - b.segment.index || a.entity.start - b.entity.start,
  );
  return windowOf(
    moments.map((sighting) => momentOf(document, sighting, stop)),
    context,
  );

  function mine({ segment, entity }: LocatedEntity<"Date"> | LocatedEntity<"Time">): boolean {
    const day = entity.type === "Time" ? dayBeside(document, segment) : undefined;
    const owner = day ? route.owner(day.segment, day.entity.start) : route.owner(segment, entity.start);
    if (entity.score < 0.35 || owner !== stop) return false;
    const label = nearLabel(document, segment, entity.start);
    return !label?.meanings.some((each) => otherDays.has(each.concept) && each.weight >= 0.5);
  }
}

/**
 * Finds the date in the segment to the left of a separate time: "Loading: 24.11. | Hour: 8:00 | Unloading: 25.11. |
 * Hour: 9:00".
 */
function dayBeside({ annotations }: DocumentContext, segment: Segment): LocatedEntity<"Date"> | undefined {
  if (segment.cell || entitiesOfType(annotations, "Date", [segment]).length > 0) return undefined;
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  const own = (annotations.labelsIn[segment.index] ?? []).some(({ meanings }) =>
    meanings.some(({ concept, weight }) => weight >= 0.5 && ofOneWay.has(concept)),
  );
  return left && !own
    ? entitiesOfType(annotations, "Date", [left]).find(({ entity }) => entity.score >= 0.5)
    : undefined;
}

const ofOneWay: ReadonlySet<ConceptId> = new Set([
  "loading",
  "unloading",
  "loadingDate",
  "unloadingDate",
  "loadingTime",
  "unloadingTime",
]);

function momentOf(document: DocumentContext, sighting: Moment["sighting"], stop: Stop): Moment {
  const { segment, entity } = sighting;
  const confidence = Math.min(0.97, 0.35 + 0.3 * entity.score + 0.32 * stop.confidence);
  const label = nearLabel(document, segment, entity.start);
  const near = label && (label.segment !== segment || entity.start - label.end < 14) ? label : undefined;
  const means = (concepts: ReadonlySet<ConceptId>) =>
    near?.meanings.some((each) => concepts.has(each.concept)) ?? false;
  return {
    sighting,
    confidence,
    ...(means(toConcepts) ? { limit: "To" as const } : means(fromConcepts) ? { limit: "From" as const } : {}),
  };
}

/**
 * Returns the label directly before an offset, even a short word such as "until"; otherwise the label of the line.
 */
function nearLabel(document: DocumentContext, segment: Segment, at: number): Label | undefined {
  const close = (document.annotations.labelsIn[segment.index] ?? []).findLast(
    (label) => label.end <= at && at - label.end < 8,
  );
  return close ?? labelOf(document.annotations, segment, at);
}

/** Finds a word in the stop's part of the document that makes the time fixed: "fix", "timed", "sharp". */
export function fixedAt(
  document: DocumentContext,
  route: Route,
  stop: Stop,
  minWeight: number,
): FieldValue<boolean> | undefined {
  for (const label of document.annotations.labels) {
    const fixed = label.meanings.find((each) => each.concept === "fixedTime");
    if (
      !fixed ||
      fixed.weight < minWeight ||
      document.prose.has(label.segment) ||
      route.owner(label.segment, label.start) !== stop
    )
      continue;
    return new FieldValue(true, 0.5 + 0.4 * fixed.weight, {
      segment: label.segment,
      start: label.start,
      end: label.end,
    });
  }
  return undefined;
}

/**
 * Finds the company at the stop: the name in the address, otherwise a company in the stop's part of the document,
 * otherwise the value of a label for names.
 */
export function nameAt(document: DocumentContext, route: Route, stop: Stop): FieldValue<string> | undefined {
  const { address } = stop;
  if (address?.name && (address.named || address.name.text.length > 2))
    return new FieldValue(cleanedText(address.name.text), stop.confidence * (address.named ? 1 : 0.85), address.name);
  const company = entitiesOfType(document.annotations, "Company").find(
    ({ segment, entity }) =>
      entity.score >= 0.4 && !document.prose.has(segment) && route.owner(segment, entity.start) === stop,
  );
  if (company) {
    const { segment, entity } = company;
    return new FieldValue(cleanedText(entity.value), 0.85 * stop.confidence, {
      segment,
      start: entity.start,
      end: entity.end,
    });
  }
  const labelled = wordsFor(
    document,
    new Set<ConceptId>(["companyName", "place", "shipper", "consignee", "loading", "unloading"]),
    (segment, at) => route.owner(segment, at) === stop,
  );
  return labelled && new FieldValue(cleanedText(labelled.text), 0.6 * stop.confidence, labelled);
}

/** Finds text of any type at a label, such as a name or goods. It has at most 80 characters. */
export function wordsFor(
  document: DocumentContext,
  concepts: ReadonlySet<ConceptId>,
  owned: Owned,
): TextSpan | undefined {
  for (const label of document.annotations.labels) {
    if (
      label.standing === "Loose" ||
      !label.meanings.some((each) => concepts.has(each.concept)) ||
      document.prose.has(label.segment)
    )
      continue;
    const mine = owned(label.segment, label.start);
    for (const area of valueAreasOf(document.annotations, label)) {
      const nearest = area.order === 0 && mine;
      const inColumn = area.way === "Below" && label.standing === "Head" && owned(area.segment, area.start);
      if (area.way === "Before" || !(nearest || inColumn)) continue;
      const entities = (document.annotations.entitiesIn[area.segment.index] ?? []).filter(
        (entity) => entity.start >= area.start && entity.type !== "Company" && entity.score > 0.35,
      );
      const end = Math.min(area.end, ...entities.map((entity) => entity.start));
      const span = trimmedSpan(area.segment, area.start, end);
      if (/\p{L}{2}/u.test(span.text) && span.text.length <= 80) return span;
    }
  }
  return undefined;
}

/** Removes spaces and punctuation at the edges, and joins words with single spaces. */
export function cleanedText(text: string): string {
  return text.replace(/\s+/gu, " ").replace(/^[\s:;,.–-]+|[\s:;,–-]+$/gu, "");
}
