import type { Box } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { sharedWidth } from "../../layout/geometry.ts";
import { boxOf } from "../../layout/layout.ts";
import { meaning, type Label } from "../../fields/labels/annotations.ts";
import type { Cell } from "../../layout/row-cells.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Column } from "./goods-draft.ts";

/** What the captions of the columns are called, and the numbers of their boxes. */
export const columns: readonly { column: Column; box: number; concepts: ReadonlySet<ConceptId> }[] = [
  { column: "marks", box: 6, concepts: new Set<ConceptId>(["goodsMarks"]) },
  { column: "quantity", box: 7, concepts: new Set<ConceptId>(["quantity"]) },
  { column: "packing", box: 8, concepts: new Set<ConceptId>(["packaging"]) },
  { column: "nature", box: 9, concepts: new Set<ConceptId>(["goods"]) },
  { column: "statisticalNumber", box: 10, concepts: new Set<ConceptId>(["statisticalNumber", "productCode"]) },
  { column: "grossWeight", box: 11, concepts: new Set<ConceptId>(["grossWeight", "weight"]) },
  { column: "volume", box: 12, concepts: new Set<ConceptId>(["volume"]) },
];

/** A caption over a column. */
export interface Caption {
  column: Column;
  cell: Cell<Column>;
  box: Box;
}

interface Named {
  column: Column;
  label: Label;
}

const leastWeight = 0.4;
const tallestHeader = 7;

/** The column a label names, as far as it stands as one. */
export function columnOf(label: Label): Column | undefined {
  const [named] = columns
    .map(({ column, concepts }) => ({ column, weight: meaning(label, concepts) }))
    .sort((a, b) => b.weight - a.weight);
  return named && named.weight >= leastWeight ? named.column : undefined;
}

/** The captions of the table: those of one line, or of few lines above each other, that name the most columns. */
export function captionsOf(around: DocumentContext): Caption[] {
  const all = around.marks.labels.flatMap((label): Named[] => {
    const column = columnOf(label);
    if (!column || label.standing === "Loose" || around.prose.has(label.segment)) return [];
    return [{ column, label }];
  });
  let best: Named[] = [];
  for (const first of all) {
    const { segment } = first.label;
    const near = all.filter(
      ({ label }) =>
        label.segment.page === segment.page &&
        label.segment.box.y0 >= segment.box.y0 - 2 &&
        label.segment.box.y0 - segment.box.y0 < tallestHeader * segment.size,
    );
    const beside = columns.flatMap(({ column }) => near.find((caption) => caption.column === column) ?? []);
    if (beside.length > best.length && apart(beside)) best = beside;
  }
  return best.map(({ column, label }) => captionAt(column, label, best));
}

function captionAt(column: Column, label: Label, all: readonly Named[]): Caption {
  const { segment, start } = label;
  const next = all.find((other) => other.label.segment === segment && other.label.start > start);
  const end = next?.label.start ?? segment.text.length;
  return { column, cell: { name: column, segment, start, end }, box: boxOf(segment, start, end) };
}

/** Columns stand beside each other; a list of fields stands one under the other. */
function apart(captions: readonly Named[]): boolean {
  const stacked = captions.filter((one) =>
    captions.some(
      (other) =>
        other !== one &&
        other.label.segment !== one.label.segment &&
        sharedWidth(one.label.segment.box, other.label.segment.box) > 0.5,
    ),
  );
  return stacked.length <= captions.length / 2;
}
