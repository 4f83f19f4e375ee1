import { horizontalOverlap } from "../document/geometry.ts";
import { type Segment, boxOf } from "./layout.ts";
import { trimmedSpan, type TextSpan } from "./text-span.ts";

/** A column caption, with the position of its words. */
export interface Cell<Name extends string> {
  name: Name;
  segment: Segment;
  start: number;
  end: number;
}

/**
 * Assigns each segment of a row to a caption, and joins the texts of the same caption. The span is that of the first
 * segment.
 */
export function cellsOfRow<Name extends string>(
  row: readonly Segment[],
  captions: readonly Cell<Name>[],
): Map<Name, { text: string; span: TextSpan }> {
  const found = new Map<Name, { text: string; span: TextSpan }>();
  for (const segment of row) {
    const name = nearest(segment, captions);
    const span = trimmedSpan(segment, 0, segment.text.length);
    if (!name || !span.text) continue;
    const cellSoFar = found.get(name);
    if (cellSoFar) cellSoFar.text += ` ${span.text}`;
    else found.set(name, { text: span.text, span });
  }
  return found;
}

/**
 * Cost of assigning a segment to a caption: for each point of the gap between them, and for each point by which their
 * edges differ. A full overlap subtracts `overlap`.
 */
const cost = { gap: 2, misalignment: 0.5, overlap: 6 };

/**
 * Finds the caption of the same table column or lane, otherwise the caption with the lowest cost. Undefined for a cell
 * of the captions' table whose column has no caption.
 */
function nearest<Name extends string>(segment: Segment, captions: readonly Cell<Name>[]): Name | undefined {
  const inTable = captions.find(
    ({ segment: caption }) =>
      caption.cell && caption.cell.table === segment.cell?.table && caption.cell.column === segment.cell.column,
  );
  if (inTable) return inTable.name;
  if (segment.cell && captions.some(({ segment: caption }) => caption.cell?.table === segment.cell?.table))
    return undefined;
  const inLane = captions.filter(
    ({ segment: caption }) =>
      caption.lane !== undefined &&
      segment.lane !== undefined &&
      Math.abs(caption.lane.x0 - segment.lane.x0) < 2 &&
      Math.abs(caption.lane.x1 - segment.lane.x1) < 2,
  );
  if (inLane.length === 1) return inLane[0]?.name;
  const measured = captions.map(({ name, segment: caption, start, end }) => {
    const box = boxOf(caption, start, end);
    const apart = Math.max(0, box.x0 - segment.box.x1, segment.box.x0 - box.x1);
    const edges = Math.min(
      Math.abs(box.x0 - segment.box.x0),
      Math.abs(box.x1 - segment.box.x1),
      Math.abs(box.x0 + box.x1 - segment.box.x0 - segment.box.x1) / 2,
    );
    return {
      name,
      cost: apart * cost.gap + edges * cost.misalignment - horizontalOverlap(box, segment.box) * cost.overlap,
    };
  });
  return measured.sort((a, b) => a.cost - b.cost)[0]?.name;
}
