import type { Entity, EntityOf } from "../../entities/entity.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Segment } from "../../layout/layout.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { DocumentContext } from "../labels/values.ts";
import { cleanedText } from "../route/stop-details.ts";
import { scores } from "../scores.ts";
import { cargoIn, kilogramsOf, type CargoDraft } from "./cargo.ts";
import { firstNameIn } from "./goods.ts";
import { withoutTotal, type GoodsLine } from "./goods-table.ts";

type Slot = "pallets" | "quantity" | "weight" | "ldm" | "volume" | "size" | "un";

/** A measure of goods in a text. */
interface Fact {
  slot: Slot;
  start: number;
  end: number;
  /** In kilograms for weights. */
  amount?: number;
}

/** Words and figures about one kind of goods: "12 pallets of paint, 7 800 kg". */
interface Phrase {
  segment: Segment;
  start: number;
  end: number;
  facts: Fact[];
}

const heaviestSack = 60;
const mostPhrases = 40;
const mostRows = 5;
const mostBetween = 1;
const measures: readonly Slot[] = ["pallets", "quantity", "weight", "ldm", "volume", "size"];
const numeric = ["pallets", "quantity", "weight", "ldm", "volume"] as const;
const ofConditions: ReadonlySet<ConceptId> = new Set(["terms", "penalties", "vehicleRequirements", "trailerType"]);

/**
 * Finds the goods that are listed in words, not in columns: "6 pallets of casings, 5.9 t, 4 pallets of shafts, 3.1 t",
 * or such a phrase on each of several lines.
 */
export function goodsListsIn(document: DocumentContext): GoodsLine[][] {
  const phrases = document.annotations.layout.segments
    .flatMap((segment) => (mayDescribeGoods(document, segment) ? phrasesIn(document, segment) : []))
    .slice(0, mostPhrases);
  const lists: Phrase[][] = [];
  for (const phrase of phrases) {
    const list = lists.find((each) => isNextTo(document, each.at(-1)!.segment, phrase.segment));
    if (list) list.push(phrase);
    else lists.push([phrase]);
  }
  const several = lists.filter((list) => list.length > 1);
  const listed = new Set(several.flat().map(({ segment }) => segment));
  const view = { ...document, prose: new Set([...document.prose].filter((segment) => !listed.has(segment))) };
  return several.map((list) => withoutTotal(list.map((phrase) => lineOf(view, phrase))));
}

function mayDescribeGoods({ annotations }: DocumentContext, { index }: Segment): boolean {
  const isCondition = (annotations.labelsIn[index] ?? []).some(({ meanings }) =>
    meanings.some(({ concept }) => ofConditions.has(concept)),
  );
  return !isCondition && (annotations.entitiesIn[index] ?? []).some(({ type }) => type === "Quantity");
}

/** Whether a text is printed below another, with at most one line between them. */
function isNextTo({ annotations }: DocumentContext, one: Segment, other: Segment): boolean {
  if (one === other) return true;
  const isUnder = (segment: Segment) => Math.abs(one.box.x0 - segment.box.x0) < 2 * one.size;
  if (one.page !== other.page || other.row <= one.row || other.row - one.row > mostRows || !isUnder(other))
    return false;
  const page = annotations.layout.segments.slice(one.index, other.index);
  return page.filter((each) => each.row > one.row && each.row < other.row && isUnder(each)).length <= mostBetween;
}

/** Divides a text into phrases. A new one begins where a measure is repeated. */
function phrasesIn({ annotations }: DocumentContext, segment: Segment): Phrase[] {
  const entities = annotations.entitiesIn[segment.index] ?? [];
  const facts = factsIn(segment.text, entities);
  const phrases: Phrase[] = [];
  let before = 0;
  for (const fact of facts) {
    const current = phrases.at(-1);
    const same = current?.facts.find(({ slot }) => slot === fact.slot);
    if (!current) phrases.push({ segment, start: 0, end: segment.text.length, facts: [fact] });
    else if (!same) current.facts.push(fact);
    else if (isSack(same, fact)) current.facts.splice(current.facts.indexOf(same), 1, fact);
    else if (!isSack(fact, same)) {
      const start = beginOf(segment.text, before, fact);
      if (start !== undefined) {
        current.end = start;
        phrases.push({ segment, start, end: segment.text.length, facts: [fact] });
      }
    }
    before = fact.end;
  }
  return phrases.filter((phrase) => isOfGoods(phrase, entities));
}

