import { countryOf } from "../../lexicon/countries.ts";
import { conceptOf, type Concept } from "../../lexicon/concepts.ts";
import { ExtractionProblem } from "../../problem.ts";
import type { Entity } from "../../entities/entity.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import type { Segment } from "../../layout/segment.ts";
import type { DocumentContext } from "../labels/values.ts";
import { rowOrdersIn } from "./orders.ts";
import { partsOf, stopPartsOf, type Line } from "./parts.ts";
import { stopTableIn } from "./stop-table.ts";
import { Tables, type Card } from "./table-to-form.ts";

export type { Card } from "./table-to-form.ts";

/**
 * Returns a card for each order in the document's tables. Returns none if no table lists orders.
 * @param readsLanes whether tables without marks, and tables with a column for each order, count as well
 * @throws ExtractionProblem `too_many_pages` if the file contains more orders than the limit
 */
export function cardsIn(document: DocumentContext, readsLanes = false): Card[] {
  const orders = rowOrdersIn(document, readsLanes);
  if (orders.length > mostCards)
    throw new ExtractionProblem(
      "too_many_pages",
      `The file has ${orders.length} orders, and the maximum is ${mostCards}. Send it in parts.`,
    );
  const tables = new Tables(
    document.annotations.layout,
    orders.map(({ list }) => list.table),
  );
  return orders.map((order) => {
    document.budget.check();
    const setter = tables.setter(order.list.table);
    for (const part of partsOf(order, document)) setter.set(part);
    return setter.card();
  });
}

/** Each order takes a few milliseconds. */
const mostCards = 1000;

/** Converts the document's table of stops to a card, if the document has such a table. */
export function stopCardIn(document: DocumentContext): Card | undefined {
  const order = stopTableIn(document);
  if (!order) return undefined;
  const setter = new Tables(document.annotations.layout, [order.list.table]).setter(order.list.table);
  for (const part of stopPartsOf(order, document)) setter.set(part);
  return setter.card();
}

/** Returns the annotations of a card. The columns determine the meaning of its labels and the types of its values. */
export function withCardValues(annotations: Annotations, { meanings, values }: Card): Annotations {
  const labelsIn = annotations.layout.segments.map((segment, at): Label[] => {
    const found = annotations.labelsIn[at] ?? [];
    if (values.has(segment)) return found.map(withoutHeadings).filter(({ meanings: left }) => left.length > 0);
    const concept = meanings.get(segment);
    return concept
      ? [
          {
            index: -1,
            segment,
            start: 0,
            end: segment.text.length,
            meanings: [{ concept, weight: 1 }],
            standing: "Head",
          },
        ]
      : found;
  });
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  const entitiesIn = annotations.layout.segments.map((segment, at) =>
    meanings.has(segment) ? [] : entitiesOf(segment, values.get(segment), annotations.entitiesIn[at] ?? []),
  );
  return { ...annotations, labels, labelsIn, entitiesIn };
}

const elsewhere: ReadonlySet<Concept["about"]> = new Set(["Document", "Loading", "Unloading", "Party"]);

/**
 * Removes headings, and meanings about documents, parties and stops, from a label inside a value, so that it begins no
 * section or field. Words for the date or time of a stop, such as "until" and "fixed", keep their meanings.
 */
function withoutHeadings(label: Label): Label {
  const ofTime = ({ stands, expects }: Concept) =>
    stands === "Mark" || expects.includes("Date") || expects.includes("Time");
  const stays = (concept: Concept) =>
    concept.stands !== "Heading" && !elsewhere.has(concept.about) && (concept.about !== "Stop" || ofTime(concept));
  return { ...label, meanings: label.meanings.filter(({ concept }) => stays(conceptOf(concept))) };
}

const sure = 0.9;
const phone = /^[+(]?\d[\d\s()./-]{5,}\d$/u;

function entitiesOf({ text }: Segment, line: Line | undefined, seen: Entity[]): Entity[] {
  if (!line) return seen;
  const whole = { start: 0, end: text.length, score: sure };
  if (line.type === "Place") return placeIn(text, seen) ?? seen;
  if (line.type) return [{ ...whole, type: line.type, value: text }];
  const called = line.concept !== undefined && conceptOf(line.concept).expects.includes("Phone");
  if (!called || !phone.test(text) || seen.some(({ type, score }) => type === "Phone" && score >= 0.5)) return seen;
  return [...seen, { ...whole, type: "Phone", value: text }];
}

const town = /^\p{L}[\p{L}\p{M} .'’()-]+$/u;

function placeIn(text: string, seen: readonly Entity[]): Entity[] | undefined {
  const places = seen.filter((entity) => entity.type === "Place").sort((a, b) => b.score - a.score);
  const coded = places.find(({ value }) => value.postalCode !== undefined);
  const rest = coded ? `${text.slice(0, coded.start)} ${text.slice(coded.end)}` : text;
  const words = rest
    .split(/[,;/]/u)
    .map((word) => word.trim())
    .find((word) => town.test(word) && !countryOf(word));
  const best = coded ?? places[0];
  const value = { ...(words && { city: words }), ...best?.value };
  if (!value.city) return undefined;
  return [
    {
      type: "Place",
      value,
      start: coded?.value.city ? coded.start : 0,
      end: coded?.value.city ? coded.end : text.length,
      score: Math.max(sure, best?.score ?? 0),
    },
  ];
}
