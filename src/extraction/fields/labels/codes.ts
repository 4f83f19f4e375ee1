import type { Entity, EntityType } from "../../entities/entity.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { valueAreasOf, type ValueArea } from "./value-areas.ts";
import type { Owned } from "../../layout/layout.ts";
import { bestConcept, featuresOf, scoreFeatures, type Features, type DocumentContext } from "./values.ts";
import type { Label } from "./annotations.ts";

/** A printed reference: "ZL/2026/11/01847", "PO 6610773". */
export interface Code {
  span: TextSpan;
  label: Label;
  concept: ConceptId;
  /** 0..1, from the logistic model over the features. */
  score: number;
  features: Features;
}

/** Matches a code: up to two short words in capitals, then a word with a digit. */
const code =
  /^(?:\p{Lu}(?:[\p{Lu}\p{N}]{0,4}|[\p{Lu}\p{N}]{0,4}-\p{Lu}{1,3})[ :]\s?){0,2}(?=[\p{L}\p{N}/._#-]{0,40}\d)[\p{L}\p{N}][\p{L}\p{N}/._#-]{0,40}/u;
/** Matches a number in groups: "4 1188 2260 7745", "CD 118 720". The first group may be short. */
const groups =
  /^(?:\d{1,4}(?: \d{3,5}){2,}|\p{Lu}{1,4} \d{2,4}(?: \d{3})+)(?![\d\p{L}.,])|^\d{2,4} \d{3,5}(?=\s*(?:$|[;,)](?:\s|$)))/u;
/** Matches the continuation of a code after a spaced dash or slash: "4 - 2026 - 037712", "26-118843 / 01". */
const onwards = /^(?: [-–/] ?\d{1,7}(?![\d.,:]))+/u;
const shortest = 3;
const longestList = 8;
/**
 * Matches the text between a label in a sentence and its number: at most two short words, as in "quote reference
 * 80424122" or "our number is 4711".
 */
const saidAfter = /^\s?(?:\p{Ll}{1,7}\s){0,2}$/u;
const smallWords = /^(?:\p{Ll}{1,7}\s){1,2}(?=\p{Lu}|\d)/u;
const filler =
  /^(?:[\s:.#№=*(–—-]|\p{L}{1,3}[.:](?![\p{L}\d])|(?:nr|no|n(?=[.:°º#\s])|num|number|nummer|numer|numéro|numero|número|číslo|numeris|szám|id|ref)\b\.?|[°º])+/iu;
const otherThings: ReadonlySet<EntityType> = new Set([
  "Date",
  "Time",
  "Phone",
  "Email",
  "Link",
  "Amount",
  "Quantity",
  "Temperature",
  "Percent",
  "Iban",
  "Vat",
  "Place",
]);

/** `first`: the first code in the same value area. Its position decides to which stop or company both codes belong. */
interface Sought extends Code {
  first: TextSpan;
  way: ValueArea["way"];
}

/** Finds codes in the value areas of labels with these concepts, best first, at positions that `owned` accepts. */
export function findCodes(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  owned: Owned = () => true,
): Code[] {
  const known = askedBefore.get(document) ?? new Map<string, readonly Sought[]>();
  askedBefore.set(document, known);
  const question = concepts.join();
  const all = known.get(question) ?? searched(document, concepts);
  known.set(question, all);
  return all.filter(
    ({ first, label, way }) =>
      owned(first.segment, first.start) && (way !== "Same" || owned(label.segment, label.start)),
  );
}

/** Caches the codes, because every stop asks for the same ones. */
const askedBefore = new WeakMap<DocumentContext, Map<string, readonly Sought[]>>();

function searched(document: DocumentContext, concepts: readonly ConceptId[]): Sought[] {
  document.budget.check();
  const found: Sought[] = [];
  for (const label of document.annotations.labels) {
    const concept = bestConcept(label, concepts);
    if (!concept) continue;
    const weight = label.meanings.find((each) => each.concept === concept)?.weight ?? 0.5;
    for (const area of valueAreasOf(document.annotations, label)) {
      if (!isNear(area)) continue;
      const [first, ...others] = codesIn(document, area);
      if (!first) continue;
      const between = area.segment.text.slice(label.end, first.start);
      const spoken = label.standing === "Loose" && area.way === "Same" && saidAfter.test(between);
      const features = {
        ...featuresOf(document, label, area, { start: first.start, end: first.end, score: 0.8 }),
        ...(spoken && { loose: 0, lead: 1 }),
        label: (spoken ? Math.max(weight, 0.5) : weight) - 0.5,
        conceptRank: Math.min(concepts.indexOf(concept), spoken ? 2 : concepts.length),
      };
      const score = scoreFeatures(features);
      found.push(
        ...[first, ...others].map((span) => ({ span, label, concept, score, features, first, way: area.way })),
      );
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

function isNear({ way, order, crossed, label, segment }: ValueArea): boolean {
  if (way === "Before" || crossed > 0) return false;
  const inColumn = label.standing === "Head" && Math.abs(label.segment.box.x0 - segment.box.x0) < segment.size;
  const inRow = label.standing === "Head" && segment.cell !== undefined && segment.cell.row === label.segment.cell?.row;
  return order === 0 || (way === "Below" && inColumn) || (way === "Right" && inRow);
}

function codesIn(document: DocumentContext, area: ValueArea): TextSpan[] {
  const spans: TextSpan[] = [];
  let next: TextSpan | undefined = codeIn(document, area);
  while (next && spans.length < longestList) {
    spans.push(next);
    const comma = /^\s*[,;]\s*(?=\S)/u.exec(area.segment.text.slice(next.end, area.end));
    next = comma ? codeIn(document, { ...area, start: next.end + comma[0].length }) : undefined;
  }
  return spans;
}

function codeIn(document: DocumentContext, area: ValueArea): TextSpan | undefined {
  const text = area.segment.text.slice(area.start, area.end);
  const skipped = filler.exec(text)?.[0].length ?? 0;
  const smallWordsLength = area.way === "Same" ? (smallWords.exec(text)?.[0].length ?? 0) : 0;
  const skip = [skipped, 0, smallWordsLength].find((letters) => code.test(text.slice(letters)));
  const match = skip === undefined ? null : (groups.exec(text.slice(skip)) ?? code.exec(text.slice(skip)));
  if (!match) return undefined;
  const start = area.start + (skip ?? 0);
  const entities = document.annotations.entitiesIn[area.segment.index] ?? [];
  const printed = match[0].replace(/[._/-]+$/u, "");
  const more = /\d$/u.test(printed) ? (onwards.exec(text.slice((skip ?? 0) + printed.length))?.[0].length ?? 0) : 0;
  const end = start + printed.length;
  const whole = trimmedSpan(area.segment, start, end + more);
  const span = entities.some((entity) => begins(entity, end, whole.end))
    ? trimmedSpan(area.segment, start, end)
    : whole;
  return span.text.length < shortest || entities.some((entity) => isEntityOfOtherType(entity, span)) ? undefined : span;
}

const begins = ({ type, start, score }: Entity, from: number, to: number): boolean =>
  otherThings.has(type) && score >= 0.5 && start >= from && start < to;

function isEntityOfOtherType(entity: Entity, span: TextSpan): boolean {
  if (!otherThings.has(entity.type) || entity.score < 0.5) return false;
  if (entity.type === "Vat" && !entity.value.checked && /^\p{L}+-/u.test(span.text)) return false;
  const isWhole = entity.start <= span.start || !/\d/.test(span.text.slice(0, entity.start - span.start));
  return isWhole && entity.start < span.end && entity.end >= span.end - 1;
}
