import { scores } from "./scores.ts";
import { fold } from "../lexicon/fold.ts";
import type { Gazetteer } from "../lexicon/gazetteer.ts";
import type { Entity, DocumentLocale } from "./entity.ts";
import { findAmounts } from "./amounts.ts";
import { findContainers } from "./container-numbers.ts";
import { findIbans } from "./ibans.ts";
import { findIncoterms, findUnNumbers } from "./trade-codes.ts";
import { findVins } from "./vins.ts";
import { findCompanies } from "./companies.ts";
import { findDates } from "./dates.ts";
import { byPosition, overlaps } from "./line-spans.ts";
import { findEmails, findLinks, findPhones } from "./contact-details.ts";
import { findPlaces } from "./places.ts";
import { findPlates } from "./plates.ts";
import { findDimensions, findPercents, findQuantities, findTemperatures } from "./quantities.ts";
import { findReferences } from "./references.ts";
import { findStreets } from "./streets.ts";
import { findTimes } from "./times.ts";
import { findVatCodes } from "./vat.ts";

export { prepareGazetteer, detectLocale } from "./detect-locale.ts";

/**
 * Longer text is processed in chunks, so that the time grows only in proportion to the length, even for hostile
 * input.
 */
const LONGEST = 2000;

/**
 * Finds all typed values in a text (a line, a cell, a segment), ordered by position. Entities of different types may
 * overlap; their scores rank the interpretations. Entities of one type do not overlap.
 */
export function findEntities(text: string, context: DocumentLocale, gazetteer: Gazetteer): Entity[] {
  if (text.length <= LONGEST) return findInChunk(text, context, gazetteer);
  const found: Entity[] = [];
  for (let offset = 0; offset < text.length; offset += LONGEST) {
    for (const entity of findInChunk(text.slice(offset, offset + LONGEST), context, gazetteer)) {
      found.push({ ...entity, start: entity.start + offset, end: entity.end + offset });
    }
  }
  return found;
}

function findInChunk(text: string, context: DocumentLocale, gazetteer: Gazetteer): Entity[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  const line = fold(text);
  const figures = /\d/.test(line.plain);
  const dates = figures ? findDates(line, context) : [];
  const measured: Entity[] = [...findTimes(line, dates)];
  if (figures) {
    measured.push(
      ...dates,
      ...findAmounts(line, context),
      ...findQuantities(line, context),
      ...findTemperatures(line),
      ...findDimensions(line),
      ...findPercents(line),
    );
  }
  const found: Entity[] = [
    ...measured,
    ...findEmails(line),
    ...findLinks(line),
    ...findIncoterms(line),
    ...findCompanies(line),
    ...findStreets(line),
    ...findPlaces(line, context, gazetteer, measured),
  ];
  if (figures) {
    found.push(
      ...findVatCodes(line, context),
      ...findIbans(line),
      ...findContainers(line),
      ...findVins(line),
      ...findUnNumbers(line),
    );
    found.push(...findPlates(line), ...findPhones(line, context), ...findReferences(line));
  }
  return withoutRivals(found).sort(byPosition);
}

const BESIDE: Partial<Record<Entity["type"], Set<Entity["type"]>>> = {
  Company: new Set(["Place", "Street"]),
  Street: new Set(["Place", "Company"]),
  Place: new Set(["Company", "Street"]),
  Quantity: new Set(["Dimensions"]),
};

function withoutRivals(found: Entity[]): Entity[] {
  const strong = found.filter((entity) => entity.score >= scores.strong);
  return found.map((entity) => {
    if (entity.score >= scores.strong) return entity;
    const rival = strong.some(
      (other) => other.type !== entity.type && overlaps(other, entity) && !BESIDE[entity.type]?.has(other.type),
    );
    return rival ? { ...entity, score: entity.score * scores.suppressed } : entity;
  });
}
