import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { captionsOf, type Caption } from "./goods-captions.ts";
import { fieldsOfGoods } from "./goods-fields.ts";
import { goodsOnLine } from "./goods-line.ts";
import { numberedCells } from "./goods-numbers.ts";
import { rowsUnder } from "./goods-rows.ts";
import type { GoodsDraft } from "./goods-draft.ts";

const fewestCaptions = 3;

/**
 * The rows of boxes 6 to 12: under captions in a row, under their bare numbers, on one line between the numbers, each in
 * a field of its own, or all told on one line.
 */
export function goodsIn(around: DocumentContext, ends: (segment: Segment) => boolean): GoodsDraft[] {
  const numbered = numberedCells(around);
  if (numbered.filled.length > 0) return numbered.filled;
  const captions = together(numbered.captions, captionsOf(around));
  const rows = captions.length >= fewestCaptions ? rowsUnder(around, captions, ends) : [];
  if (rows.length > 0) return rows;
  const fields = fieldsOfGoods(around);
  return fields.length > 0 ? fields : goodsOnLine(around);
}

/** Captions known by their words fill up those known by their numbers, where they stand in the same header. */
function together(numbered: readonly Caption[], worded: readonly Caption[]): readonly Caption[] {
  if (numbered.length < fewestCaptions) return worded;
  const known = new Set(numbered.map(({ column }) => column));
  const [first] = numbered;
  const beside = worded.filter(
    ({ column, cell }) =>
      !known.has(column) &&
      cell.segment.page === first?.cell.segment.page &&
      cell.segment.row === first.cell.segment.row,
  );
  return [...numbered, ...beside];
}
