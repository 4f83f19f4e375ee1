import { boundingBox } from "../../document/geometry.ts";
import { textOf, type Segment } from "../../layout/segment.ts";

const firstGroup = /^[-–−]?\d{1,3}$/u;
const nextGroup = /^\d{3}(?:[.,]\d{1,2})?(?: ?(?:\p{L}{1,4}\.?|\p{Sc}))?$/u;
/** In letter heights: the gap between lines of one cell, and the shift of their edges or centres. */
const [maxGap, maxShift] = [0.6, 0.6];

/**
 * Joins numbers that a narrow column breaks after the thousands: "1" above "480,00". The number is put into the row that
 * is nearest to its middle.
 */
export function joinWrappedNumbers(rows: readonly Segment[][]): Segment[][] {
  const all = rows.flat();
  const taken = new Set<Segment>();
  const joined: Segment[] = [];
  for (const upper of all.filter(({ text, cell }) => !cell && firstGroup.test(text))) {
    const lower = all.find((each) => nextGroup.test(each.text) && !taken.has(each) && isBelow(upper, each));
    if (!lower || taken.has(upper)) continue;
    const tokens = [...upper.tokens, ...lower.tokens];
    taken.add(upper).add(lower);
    joined.push({ ...upper, ...textOf(tokens), tokens, box: boundingBox(tokens), lines: 2 });
  }
  if (joined.length === 0) return [...rows];
  const kept = rows.map((row) => row.filter((segment) => !taken.has(segment)));
  for (const number of joined) nearestTo(number, kept)?.push(number);
  return kept.filter((row) => row.length > 0).map((row) => row.toSorted((a, b) => a.box.x0 - b.box.x0));
}

function isBelow({ box, size, page }: Segment, lower: Segment): boolean {
  const gap = lower.box.y0 - box.y1;
  const shifts = [box.x0 - lower.box.x0, box.x1 - lower.box.x1, (box.x0 + box.x1 - lower.box.x0 - lower.box.x1) / 2];
  const aligned = shifts.some((shift) => Math.abs(shift) < maxShift * size);
  return lower.page === page && gap > -0.5 * size && gap < maxGap * size && lower.box.y0 > box.y0 && aligned;
}

function nearestTo({ box }: Segment, rows: readonly Segment[][]): Segment[] | undefined {
  const away = (row: readonly Segment[]) =>
    Math.min(...row.map((each) => Math.abs(each.box.y0 + each.box.y1 - box.y0 - box.y1)));
  return rows
    .filter((row) => row.length > 0)
    .reduce<Segment[] | undefined>((best, row) => (best && away(best) <= away(row) ? best : row), undefined);
}
