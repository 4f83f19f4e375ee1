import type { ConceptId } from "../../lexicon/concepts.ts";
import { verticalOverlap, horizontalOverlap } from "../../document/geometry.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations } from "./annotations.ts";
import { indexAt } from "../../layout/page-index.ts";

/** A range of text that may hold a label's value. */
export interface ValueArea {
  label: Label;
  segment: Segment;
  start: number;
  end: number;
  way: "Same" | "Before" | "Right" | "Below";
  /** Gap between label and area, in letter heights. */
  gap: number;
  /** 0 for the nearest area in its direction, 1 for the next. */
  order: number;
  /** Number of labels between the label and the area. */
  crossed: number;
}

const longestList = 8;
const widestGapBelow = 3.5;
const tallestRow = 7;

/** Returns all areas that may hold a label's value: after it, to its right, below it and before it. */
export function valueAreasOf(annotations: Annotations, label: Label): readonly ValueArea[] {
  const before = known.get(label);
  if (before) return before;
  const areas = findValueAreas(annotations, label);
  known.set(label, areas);
  return areas;
}

/** Caches the areas, because several fields may use the same label. */
const known = new WeakMap<Label, readonly ValueArea[]>();

function findValueAreas(annotations: Annotations, label: Label): ValueArea[] {
  if (isUnit(annotations, label)) return beforeOf(annotations, label);
  const tail = tailOf(annotations, label);
  const last = tail.closed ? [] : [...rightOf(annotations, label), ...belowOf(annotations, label)];
  const found = [...(tail.area ? [tail.area] : []), ...last];
  return found.length > 0 && tail.area ? found : [...found, ...beforeOf(annotations, label)];
}

/** Concepts of labels that refer to the amount before them: "410 EUR net of VAT". */
const taxed: ReadonlySet<ConceptId> = new Set(["netAmount", "grossAmount"]);

/** Whether the label belongs to the number before it and not to the following text: "24 pallets", "60 days net". */
function isUnit({ entitiesIn }: Annotations, { segment, start, end, standing, meanings }: Label): boolean {
  if (/^\s*[:：]/u.test(segment.text.slice(end))) return false;
  const sum = (entitiesIn[segment.index] ?? []).some(
    (entity) => entity.type === "Amount" && entity.value.currency && start - entity.end >= 0 && start - entity.end < 3,
  );
  if (sum && meanings.some(({ concept }) => taxed.has(concept))) return true;
  if (!/\d\s?$/u.test(segment.text.slice(0, start))) return false;
  return (
    standing === "Tail" ||
    (entitiesIn[segment.index] ?? []).some(
      (entity) => entity.type === "Quantity" && entity.start < start && entity.end > start,
    )
  );
}

