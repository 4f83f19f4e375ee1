import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import type { Entity, EntityType } from "../../entities/entity.ts";
import type { Label } from "./label.ts";

const callable: ReadonlySet<ConceptId> = new Set([
  "phone",
  "mobile",
  "driverPhone",
  "driver",
  "contactPerson",
  "loadingContact",
  "unloadingContact",
]);
const callNumber = /(?<![\p{L}\p{N}/-])(?:\+|00|\(?0)\d(?:[ ().-]?\d){7,13}(?![\p{N}/])/gu;

const nationalNumber = /^[\s.:]{0,4}(\(?\d{1,4}\)?(?:[ ().-]?\d){6,11})(?![\p{L}\p{N}/])/u;

function nationalNumbers(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return labels.flatMap(({ end, meanings }): Entity[] => {
    const named = meanings.some(
      ({ concept, weight }) =>
        (concept === "phone" || concept === "mobile" || concept === "driverPhone") && weight >= 0.8,
    );
    const match = named ? nationalNumber.exec(text.slice(end)) : null;
    if (!match?.[1]) return [];
    const start = end + match[0].length - match[1].length;
    const last = end + match[0].length;
    const known = seen.some(
      (entity) => entity.start < last && entity.end > start && (entity.type === "Phone" || entity.score >= 0.85),
    );
    return known ? [] : [{ type: "Phone", value: match[1], start, end: last, score: 0.5 }];
  });
}

/** Phone numbers of an unknown numbering plan count only after a label for phones or contacts. */
function calledNumbers(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  const label = labels.find((each) => each.meanings.some(({ concept }) => callable.has(concept)));
  if (!label || seen.some((entity) => entity.type === "Phone" && entity.score > 0.4)) return [];
  return [...text.matchAll(callNumber)]
    .filter((match) => match.index >= label.end)
    .map((match) => ({
      type: "Phone",
      value: match[0],
      start: match.index,
      end: match.index + match[0].length,
      score: 0.6,
    }));
}

const dayMonth = /^\s*[:.]?\s*(?:\p{L}{2,3}\.?,?\s+)?(\d{1,2})[./](\d{1,2})\.?(?=[\s,;]|$)/u;
const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const beforeClock = /(?<![\d.,])(\d{1,2})\.(\d{1,2})\.(?=\s{1,3}\d{1,2}[:.]\d{2})/gu;

function daysBeforeClock(text: string, seen: readonly Entity[]): Entity[] {
  return [...text.matchAll(beforeClock)].flatMap((match): Entity[] => {
    const [day, month] = [Number(match[1]), Number(match[2])];
    const [start, end] = [match.index, match.index + match[0].length];
    const known = seen.some((entity) => entity.type === "Date" && entity.start < end && entity.end > start);
    return known || day < 1 || day > (daysIn[month - 1] ?? 0)
      ? []
      : [{ type: "Date", value: { day, month }, start, end, score: 0.8 }];
  });
}

/** "Loading: 24.11 8-15": a day and month after the label of a stop or date. */
function shortDates(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return labels.flatMap((label): Entity[] => {
    const when =
      label.standing !== "Loose" &&
      label.meanings.some(({ concept }) => ["Stop", "Loading", "Unloading"].includes(conceptOf(concept).about));
    const match = when ? dayMonth.exec(text.slice(label.end)) : null;
    const [day, month] = [Number(match?.[1]), Number(match?.[2])];
    if (!match || day < 1 || day > (daysIn[month - 1] ?? 0)) return [];
    const end = label.end + match[0].length;
    const start = end - match[0].trimStart().replace(/^[^\d]*/u, "").length;
    return seen.some((entity) => entity.type === "Date" && entity.start < end && entity.end > start)
      ? []
      : [{ type: "Date", value: { day, month }, start, end, score: 0.7 }];
  });
}

const hourAlone = /^[\s.:]{0,3}(\d{1,2})(?=[\s,;)]|\.?$)(?!\s*[:.]\s*\d)/u;

function bareHours(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return labels.flatMap((label): Entity[] => {
    const match = label.meanings.some(({ concept, weight }) => concept === "time" && weight >= 0.5)
      ? hourAlone.exec(text.slice(label.end))
      : null;
    const hour = Number(match?.[1]);
    if (!match || hour > 24) return [];
    const end = label.end + match[0].length;
    const start = end - (match[1]?.length ?? 0);
    const other = seen.some(
      (entity) => entity.start < end && entity.end > start && entity.score > 0.3 && entity.type !== "Amount",
    );
    return other ? [] : [{ type: "Time", value: { from: hour * 60 }, start, end, score: 0.6 }];
  });
}

/**
 * Entity types that exclude other types on the same characters, with the amount that is added to their score for the
 * comparison. Names, streets and references are not listed, because they may overlap other entities.
 */
const claims: Partial<Record<EntityType, number>> = {
  Email: 1,
  Link: 1,
  Iban: 0.9,
  Container: 0.9,
  Vat: 0.6,
  Date: 0.55,
  Temperature: 0.5,
  Quantity: 0.45,
  Amount: 0.3,
  Time: 0.3,
  Phone: 0.25,
  Place: 0.25,
  Dimensions: 0.6,
  Percent: 0.2,
};

/** Finds entities that count only next to a label or time: short dates, bare hours, phone numbers. */
export function labelledValues(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return [
    ...calledNumbers(text, labels, seen),
    ...nationalNumbers(text, labels, seen),
    ...shortDates(text, labels, seen),
    ...daysBeforeClock(text, seen),
    ...bareHours(text, labels, seen),
  ];
}

/**
 * Removes an entity if a stronger one of another type overlaps it. The strength of an entity depends on its score and
 * type, and is higher if the label before it expects this type. Also removes times within company names, and entities
 * that begin within a numbered label ("Delivery 2").
 */
export function withoutContradicted(entities: readonly Entity[], labels: readonly Label[]): Entity[] {
  const sureness = (entity: Entity) => {
    const label = labels.findLast((each) => each.end <= entity.start && entity.start - each.end < 6);
    const asked =
      label?.meanings.some((each) => (conceptOf(each.concept).expects as readonly string[])[0] === entity.type) ??
      false;
    if (entity.type === "Place" && entity.value.city === undefined && entity.score < 0.6 && !asked) return entity.score;
    const town = entity.type === "Place" && entity.value.city !== undefined && entity.score > 0.85 ? 0.45 : 0;
    return entity.score + (claims[entity.type] ?? 0) + town + (asked ? 0.6 : 0);
  };
  return entities.filter((entity) => {
    if (
      entity.type === "Time" &&
      entities.some(
        (name) => name.type === "Company" && name.score >= 0.7 && name.start <= entity.start && name.end >= entity.end,
      )
    )
      return false;
    if (labels.some((label) => label.number !== undefined && entity.start > label.start && entity.start < label.end))
      return false;
    if (claims[entity.type] === undefined) return true;
    return !entities.some(
      (other) =>
        other.type !== entity.type &&
        claims[other.type] !== undefined &&
        other.start < entity.end &&
        other.end > entity.start &&
        sureness(other) > sureness(entity),
    );
  });
}
