import { foldText } from "../../lexicon/fold.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { Annotations, Label } from "../labels/annotations.ts";
import { valueAreasOf, type ValueArea } from "../labels/value-areas.ts";
import type { DocumentContext } from "../labels/values.ts";
import { candidatesIn, type NumberCandidate } from "./candidates.ts";

/** A candidate with the features by which its use is judged. */
export interface JudgedNumber extends NumberCandidate {
  features: Map<string, number>;
}

/** A label whose value the candidate may be. */
interface Link {
  label: Label;
  way: ValueArea["way"];
  /** Letters between the label and the candidate in a line, otherwise the order of the area. */
  gap: number;
}

const least = 0.3;
const mostCandidates = 3000;

/**
 * Finds all candidates of a document with their features: the labels before, beside and above them, their shape, the
 * words around them, other entities in the same text, and their position.
 */
export function judgedNumbers(document: DocumentContext): JudgedNumber[] {
  const { annotations } = document;
  const all = annotations.layout.segments.flatMap(candidatesIn).slice(0, mostCandidates);
  const links = linksOf(annotations, all);
  const counts = new Map<string, number>();
  for (const { text } of all) counts.set(text, (counts.get(text) ?? 0) + 1);
  return all.map((candidate) => {
    document.budget.check();
    const features = new Map<string, number>([
      ...ofLabels(annotations, candidate, links.get(candidate) ?? []),
      ...ofShape(candidate),
      ...ofWords(candidate),
      ...ofEntities(annotations, candidate),
      ...ofPosition(document, candidate),
    ]);
    if ((counts.get(candidate.text) ?? 0) > 1) features.set("repeated", 1);
    return { ...candidate, features };
  });
}

function linksOf(annotations: Annotations, all: readonly NumberCandidate[]): Map<NumberCandidate, Link[]> {
  const bySegment = Map.groupBy(all, ({ segment }) => segment);
  const links = new Map<NumberCandidate, Link[]>();
  for (const label of annotations.labels)
    for (const area of valueAreasOf(annotations, label)) {
      if (area.crossed > 0) continue;
      for (const candidate of bySegment.get(area.segment) ?? []) {
        if (candidate.start < area.start || candidate.end > area.end) continue;
        const { way, order } = area;
        const gap =
          way === "Same" ? candidate.start - label.end : way === "Before" ? label.start - candidate.end : order;
        const known = links.get(candidate) ?? [];
        links.set(candidate, known);
        known.push({ label, way, gap });
      }
    }
  return links;
}

const nearness = (gap: number) => (gap < 4 ? 1 : gap < 14 ? 0.7 : gap < 40 ? 0.4 : 0.15);

function* ofLabels(
  annotations: Annotations,
  candidate: NumberCandidate,
  links: readonly Link[],
): Generator<[string, number]> {
  const own = (annotations.labelsIn[candidate.segment.index] ?? []).filter(({ end }) => end <= candidate.start);
  const last = own.at(-1);
  const nearest = (way: ValueArea["way"]) => links.filter((link) => link.way === way).sort((a, b) => a.gap - b.gap)[0];
  const [beside, above, behind] = [nearest("Right"), nearest("Below"), nearest("Before")];
  if (last) yield* concepts("same", last, nearness(candidate.start - last.end));
  if (last) yield [`same ${last.standing}`, 1];
  for (const label of own.slice(0, -1)) yield* concepts("line", label, 0.5);
  const isFirst = !last;
  if (beside) yield* concepts(isFirst ? "left" : "far", beside.label, beside.gap === 0 ? 1 : 0.5);
  if (above) yield* concepts(isFirst && !beside ? "above" : "far", above.label, above.gap === 0 ? 1 : 0.6);
  if (behind) yield* concepts("behind", behind.label, nearness(behind.gap));
  if (!last && !beside && !above) yield ["unlabelled", 1];
  if (!last && !beside && !above && /\p{L}.*\d\d|\d\d.*\p{L}/u.test(candidate.text)) yield ["unlabelled code", 1];
  for (const label of annotations.labelsIn[candidate.segment.index] ?? [])
    if (label.start < candidate.end && label.end > candidate.start) yield* concepts("within", label, 1);
}

function* concepts(way: string, { meanings }: Label, factor: number): Generator<[string, number]> {
  for (const { concept, weight } of meanings) if (weight >= least) yield [`${way} ${concept}`, weight * factor];
}

