import { fold } from "../lexicon/fold.ts";
import type { Gazetteer } from "../lexicon/gazetteer.ts";
import type { Entity, SeeingContext } from "./entity.ts";
import { seeAmounts } from "./amounts.ts";
import { seeContainers, seeIbans, seeIncoterms, seeUnNumbers, seeVins } from "./codes.ts";
import { seeCompanies } from "./companies.ts";
import { seeDates } from "./dates.ts";
import { byPlace, overlap } from "./line.ts";
import { seeEmails, seeLinks } from "./links.ts";
import { seePhones } from "./phones.ts";
import { seePlaces } from "./places.ts";
import { seePlates } from "./plates.ts";
import { seeDimensions, seePercents, seeQuantities, seeTemperatures } from "./quantities.ts";
import { seeReferences } from "./references.ts";
import { seeStreets } from "./streets.ts";
import { seeTimes } from "./times.ts";
import { seeVat } from "./vat.ts";

export { prepareGazetteer, seeingContext } from "./context.ts";

/** Longer lines are seen in pieces: no document has them, and hostile ones must cost no more than their length. */
const LONGEST = 2000;

/**
 * All that has a type in a run of text (a line, a cell, a segment), sorted by place. Entities of different types may
 * overlap, the scores say which reading the recognisers would rather believe; within one type they do not.
 */
export function see(text: string, context: SeeingContext, gazetteer: Gazetteer): Entity[] {
  if (text.length <= LONGEST) return seePiece(text, context, gazetteer);
  const found: Entity[] = [];
  for (let offset = 0; offset < text.length; offset += LONGEST) {
    for (const entity of seePiece(text.slice(offset, offset + LONGEST), context, gazetteer)) {
      found.push({ ...entity, start: entity.start + offset, end: entity.end + offset });
    }
  }
  return found;
}

function seePiece(text: string, context: SeeingContext, gazetteer: Gazetteer): Entity[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  const line = fold(text);
  const figures = /\d/.test(line.plain);
  const dates = figures ? seeDates(line, context) : [];
  const measured: Entity[] = [...seeTimes(line, dates)];
  if (figures) {
    measured.push(
      ...dates,
      ...seeAmounts(line, context),
      ...seeQuantities(line, context),
      ...seeTemperatures(line),
      ...seeDimensions(line),
      ...seePercents(line),
    );
  }
  const found: Entity[] = [
    ...measured,
    ...seeEmails(line),
    ...seeLinks(line),
    ...seeIncoterms(line),
    ...seeCompanies(line),
    ...seeStreets(line),
    ...seePlaces(line, context, gazetteer, measured),
  ];
  if (figures) {
    found.push(
      ...seeVat(line, context),
      ...seeIbans(line),
      ...seeContainers(line),
      ...seeVins(line),
      ...seeUnNumbers(line),
    );
    found.push(...seePlates(line), ...seePhones(line, context), ...seeReferences(line));
  }
  return weighed(found).sort(byPlace);
}

const STRONG = 0.8;
/** What is certainly one thing is hardly another: a weaker reading of the same letters loses most of its score. */
const DOUBT = 0.3;
const BESIDE: Partial<Record<Entity["type"], Set<Entity["type"]>>> = {
  Company: new Set(["Place", "Street"]),
  Street: new Set(["Place", "Company"]),
  Place: new Set(["Company", "Street"]),
  Quantity: new Set(["Dimensions"]),
};

function weighed(found: Entity[]): Entity[] {
  const strong = found.filter((entity) => entity.score >= STRONG);
  return found.map((entity) => {
    if (entity.score >= STRONG) return entity;
    const rival = strong.some(
      (other) => other.type !== entity.type && overlap(other, entity) && !BESIDE[entity.type]?.has(other.type),
    );
    return rival ? { ...entity, score: entity.score * DOUBT } : entity;
  });
}
