import type { LaidOutPage, Layout, Segment } from "./layout.ts";

interface PageIndex {
  /** Returns all segments that touch the strip from `top` to `bottom`, in reading order, and possibly a few others. */
  between(top: number, bottom: number): Segment[];
  rowOf(segment: Segment): readonly Segment[];
  /** Returns the segments in the same row of the same ruled table. */
  inTableRow(segment: Segment): readonly Segment[];
}

const known = new WeakMap<LaidOutPage, PageIndex>();

/** Returns the index of the segment's page. */
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

function firstAtLeast(rising: readonly number[], least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maximum gap to an adjacent line, and maximum overlap of the boxes of two lines, in letter heights. */
const [lineGap, lineOverlap] = [1.5, 0.4];
/** If the line above has letters larger by this factor, it is a heading and not the preceding line of the same text. */
const largerLetters = 1.6;
/** Maximum difference of left edges within one column, in letter heights. */
const columnShift = 1.2;

/** Returns the line directly above in the same column, unless it is a heading with larger letters. */
export function lineAbove({ layout }: { layout: Layout }, segment: Segment): Segment | undefined {
  const { box, size } = segment;
  const above = indexAt(layout, segment)
    .between(box.y0 - lineGap * size, box.y0 + lineOverlap * size)
    .filter((other) => other.box.y1 <= box.y0 + lineOverlap * size && inColumn(other, segment))
    .reduce<Segment | undefined>((best, other) => (!best || other.box.y1 > best.box.y1 ? other : best), undefined);
  if (!above || box.y0 - above.box.y1 > lineGap * size) return undefined;
  return above.size > largerLetters * size ? undefined : above;
}

/** Returns the line directly below in the same column. */
export function lineBelow({ layout }: { layout: Layout }, segment: Segment): Segment | undefined {
  const { box, size } = segment;
  return indexAt(layout, segment)
    .between(box.y1 - lineOverlap * size, box.y1 + lineGap * size)
    .filter(
      (other) =>
        other.box.y0 >= box.y1 - lineOverlap * size &&
        other.box.y0 < box.y1 + lineGap * size &&
        inColumn(other, segment),
    )
    .reduce<Segment | undefined>((best, other) => (!best || other.box.y0 < best.box.y0 ? other : best), undefined);
}

function inColumn(other: Segment, segment: Segment): boolean {
  if (other.cell || segment.cell)
    return other.cell?.table === segment.cell?.table && other.cell?.column === segment.cell?.column;
  return Math.abs(other.box.x0 - segment.box.x0) < columnShift * segment.size;
}
