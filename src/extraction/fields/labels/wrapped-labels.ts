import { findLabels, type LabelMatch } from "../../lexicon/lexicon.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations } from "./annotations.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import type { DocumentContext } from "./values.ts";

const longestLine = 48;

/**
 * Joins labels that a form prints in several parts. Both lines of a label that is wrapped in a narrow column
 * ("Permitted" above "speed:") get the meaning of the whole, because the value is to the right of either line or below.
 * Labels in one caption ("Day, hour:") become one label with all their meanings.
 */
export function withWrappedLabels(document: DocumentContext): DocumentContext {
  const { annotations } = document;
  const labelsIn = annotations.labelsIn.map((labels) =>
    labels.filter((label) => !isUnit(label)).map((label) => ({ ...label })),
  );
  for (const segment of annotations.layout.segments) {
    const below = isShort(document, segment) ? lineBelow(annotations, segment) : undefined;
    if (!below || !isShort(document, below) || below.page !== segment.page || ownValues(annotations, segment, below))
      continue;
    const hits = spanning(segment, below).filter(
      (hit) => !cutsLabel(annotations, below, hit.end - segment.text.length - 1),
    );
    if (hits.length === 0) continue;
    put(labelsIn, segment, hits, 0, segment.text.length);
    put(labelsIn, below, hits, segment.text.length + 1, below.text.length);
  }
  const whole = labelsIn.map((list, at) => merged(annotations.layout.segments[at]?.text ?? "", list));
  labelsIn.splice(0, labelsIn.length, ...whole);
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  return { ...document, annotations: { ...annotations, labels, labelsIn } };
}

/** Whether the label is a unit of a number, or part of a code: "60 km/h", "at km 18", "AB-4711". */
function isUnit({ segment, start, end }: Label): boolean {
  const { text } = segment;
  return (
    end - start <= 3 &&
    (/\d\s?$/u.test(text.slice(0, start)) ||
      (start > 0 && /^\s?\d/u.test(text.slice(end))) ||
      /^[-/]\d/u.test(text.slice(end)))
  );
}

function isShort({ prose }: DocumentContext, segment: Segment): boolean {
  return segment.text.length <= longestLine && segment.lines === 1 && !prose.has(segment);
}

/**
 * Whether the two lines are separate fields: the first ends with a colon, or both have text to their right and are not
 * in one ruled cell.
 */
function ownValues(annotations: Annotations, one: Segment, other: Segment): boolean {
  if (/:\s*$/u.test(one.text)) return true;
  return !inOneCell(one, other) && hasRight(annotations, one) && hasRight(annotations, other);
}

function inOneCell(one: Segment, other: Segment): boolean {
  if (one.cell)
    return (
      one.cell.table === other.cell?.table && one.cell.row === other.cell.row && one.cell.column === other.cell.column
    );
  return (
    one.lane !== undefined &&
    one.band !== undefined &&
    one.lane.x0 === other.lane?.x0 &&
    one.lane.x1 === other.lane.x1 &&
    one.band.y0 === other.band?.y0
  );
}

function hasRight(annotations: Annotations, segment: Segment): boolean {
  return indexAt(annotations.layout, segment)
    .rowOf(segment)
    .some((other) => other.box.x0 > segment.box.x1);
}

function spanning(first: Segment, second: Segment): LabelMatch[] {
  const edge = first.text.length;
  return findLabels(`${first.text} ${second.text}`).filter((hit) => hit.start < edge && hit.end > edge + 1);
}

/**
 * Whether a label that ends at this offset would cut a longer label of the second line: "Policy" above "Number of
 * policy: 12".
 */
function cutsLabel({ labelsIn }: Annotations, below: Segment, end: number): boolean {
  return (labelsIn[below.index] ?? []).some((label) => label.start < end && label.end > end);
}

function put(labelsIn: Label[][], segment: Segment, hits: readonly LabelMatch[], offset: number, length: number): void {
  const start = Math.max(0, Math.min(...hits.map((hit) => hit.start)) - offset);
  const end = Math.min(length, Math.max(...hits.map((hit) => hit.end)) - offset);
  const rest = segment.text.slice(end);
  const opens = !/[\p{L}\p{N}]{3}/u.test(segment.text.slice(0, start));
  const closes = !/[\p{L}\p{N}]/u.test(rest.replace(/\([^)]*\)?/gu, "").split(/[:：]/u)[0] ?? "");
  const label: Label = {
    index: -1,
    segment,
    start,
    end,
    meanings: hits.map(({ concept, weight }) => ({ concept, weight })),
    standing: opens ? (closes ? "Head" : "Lead") : closes ? "Tail" : "Loose",
  };
  const kept = (labelsIn[segment.index] ?? []).filter((other) => other.end <= start || other.start >= end);
  labelsIn[segment.index] = [...kept, label].sort((a, b) => a.start - b.start);
}

const between = /^[\s,/&+|–—-]*(?:\p{L}{1,3}[\s,/]+){0,2}$/u;

/** Joins the labels of a caption that consists only of labels: "Day, hour:". */
function merged(text: string, labels: readonly Label[]): Label[] {
  const [first, last] = [labels[0], labels.at(-1)];
  const whole = captioned(text, labels);
  if (whole) return whole;
  if (!first || !last || first === last || first.standing !== "Head" || text.length > 2 * longestLine)
    return [...labels];
  const joined = labels.every(
    (label, at) => at === 0 || between.test(text.slice(labels[at - 1]?.end ?? 0, label.start)),
  );
  if (!joined || !/^\W*$/u.test(text.slice(last.end))) return [...labels];
  return [{ ...first, end: last.end, meanings: labels.flatMap(({ meanings }) => meanings) }];
}

/**
 * Joins the labels of a caption up to its colon: in "Sum insured for each vehicle: 180,000", the second label qualifies
 * the first.
 */
function captioned(text: string, labels: readonly Label[]): Label[] | undefined {
  const colon = /[:：](?=\s|$)/u.exec(text)?.index ?? 0;
  const inCaption = labels.filter(({ end }) => end <= colon);
  const [first, last] = [inCaption[0], inCaption.at(-1)];
  if (!first || !last || first === last || colon > longestLine || /[.,;(]/u.test(text.slice(0, colon)))
    return undefined;
  if (!["Head", "Lead"].includes(first.standing) || text.slice(last.end, colon).trim() !== "") return undefined;
  return [{ ...first, end: last.end, standing: "Head" }, ...labels.filter(({ start }) => start > colon)];
}
