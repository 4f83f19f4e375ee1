import { conceptOf } from "../../lexicon/concepts.ts";
import { typesThatAreNoNames, type Entity } from "../../entities/entity.ts";
import { hasPostcode } from "./places.ts";
import { boxOf, type Segment } from "../../layout/layout.ts";
import { addressConcepts, labelOf, nameConcepts, tells } from "../labels/line-label.ts";
import type { Label, Annotations, LocatedEntity } from "../labels/annotations.ts";
import { indexAt, lineAbove } from "../../layout/page-index.ts";
import { coverage, trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { distances, scores } from "../scores.ts";

const mostLines = 5;

const foreign: ReadonlySet<Entity["type"]> = new Set([...typesThatAreNoNames, "Temperature", "Plate", "Container"]);

/** Finds the text that belongs to the address of a place: before the place on its line, and on the lines above. */
export function piecesBefore(annotations: Annotations, place: LocatedEntity<"Place">): TextSpan[] {
  const lines: TextSpan[][] = [];
  let { segment } = place;
  let upTo = place.entity.start;
  for (let steps = 0; steps < mostLines; steps++) {
    const label = labelOf(annotations, segment, upTo);
    if (steps > 0 && !label && segment.cell?.row !== place.segment.cell?.row) break;
    if (steps > 0 && label && !tells(label, addressConcepts) && !tells(label, nameConcepts)) break;
    const from = Math.max(
      label?.segment === segment ? label.end : 0,
      steps === 0 ? addressStart(annotations, segment, upTo) : 0,
    );
    const spans = piecesOf(annotations, segment, from, upTo);
    if (steps === 0 && spans.length === 0 && !label) spans.push(...piecesBeside(annotations, segment));
    if (steps > 0 && spans.length === 0) break;
    lines.unshift(spans);
    if (label && tells(label, nameConcepts)) break;
    if (label && !tells(label, addressConcepts) && steps === 0 && lines.flat().length > 1) break;
    if (steps === 0 && spans.length > 1 && spans.some((span) => isFirm(annotations, span))) break;
    const above = lineAbove(annotations, segment) ?? valueAbove(annotations, segment);
    if (above && isOfAnother(annotations, place.segment, above)) break;
    if (
      !above ||
      hasPostcode(annotations, above) ||
      (label && isOtherField(annotations, label.segment, segment, above))
    )
      break;
    segment = above;
    upTo = above.text.length;
  }
  return lines.flat();
}

function isOfAnother(annotations: Annotations, line: Segment, above: Segment): boolean {
  if (!line.cell || !above.cell) return opensOther(annotations, line, above);
  if (line.cell.row === above.cell.row) return false;
  const [own, other] = [headLeft(annotations, line), headLeft(annotations, above)];
  return own !== undefined && other !== undefined && own !== other;
}

/**
 * Whether the line above and the segment to the left each have a label for a company or stop. A text to the right of
 * "Loading: 26.11." is then not part of the carrier, even if "Carrier: Hill Ltd" is printed above it.
 */
function opensOther(annotations: Annotations, line: Segment, above: Segment): boolean {
  const opens = (segment: Segment | undefined) =>
    segment !== undefined &&
    (annotations.labelsIn[segment.index] ?? []).some((label) => isHead(label) && tells(label, nameConcepts));
  const row = indexAt(annotations.layout, line).rowOf(line);
  return opens(above) && opens(row[row.indexOf(line) - 1]);
}

function headLeft(annotations: Annotations, { cell }: Segment): Label | undefined {
  const head = cell && headsOfRows(annotations).get(`${cell.table}/${cell.row}`);
  return head && (head.segment.cell?.column ?? 0) < (cell?.column ?? 0) ? head : undefined;
}

function headsOfRows(annotations: Annotations): ReadonlyMap<string, Label> {
  const known = rowsKnown.get(annotations) ?? new Map<string, Label>();
  if (rowsKnown.has(annotations)) return known;
  rowsKnown.set(annotations, known);
  for (const label of annotations.labels) {
    const { cell } = label.segment;
    const key = `${cell?.table}/${cell?.row}`;
    if (cell && !known.has(key) && isHead(label) && tells(label, nameConcepts)) known.set(key, label);
  }
  return known;
}

const rowsKnown = new WeakMap<Annotations, Map<string, Label>>();

/**
 * Finds the name and street in other segments on the line of the place, if the line above has none: "Hill Freight Ltd |
 * Long Road 8 | 1010 Town".
 */
function piecesBeside(annotations: Annotations, segment: Segment): TextSpan[] {
  const above = lineAbove(annotations, segment);
  if (segment.cell || (above && namesOf(annotations, above).length > 0)) return [];
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const before = row.slice(0, row.indexOf(segment));
  const from = before.findLastIndex((left) => namesOf(annotations, left).some(({ type }) => type === "Company"));
  const beside =
    from >= 0 ? before.slice(from) : before.filter((left) => namesOf(annotations, left).length > 0).slice(-1);
  const foreignTo = (left: Segment) =>
    hasPostcode(annotations, left) || (annotations.labelsIn[left.index] ?? []).some(isHead);
  return beside.some(foreignTo) ? [] : beside.flatMap((left) => piecesOf(annotations, left, 0, left.text.length));
}

const isHead = ({ standing }: Label) => standing === "Head";

const namesOf = ({ entitiesIn }: Annotations, { index }: Segment): Entity[] =>
  (entitiesIn[index] ?? []).filter(
    ({ type, score }) => (type === "Street" || type === "Company") && score >= scores.address.name.beside,
  );

/**
 * Finds a line above with a label and a value that begins at the left edge of the segment: "Carrier: Alfa", if the
 * segment is below "Alfa".
 */
function valueAbove(annotations: Annotations, segment: Segment): Segment | undefined {
  const { box, size } = segment;
  return indexAt(annotations.layout, segment)
    .between(box.y0 - distances.valueAbove.up * size, box.y0)
    .find((other) => {
      const head = (annotations.labelsIn[other.index] ?? []).find(isHead);
      const value =
        head && other.starts.find((start) => start >= head.end && /[\p{L}\p{N}]/u.test(other.text[start] ?? ""));
      return (
        value !== undefined &&
        other.box.y1 <= box.y0 + distances.valueAbove.overlap * size &&
        Math.abs(boxOf(other, value).x0 - box.x0) < distances.valueAbove.shift * size
      );
    });
}

/**
 * Whether the line above is the value of another label: "4711" in "Order | 4711", above "Hill Ltd" in "Loading | Hill
 * Ltd".
 */
function isOtherField(annotations: Annotations, label: Segment, line: Segment, above: Segment): boolean {
  if (label === line) return false;
  const row = indexAt(annotations.layout, above).rowOf(above);
  const left = row[row.indexOf(above) - 1];
  return (
    left !== undefined &&
    Math.abs(left.box.x0 - label.box.x0) < distances.labelColumn * label.size &&
    !(annotations.labelsIn[left.index] ?? []).some(
      (other) => tells(other, addressConcepts) || tells(other, nameConcepts),
    )
  );
}

function isFirm(annotations: Annotations, span: TextSpan): boolean {
  return (annotations.entitiesIn[span.segment.index] ?? []).some(
    (entity) =>
      entity.type === "Company" &&
      entity.score >= scores.address.company &&
      coverage(entity, span) > scores.address.covered,
  );
}

function addressStart(annotations: Annotations, segment: Segment, upTo: number): number {
  const all = annotations.entitiesIn[segment.index] ?? [];
  const inName = ({ start, end }: Entity) =>
    all.some(
      (other) =>
        other.type === "Company" && other.score >= scores.address.company && other.start < start && other.end > end,
    );
  const entities = all.filter(
    (entity) =>
      entity.end <= upTo &&
      entity.score >= scores.address.other.before &&
      (foreign.has(entity.type) || (entity.type === "Place" && !inName(entity))),
  );
  const stops =
    segment.lines > 1
      ? [...segment.text.slice(0, upTo).matchAll(/\p{Ll}{3}[.!?]\s+(?=\p{Lu})/gu)].map(
          (match) => match.index + match[0].length,
        )
      : [];
  return Math.max(0, ...entities.map((entity) => entity.end), ...stops);
}

const separator = /\s*[,;·|•∙●▪⋅]\s*|\s+[–—*~+-]\s+|\s*\/\/\s*/gu;

function piecesOf(annotations: Annotations, segment: Segment, from: number, to: number): TextSpan[] {
  const entities = annotations.entitiesIn[segment.index] ?? [];
  const spans: TextSpan[] = [];
  let start = from;
  const cut = (end: number) => {
    const whole = trimmedSpan(segment, start + branch(segment.text.slice(start, end)), end);
    const firm = entities.find(
      (entity) =>
        entity.type === "Company" &&
        /[\p{Ll}.]\s$/u.test(segment.text.slice(whole.start, entity.start)) &&
        entity.start < whole.end &&
        entity.end >= whole.end - 3,
    );
    const span = firm ? trimmedSpan(segment, firm.start, end) : whole;
    if (
      /\p{L}{2}/u.test(span.text) &&
      !(annotations.labelsIn[segment.index] ?? []).some((label) => numbers(label, span)) &&
      !entities.some(
        (entity) =>
          foreign.has(entity.type) &&
          entity.start < span.end &&
          entity.end > span.start &&
          entity.score > scores.address.other.within &&
          !/^km\b/iu.test(span.text),
      )
    )
      spans.push(span);
  };
  for (const match of segment.text.slice(0, to).matchAll(separator)) {
    if (match.index < from || entities.some((entity) => joins(entity, match.index, match.index + match[0].length)))
      continue;
    cut(match.index);
    start = match.index + match[0].length;
  }
  cut(to);
  return spans;
}

/** Returns the length of a prefix that is neither name nor street: "Office Hilltown: " before "Long Road 8". */
function branch(text: string): number {
  return /^\s*\p{Lu}[^:\d]{2,30}:\s+(?=\p{Lu}|\d{1,4}\s\p{L})/u.exec(text)?.[0].length ?? 0;
}

/** Whether the span contains a label for a number, followed by the number: "(ref. 4711)". */
function numbers({ start, end, standing, meanings, segment }: Label, span: TextSpan): boolean {
  const within =
    start >= span.start && end < span.end && /^[.:# ]{1,3}\p{Lu}{0,4}[ -]?\d/u.test(segment.text.slice(end));
  return (
    within &&
    standing !== "Loose" &&
    meanings.some(
      ({ concept, weight }) => weight >= scores.address.numberLabel && conceptOf(concept).expects[0] === "Reference",
    )
  );
}

function joins(entity: Entity, start: number, end: number): boolean {
  return (entity.type === "Company" || entity.type === "Street") && entity.start < start && entity.end > end;
}
