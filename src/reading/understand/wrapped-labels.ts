import { findLabels, type LabelHit } from "../know/lexicon.ts";
import type { Segment } from "./layout.ts";
import type { Label, Marks } from "./marks.ts";
import { lineBelow } from "./neighbours.ts";
import { indexAt } from "./page-index.ts";
import type { Surroundings } from "./values.ts";

const longestLine = 48;

/**
 * The surroundings with the labels that a narrow column breaks: "Permitted" over "speed:" is one label, and its value stands
 * beside either line or under the second.
 */
export function withWrappedLabels(around: Surroundings): Surroundings {
  const { marks } = around;
  const labelsIn = marks.labelsIn.map((labels) => labels.map((label) => ({ ...label })));
  for (const segment of marks.layout.segments) {
    const below = isShort(around, segment) ? lineBelow(marks, segment) : undefined;
    if (!below || !isShort(around, below) || below.page !== segment.page || ownValues(marks, segment, below)) continue;
    const hits = spanning(segment, below);
    if (hits.length === 0) continue;
    put(labelsIn, segment, hits, 0, segment.text.length);
    put(labelsIn, below, hits, segment.text.length + 1, below.text.length);
  }
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  return { ...around, marks: { ...marks, labels, labelsIn } };
}

function isShort({ prose }: Surroundings, segment: Segment): boolean {
  return segment.text.length <= longestLine && segment.lines === 1 && !prose.has(segment);
}

/** Both lines have something to their right: they are fields of their own, unless one ruled cell holds both. */
function ownValues(marks: Marks, one: Segment, other: Segment): boolean {
  if (/:\s*$/u.test(one.text)) return true;
  return !inOneCell(one, other) && hasRight(marks, one) && hasRight(marks, other);
}

function inOneCell(one: Segment, other: Segment): boolean {
  if (one.cell) return true;
  return (
    one.lane !== undefined &&
    one.band !== undefined &&
    one.lane.x0 === other.lane?.x0 &&
    one.lane.x1 === other.lane.x1 &&
    one.band.y0 === other.band?.y0
  );
}

function hasRight(marks: Marks, segment: Segment): boolean {
  return indexAt(marks.layout, segment)
    .rowOf(segment)
    .some((other) => other.box.x0 > segment.box.x1);
}

/** Labels that begin on the first line and end on the second. */
function spanning(first: Segment, second: Segment): LabelHit[] {
  const edge = first.text.length;
  return findLabels(`${first.text} ${second.text}`).filter((hit) => hit.start < edge && hit.end > edge + 1);
}

function put(labelsIn: Label[][], segment: Segment, hits: readonly LabelHit[], offset: number, length: number): void {
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