function* ofShape({ text, prefixed, grouped, core, start }: NumberCandidate): Generator<[string, number]> {
  const digits = text.replace(/\D/gu, "").length;
  const letters = text.replace(/\P{L}/gu, "").length;
  yield [`digits ${Math.min(digits, 11)}`, 1];
  yield [`letters ${Math.min(letters, 5)}`, 1];
  if (prefixed) yield ["prefixed", 1];
  if (grouped) yield ["grouped", 1];
  if (prefixed) yield [`prefix ${foldText(text.slice(0, core - start)).trim()}`, 1];
  if (/[\p{L}\p{N}]\/[\p{L}\p{N}]/u.test(text)) yield ["slash", 1];
  if (/[\p{L}\p{N}]-[\p{L}\p{N}]/u.test(text)) yield ["dash", 1];
  if (/\d\.\d/u.test(text)) yield ["dot", 1];
  if (/^\d+$/u.test(text)) yield [`figures ${Math.min(digits, 11)}`, 1];
  if (/^(?:19|20)\d\d$/u.test(text)) yield ["year", 1];
  if (/^\d{1,2}[./-]\d{1,2}([./-]\d{2,4})?$/u.test(text)) yield ["date", 1];
  if (/(?:^|\D)(?:20)?2\d(?:\D|$)/u.test(text)) yield ["with year", 1];
  if (/\p{Ll}/u.test(text)) yield ["small letters", 1];
  const shape = text.replace(/\p{L}+/gu, "a").replace(/\d+/gu, "9");
  yield [`shape ${shape.slice(0, 12)}`, 1];
  if (digits + letters > 4 && letters > 0 && digits > 1 && !/\p{Ll}/u.test(text)) yield ["code", 1];
}

function* ofWords({ segment: { text }, start, end }: NumberCandidate): Generator<[string, number]> {
  const before = text.slice(Math.max(0, start - 40), start);
  const behind = text.slice(end, end + 24);
  const after = /(\S?)\s*$/u.exec(before)?.[1]?.replace(/[\p{L}\p{N}]/u, "a") || "begin";
  const next = /^\s*(\S?)/u.exec(behind)?.[1]?.replace(/\p{L}/u, "a").replace(/\d/u, "9") || "end";
  yield [`after ${after}`, 1];
  yield [`next ${next}`, 1];
  yield [`between ${after} ${next}`, 1];
  if (/\d$/u.test(text.slice(start, end)) && /^(?: \d{3,5}| ?[-–/] ?\d{1,6})(?=\s*(?:$|[;,.)](?:\s|$)))/u.test(behind))
    yield ["cut", 1];
  if (/^[\p{L}\p{N}/-]/u.test(behind) || /[\p{L}\p{N}/-]$/u.test(before)) yield ["part", 1];
  const alone = text.slice(end).trim() === "" && /^[^\p{L}\d]*\p{L}[^\d:]{2,30}?\s?(:?)\s$/u.exec(text.slice(0, start));
  if (alone) yield [alone[1] ? "line with caption" : "line with word", 1];
  const words = foldText(before).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [last, previous] = [words.at(-1), words.at(-2)];
  if (last) yield [`word ${last}`, 1];
  if (last && /^(?:nr|no|num\p{L}*|number|n|č|c|st|szam\p{L}*|br|cislo|numer\p{L}*|номер|номера)$/u.test(last)) {
    yield ["number word", 1];
    if (previous) yield [`word ${previous}`, 0.8];
  } else if (previous) yield [`earlier ${previous}`, 1];
  if (last && /\p{L}{4,}(?:nr|nummer|ref|number|szam|numer|nummeret|nummer)$/u.test(last)) yield ["number word", 1];
  const [follows] = foldText(behind).match(/^\s?\p{L}+/u) ?? [];
  if (follows) yield [`following ${follows.trim()}`, 1];
}

function* ofEntities(annotations: Annotations, candidate: NumberCandidate): Generator<[string, number]> {
  for (const { type, score, start, end } of annotations.entitiesIn[candidate.segment.index] ?? []) {
    if (start >= candidate.end || end <= candidate.start || score < least) continue;
    const exact = start === candidate.start && end === candidate.end;
    const around = start <= candidate.start && end >= candidate.end;
    yield [`${exact ? "is" : around ? "in" : "touches"} ${type}`, score];
  }
}

function* ofPosition(
  { annotations, prose }: DocumentContext,
  { segment, start, core }: NumberCandidate,
): Generator<[string, number]> {
  const { page, row } = segment;
  yield [page > 1 ? "later page" : row < 3 ? "row 0-2" : row < 8 ? "row 3-7" : row < 15 ? "row 8-14" : "row 15-", 1];
  if (segment.bold) yield ["bold", 1];
  if (prose.has(segment)) yield ["prose", 1];
  if (segment.cell) yield ["cell", 1];
  if (start === 0) yield ["first", 1];
  if (!/\p{N}/u.test(segment.text.slice(0, core))) yield ["first number", 1];
  if (annotations.layout.parts[segment.part]?.quoted) yield ["quoted", 1];
  yield* ofRow(annotations, segment);
}

function* ofRow(annotations: Annotations, segment: Segment): Generator<[string, number]> {
  const types = new Set<string>();
  for (const other of indexAt(annotations.layout, segment).rowOf(segment))
    for (const { type, score } of annotations.entitiesIn[other.index] ?? []) if (score >= 0.5) types.add(type);
  for (const type of types) yield [`row with ${type}`, 1];
}
