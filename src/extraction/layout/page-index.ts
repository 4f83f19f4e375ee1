import type { LaidOutPage, Layout, Segment } from "./layout.ts";

/** A page's segments in reading order, so that one can look around a segment without looking at the whole page. */
export interface PageIndex {
  /** The segments that touch the strip from `top` to `bottom`, with few others, in reading order. */
  between(top: number, bottom: number): Segment[];
  /** Row of the page in which the segment stands. */
  rowOf(segment: Segment): readonly Segment[];
  /** Segments of the same row of the same real table. */
  inTableRow(segment: Segment): readonly Segment[];
}

const known = new WeakMap<LaidOutPage, PageIndex>();

/** The index of the page on which the segment stands. */
export function indexAt(layout: Layout, segment: Segment): PageIndex {
  const page = layout.pages[segment.page - 1];
  if (!page) return nowhere;
  const index = known.get(page) ?? indexOf(page);
  known.set(page, index);
  return index;
}

const nowhere: PageIndex = { between: () => [], rowOf: () => [], inTableRow: () => [] };

function indexOf({ rows }: LaidOutPage): PageIndex {
  const segments = rows.flat();
  const lowest = runningMaximum(segments.map(({ box }) => box.y1));
  const highest = runningMaximum(segments.map(({ box }) => -box.y0).toReversed());
  const rowBy = new Map(rows.flatMap((row) => row.map((segment) => [segment, row] as const)));
  const tableRows = Map.groupBy(segments, tableRowOf);
  return {
    between: (top, bottom) =>
      segments.slice(firstAtLeast(lowest, top), segments.length - firstAtLeast(highest, -bottom)),
    rowOf: (segment) => rowBy.get(segment) ?? [],
    inTableRow: (segment) => tableRows.get(tableRowOf(segment)) ?? [],
  };
}

function tableRowOf({ cell }: Segment): string {
  return cell ? `${cell.table}/${cell.row}` : "";
}

function runningMaximum(values: readonly number[]): number[] {
  let most = Number.NEGATIVE_INFINITY;
  return values.map((value) => (most = Math.max(most, value)));
}

/** Where the first of the rising values is that reaches the least. */
function firstAtLeast(rising: readonly number[], least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
