import { wordsBehind } from "../../fields/labels/labelled-words.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { columnOf, columns } from "./goods-captions.ts";
import { draftOf, type Column, type GoodsDraft } from "./goods-draft.ts";
import { isRow } from "./goods-rows.ts";

const fewestFields = 3;
const leastScore = 0.3;
const counted: ReadonlySet<Column> = new Set<Column>(["quantity", "statisticalNumber", "grossWeight", "volume"]);

/** Goods that a form names field by field; where a field comes again, the next goods begin. */
export function fieldsOfGoods(around: DocumentContext): GoodsDraft[] {
  const fields = columns
    .flatMap(({ column, concepts }) =>
      wordsBehind(around, [...concepts], { fits: (text) => !counted.has(column) || /^\d/u.test(text) })
        .filter(({ score, label }) => score >= leastScore && label.standing !== "Tail")
        .map(({ piece, label }) => ({ column, label, ...upToField(around, piece) })),
    )
    .sort((a, b) => a.label.index - b.label.index);
  const goods: Map<Column, { text: string; piece: TextSpan }>[] = [];
  for (const { column, text, piece } of fields) {
    const open = goods.at(-1);
    if (open && !open.has(column)) open.set(column, { text, piece });
    else goods.push(new Map([[column, { text, piece }]]));
  }
  return goods
    .filter(({ size }) => size >= fewestFields)
    .map(draftOf)
    .filter(isRow);
}

/** "wine in bottles, gross weight 19 200 kg": the words end where another field begins. */
function upToField({ marks }: DocumentContext, piece: TextSpan): { text: string; piece: TextSpan } {
  const { segment, start, end } = piece;
  const next = (marks.labelsIn[segment.index] ?? []).find(
    (label) =>
      label.start > start &&
      label.start < end &&
      columnOf(label) &&
      /,\s*$/u.test(segment.text.slice(start, label.start)),
  );
  const own = next ? trimmed(segment, start, next.start) : piece;
  return { text: own.text, piece: own };
}