function factsIn(text: string, entities: readonly Entity[]): Fact[] {
  const printed = entities.flatMap((entity): Fact[] => {
    if (entity.score < scores.goods.entity) return [];
    const { start, end } = entity;
    if (entity.type === "UnNumber") return [{ slot: "un", start, end }];
    if (entity.type === "Dimensions") return [{ slot: "size", start, end }];
    const slot = entity.type === "Quantity" ? slotOf(entity) : undefined;
    return slot && entity.type === "Quantity" ? [{ slot, start, end, amount: kilogramsOf(entity.value) }] : [];
  });
  const bare = [...text.matchAll(bareCount)].flatMap((match): Fact[] => {
    const [whole, number = ""] = match;
    const end = match.index + whole.length;
    const isOther = entities.some((entity) => entity.start < end && entity.end > end - number.length);
    return isOther ? [] : [{ slot: "quantity", start: end - number.length, end, amount: Number(number) }];
  });
  return [...printed, ...bare].sort((a, b) => a.start - b.start);
}

/** "1 press brake, 9 800 kg": a number of pieces without a unit. */
const bareCount = /(?:^|[;+,:] |\. )([1-9]\d?)(?= \p{L}{4})/gu;

function slotOf({ value: { unit } }: EntityOf<"Quantity">): Slot | undefined {
  if (unit === "kg" || unit === "t" || unit === "lb") return "weight";
  if (unit === "pallets" || unit === "ldm") return unit;
  return unit === "pieces" ? "quantity" : unit === "m3" ? "volume" : undefined;
}

/** Whether the weight is that of a package in the goods that weigh `other`. */
const isSack = (weight: Fact, other: Fact) =>
  weight.slot === "weight" && weight.amount! <= heaviestSack && other.amount! >= 10 * weight.amount!;

/** Where the phrase of a repeated measure begins. Undefined if nothing else is named between the two. */
function beginOf(text: string, before: number, fact: Fact): number | undefined {
  const between = text.slice(before, fact.start);
  const name =
    /(?:^|[;.,)+/–-]\s?|\s(?:and|und|et|e|y|i|a|en|og|och|ja|ir|un|și|és|та|и|і|ve|και)\s)(?=[^;,]*\p{L}{3}[^;,]*$)/iu.exec(
      between,
    );
  if (fact.slot !== "weight" && fact.slot !== "size")
    return name && /:\s*$/u.test(between) ? before + name.index : fact.start;
  return name && name[0].length + name.index < between.length ? before + name.index : undefined;
}

/** Whether a phrase has two measures, of which one is a weight or number, and no price. */
function isOfGoods({ start, end, facts }: Phrase, entities: readonly Entity[]): boolean {
  const slots = new Set(facts.map(({ slot }) => slot));
  const told = measures.filter((slot) => slots.has(slot));
  const isHeavy = facts.some(({ slot, amount }) => slot === "weight" && amount! > heaviestSack);
  const isOther = entities.some(
    (entity) => ofOthers.has(entity.type) && entity.score >= 0.5 && entity.start >= start && entity.end <= end,
  );
  return told.length > 1 && (isHeavy || !slots.has("weight")) && !isOther;
}

const ofOthers: ReadonlySet<Entity["type"]> = new Set(["Amount", "Percent", "Date", "Phone", "Iban", "Street"]);

function lineOf(document: DocumentContext, { segment, start, end, facts }: Phrase): GoodsLine {
  const cargo: CargoDraft = cargoIn(document, (other, at) => other === segment && at >= start && at < end);
  for (const name of numeric) {
    const fact = facts.find(({ slot }) => slot === name);
    if (fact)
      cargo[name] = new FieldValue(fact.amount!, scores.goods.list, { segment, start: fact.start, end: fact.end });
  }
  const name = firstNameIn(document, { segment, start, end }, true);
  if (name) cargo.cargoType = new FieldValue(cleanedText(name.text), scores.goods.name.besideFigures, name);
  return { cargo, segments: [segment], others: new Map() };
}
