import type { Segment } from "../../../layout/layout.ts";
import { indexAt, lineAbove } from "../../../layout/page-index.ts";
import type { TransportAnalysis } from "../../transport.ts";

/** Whether the segment to the left or the line above is short text without a known label: perhaps an unknown label. */
export function captionOf(annotations: TransportAnalysis["document"]["annotations"], segment: Segment): number {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const isCaption = (line: Segment | undefined) =>
    line &&
    line.text.length < 30 &&
    /\p{L}{3}/u.test(line.text) &&
    (annotations.labelsIn[line.index] ?? []).length === 0 &&
    !(annotations.entitiesIn[line.index] ?? []).some(({ score }) => score >= 0.4);
  return (isCaption(row[row.indexOf(segment) - 1]) ? 1 : 0) + (isCaption(lineAbove(annotations, segment)) ? 2 : 0);
}
