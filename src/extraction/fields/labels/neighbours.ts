import type { Segment } from "../../layout/layout.ts";
import type { Annotations } from "./annotations.ts";
import { indexAt } from "../../layout/page-index.ts";

/** The line right above in the same column, in letters of about the same size. */
export function lineAbove(annotations: Annotations, segment: Segment): Segment | undefined {
  const { box, size } = segment;
  const above = indexAt(annotations.layout, segment)
    .between(box.y0 - 1.5 * size, box.y0 + 0.4 * size)
    .filter((other) => other.box.y1 <= box.y0 + 0.4 * size && inColumn(other, segment))
    .reduce<Segment | undefined>((best, other) => (!best || other.box.y1 > best.box.y1 ? other : best), undefined);
  if (!above || box.y0 - above.box.y1 > 1.5 * size) return undefined;
  return above.size > 1.6 * size ? undefined : above;
}

/** The line right below in the same column. */
export function lineBelow(annotations: Annotations, segment: Segment): Segment | undefined {
  const { box, size } = segment;
  return indexAt(annotations.layout, segment)
    .between(box.y1 - 0.4 * size, box.y1 + 1.5 * size)
    .filter(
      (other) => other.box.y0 >= box.y1 - 0.4 * size && other.box.y0 < box.y1 + 1.5 * size && inColumn(other, segment),
    )
    .reduce<Segment | undefined>((best, other) => (!best || other.box.y0 < best.box.y0 ? other : best), undefined);
}

function inColumn(other: Segment, segment: Segment): boolean {
  if (other.cell || segment.cell)
    return other.cell?.table === segment.cell?.table && other.cell?.column === segment.cell?.column;
  return Math.abs(other.box.x0 - segment.box.x0) < 1.2 * segment.size;
}
