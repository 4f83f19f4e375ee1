import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Entity, EntityType } from "../../entities/entity.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { yesOrNo } from "../labels/answers.ts";
import { valueAreasOf, type ValueArea } from "../labels/value-areas.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { cleanedText } from "../route/stop-details.ts";
import { isTrailer } from "../vehicles/trailers.ts";
import type { Label } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

const measuring: ReadonlySet<EntityType> = new Set([
  "Quantity",
  "Temperature",
  "Dimensions",
  "Amount",
  "Percent",
  "UnNumber",
  "Date",
  "Time",
  "Container",
  "Reference",
]);
const elsewhere: ReadonlySet<EntityType> = new Set([
  "Phone",
  "Email",
  "Link",
  "Place",
  "Street",
  "Company",
  "Vat",
  "Plate",
]);
const goodsConcepts: ReadonlySet<ConceptId> = new Set(["goods"]);
const longest = 90;

/**
 * Finds the name of the goods: the value of a label for goods, otherwise the words next to the numbers on a line of
 * quantities.
 */
export function goodsIn(document: DocumentContext, owned: Owned): FieldValue<string> | undefined {
  return goodsUnderLabel(document, owned) ?? besideFigures(document, owned);
}

/** Finds the value of a label for goods. */
export function goodsUnderLabel(document: DocumentContext, owned: Owned): FieldValue<string> | undefined {
  const { base, perWeight, perArea } = scores.goods.name;
  const labels = document.annotations.labels
    .flatMap((label) =>
      label.meanings.filter((each) => goodsConcepts.has(each.concept)).map((each) => ({ label, weight: each.weight })),
    )
    .filter(({ label }) => label.standing !== "Loose" && !document.prose.has(label.segment))
    .sort((a, b) => b.weight - a.weight);
  for (const { label, weight } of labels) {
    if (yesOrNo(label.segment.text.slice(0, label.start)) === false) continue;
    for (const area of valueAreasOf(document.annotations, label)) {
      if (area.way === "Before" || area.order > 3 || !owned(area.segment, area.start)) continue;
      const words = firstNameIn(document, area);
      if (words)
        return new FieldValue(cleanedText(words.text), base + perWeight * weight + perArea * area.order, words);
      if (area.order > 0) break;
    }
  }
  return undefined;
}

/** Finds goods that are named between quantities: "18 pallets - fresh cheese - 9 360 kg". */
function besideFigures(document: DocumentContext, owned: Owned): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    if (
      document.prose.has(segment) ||
      !owned(segment, 0) ||
      !countsGoods(document.annotations.entitiesIn[segment.index] ?? [])
    )
      continue;
    const words = firstNameIn(document, { segment, start: 0, end: segment.text.length });
    if (words) return new FieldValue(cleanedText(words.text), scores.goods.name.besideFigures, words);
  }
  return undefined;
}

function countsGoods(entities: readonly Entity[]): boolean {
  return entities.some(
    (entity) => entity.type === "Quantity" && ["kg", "t", "lb", "pallets", "pieces"].includes(entity.value.unit),
  );
}

/** Finds the first words between the figures of a text. In a list, they may stand before a colon: "Paint: 12 pallets". */
export function firstNameIn(
  document: DocumentContext,
  { segment, start, end }: Pick<ValueArea, "segment" | "start" | "end">,
  inList = false,
): TextSpan | undefined {
  const entities = (document.annotations.entitiesIn[segment.index] ?? []).filter(
    (entity) => entity.start < end && entity.end > start && entity.score >= scores.goods.entity,
  );
  if (entities.some(({ type, score }) => (type === "Date" || type === "Time") && score >= scores.goods.noGoods.date))
    return undefined;
  if (
    entities.some(
      (entity) => elsewhere.has(entity.type) && entity.score >= scores.goods.noGoods.other && entity.type !== "Plate",
    )
  )
    return undefined;
  const whole = trimmedSpan(segment, start, end);
  if (entities.length === 0 && twoWords.test(whole.text) && isName(whole)) return whole;
  const cuts = [
    ...entities.filter((entity) => measuring.has(entity.type)),
    ...(document.annotations.labelsIn[segment.index] ?? []).filter(
      (label) =>
        label.start >= start &&
        label.standing !== "Loose" &&
        label.standing !== "Tail" &&
        !beginsName(label, start) &&
        !(inList && /^ \p{L}{3}/u.test(segment.text.slice(label.end))),
    ),
    ...separators(segment, start, end),
  ].sort((a, b) => a.start - b.start);
  let from = start;
  for (const cut of [...cuts, { start: end, end }]) {
    const to = Math.max(from, cut.start);
    const span = trimmedSpan(segment, from === start ? from : from + ofWhat(segment.text.slice(from, to)), to);
    const caption = !inList && /^\s?:/u.test(segment.text.slice(span.end)) && cut.end < end;
    if (isName(span) && !isTrailer(span.text) && !caption) return span;
    from = Math.max(from, cut.end);
  }
  return undefined;
}

/** Matches goods and their condition, without numbers: "Castings, unmachined". */
const twoWords = /^\p{L}[\p{L} -]{2,40}, \p{L}[\p{L}' -]{2,30}$/u;

/** Whether a label is itself the beginning of the name of the goods: "Goods: parts of machines". */
function beginsName({ segment, start, end, meanings }: Label, from: number): boolean {
  return (
    /^\s*$/u.test(segment.text.slice(from, start)) &&
    /^ \p{L}/u.test(segment.text.slice(end)) &&
    meanings.some(({ concept }) => goodsConcepts.has(concept) || concept === "quantity" || concept === "packaging")
  );
}

function isName({ text }: TextSpan): boolean {
  return /\p{L}{3}/u.test(text) && text.length <= longest && !sentence.test(text);
}

/** Matches the remainder of a sentence ("… may be reloaded only with our consent."), which is not a name of goods. */
const sentence = /^\p{Ll}\p{L}*(?:[ ,]+[^ ,]+){4,}[^.]\.$/u;

/** Returns the length of the pallet type and preposition before the goods: "EUR of" in "33 pallets EUR of oranges". */
function ofWhat(text: string): number {
  return (
    /^\s*(?:(?:EUR|EPAL|EURO|UIC)(?!\p{L})[ .-]*)?(?:(?:de|di|of|von|van|av|af)\s+|d['’])?/iu.exec(text)?.[0].length ??
    0
  );
}

function separators(segment: Segment, start: number, end: number): { start: number; end: number }[] {
  return [...segment.text.matchAll(/[,;|()]\s|\s[–—/-]\s|(?<=\p{L} ?\p{Lu}?):\s(?=\d)|[()]$|\/\//gu)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter((cut) => cut.start >= start && cut.end <= end);
}