const lead = /^(?:[\s:：=.#№·|*_/–—-]|[)\]](?=\s*:)|[([][^\d)\]]{1,12}[)\]])*/u;

/**
 * Returns the text after the label in its segment. `closed`: another label follows there, so no value is to its right
 * or below.
 */
function tailOf(annotations: Annotations, label: Label): { area?: ValueArea; closed: boolean } {
  const { segment } = label;
  const next = labelsOf(annotations, segment).find(
    (other) => other.start >= label.end && endsValue(other) && !isUnit(annotations, other),
  );
  const end = next ? segment.text.slice(0, next.start).replace(fieldNumber, "").length : segment.text.length;
  const start = label.end + (lead.exec(segment.text.slice(label.end, end))?.[0].length ?? 0);
  const closed = next !== undefined && !saidAgain(label, next);
  if (start >= end || !/[\p{L}\p{N}]/u.test(segment.text.slice(start, end))) return { closed };
  return { area: { label, segment, start, end, way: "Same", gap: 0, order: 0, crossed: 0 }, closed };
}

/** The number of the next field: "1.4 " in "1.3 Surname: Berg 1.4 Given names: Anna". */
const fieldNumber = /\s\d{1,2}(?:\.\d{1,2}){1,2}\.?\s$/u;

/** "CMR Nr. / No": whether the next label only translates this one and does not end its value. */
function saidAgain({ segment: { text }, end }: Label, next: Label): boolean {
  return /^[\s.]*[/|]\s*$/u.test(text.slice(end, next.start)) && /^[\s\p{P}]*$/u.test(text.slice(next.end));
}

function beforeOf(annotations: Annotations, label: Label): ValueArea[] {
  const earlier = labelsOf(annotations, label.segment).findLast((other) => other.end <= label.start);
  const start = earlier?.end ?? 0;
  if (!/[\p{L}\p{N}]/u.test(label.segment.text.slice(start, label.start))) return [];
  return [{ label, segment: label.segment, start, end: label.start, way: "Before", gap: 0, order: 0, crossed: 0 }];
}

function rightOf(annotations: Annotations, label: Label): ValueArea[] {
  const from = label.segment;
  const beside = besideOf(annotations, from).sort((a, b) => a.box.x0 - b.box.x0 || a.box.y0 - b.box.y0);
  const areas: ValueArea[] = [];
  let crossed = 0;
  for (const segment of beside) {
    if (opensField(annotations, segment)) break;
    if (labelsOf(annotations, segment).some((other) => other.standing === "Lead" && !isPartOfCode(other))) crossed++;
    areas.push(whole(label, segment, "Right", (segment.box.x0 - from.box.x1) / from.size, areas.length, crossed));
  }
  const first = beside[0];
  if (first && areas.length > 0 && !from.cell) areas.push(...goingOn(annotations, label, first, areas.length));
  return areas;
}

/**
 * In a table, the segments in the row. Elsewhere, those on the line or, if there are none, between the same ruled
 * lines.
 */
function besideOf(annotations: Annotations, from: Segment): Segment[] {
  const index = indexAt(annotations.layout, from);
  const isRight = (segment: Segment) => segment !== from && segment.box.x0 >= from.box.x1 - 1;
  if (from.cell) return index.inTableRow(from).filter(isRight);
  const { box, band } = from;
  const onLine = index
    .between(box.y0, box.y1)
    .filter((segment) => isRight(segment) && verticalOverlap(box, segment.box) > 0.5);
  if (onLine.length > 0 || !band || band.y1 - band.y0 > tallestRow * from.size) return onLine;
  return index
    .between(band.y0, band.y1)
    .filter((segment) => isRight(segment) && segment.band?.y0 === band.y0 && segment.band.y1 === band.y1);
}

/** Finds further lines of a value that begins to the right of its label. */
function goingOn(annotations: Annotations, label: Label, first: Segment, order: number): ValueArea[] {
  const areas: ValueArea[] = [];
  let above = first;
  for (const row of rowsOf(annotations, first)) {
    if ((row[0]?.row ?? 0) <= above.row) continue;
    const next = row.find((segment) => Math.abs(segment.box.x0 - first.box.x0) < first.size);
    const labelled = row.some(
      (segment) => segment.box.x1 < first.box.x0 && segment.box.x0 >= label.segment.box.x0 - 2 * first.size,
    );
    const gap = next ? next.box.y0 - above.box.y1 : 0;
    if (!next || labelled || gap > 1.1 * first.size || opensField(annotations, next) || areas.length > 4) break;
    areas.push(
      whole(label, next, "Right", (first.box.x0 - label.segment.box.x1) / first.size, order + areas.length, 0),
    );
    above = next;
  }
  return areas;
}

function belowOf(annotations: Annotations, label: Label): ValueArea[] {
  const from = label.segment;
  const index = indexAt(annotations.layout, from);
  const areas: ValueArea[] = [];
  let above = from;
  while (areas.length < longestList) {
    const [top, bottom] = [above.box.y1 - 0.5 * from.size, above.box.y1 + widestGapBelow * from.size];
    const next = index
      .between(top, bottom)
      .find((segment) => segment.box.y0 >= top && isNext(segment) && inColumn(from, segment));
    if (!next || next.box.y0 > bottom || opensField(annotations, next)) break;
    areas.push(whole(label, next, "Below", Math.max(0, next.box.y0 - from.box.y1) / from.size, areas.length, 0));
    above = next;
  }
  return areas;

  function isNext(segment: Segment): boolean {
    return segment !== from && (above === from || segment.index > above.index);
  }
}

function inColumn(from: Segment, segment: Segment): boolean {
  if (from.cell && segment.cell?.table === from.cell.table) return segment.cell?.column === from.cell.column;
  return Math.abs(from.box.x0 - segment.box.x0) < 1.5 * from.size || horizontalOverlap(from.box, segment.box) > 0.35;
}

/** Whether the label is part of a code: capitals joined to digits, as in "ST-88120". */
function isPartOfCode({ segment, start, end }: Label): boolean {
  return (
    end - start <= 4 && /^\p{Lu}+$/u.test(segment.text.slice(start, end)) && /^[-/]?\d/u.test(segment.text.slice(end))
  );
}

function whole(
  label: Label,
  segment: Segment,
  way: ValueArea["way"],
  gap: number,
  order: number,
  crossed: number,
): ValueArea {
  return { label, segment, start: 0, end: segment.text.length, way, gap: Math.max(0, gap), order, crossed };
}

function opensField(annotations: Annotations, segment: Segment): boolean {
  return labelsOf(annotations, segment).some((label) => label.standing === "Head");
}

function endsValue({ standing, segment, start, end }: Label): boolean {
  const unit = end - start < 4 && /[[(]$/.test(segment.text.slice(0, start));
  return !unit && (standing === "Head" || standing === "Inline");
}

function labelsOf(annotations: Annotations, segment: Segment): readonly Label[] {
  return annotations.labelsIn[segment.index] ?? [];
}

function rowsOf(annotations: Annotations, segment: Segment): Segment[][] {
  return annotations.layout.pages[segment.page - 1]?.rows ?? [];
}
