import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { CmrView } from "./view.ts";
import type { Box } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { horizontalOverlap } from "../../document/geometry.ts";
import { boxOf, type Segment } from "../../layout/layout.ts";
import { weightFor, type Label } from "../../fields/labels/annotations.ts";
import { cellsOfRow, type Cell } from "../../layout/row-cells.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { scores } from "./scores.ts";

export type Goods = NonNullable<CmrView["goods"]>[number];
export type Column = keyof Goods;
export type GoodsDraft = NonNullable<FieldValues<Goods>>;

type Printed = ReadonlyMap<Column, { text: string; span: TextSpan }>;

const withoutLetters = /^[\s\p{P}\p{S}]*$/u;

/** Reads the values from the texts in the columns of a row. */
export function draftOf(printed: Printed): GoodsDraft {
  const draft: GoodsDraft = {};
  const valueIn = <T>(value: T, column: Column, confidence: number) =>
    new FieldValue(value, confidence, printed.get(column)?.span);
  const textAt = (column: Column) => printed.get(column)?.text ?? "";
  const counted = /^(\d{1,3}(?:[ .,']\d{3})+|\d{1,6})(?=\s|$)\s*(?:[x×]\s*)?(.*)$/iu.exec(textAt("quantity"));
  if (counted) {
    draft.quantity = valueIn(Number((counted[1] ?? "").replace(/\D/gu, "")), "quantity", scores.goods.number);
    if (counted[2] && !textAt("packing") && /\p{L}{2}/u.test(counted[2]))
      draft.packing = valueIn(counted[2], "quantity", scores.goods.packingBehindQuantity);
  }
  for (const column of ["marks", "packing", "nature"] as const)
    if (!withoutLetters.test(textAt(column))) draft[column] = valueIn(textAt(column), column, scores.goods.text);
  const code = /^\d[\d .]{3,12}\d$/u.exec(textAt("statisticalNumber"));
  if (code) draft.statisticalNumber = valueIn(code[0].replace(/\D/gu, ""), "statisticalNumber", scores.goods.number);
  const weight = kilograms(textAt("grossWeight"));
  if (weight !== undefined) draft.grossWeight = valueIn(weight, "grossWeight", scores.goods.number);
  const volume = cubicMetres(textAt("volume"));
  if (volume !== undefined) draft.volume = valueIn(volume, "volume", scores.goods.volume);
  return draft;
}

const grouped = /^(\d{1,3}(?:[ .,'\u00a0]\d{3})+)(?:[.,](\d{1,2}))?(?=\s|$)/u;
const plain = /^(\d+)(?:[.,](\d{1,3}))?(?=\s|$)/u;

/**
 * Reads kilograms as in "21.840", "21 840 kg" or "1250,5". The separator in "21.840" groups thousands; it is not a
 * decimal separator. A weight in tonnes ("21,8 t") is converted.
 */
function kilograms(printed: string): number | undefined {
  const text = printed.replace(/(?<=\d)(?=(?:kg|t)\b)/iu, " ");
  const match = grouped.exec(text) ?? plain.exec(text);
  if (!match) return undefined;
  const value = Number(`${(match[1] ?? "").replace(/\D/gu, "")}.${match[2] ?? 0}`);
  return /\bt\.?$/iu.test(text) && value < 60 ? value * 1000 : value;
}

/** Reads cubic metres as in "2,4" or "38.500 m3". Three digits after a separator are decimals, not thousands. */
function cubicMetres(printed: string): number | undefined {
  const match = /^(\d{1,4})(?:[.,](\d{1,3}))?(?=\s|$|m|м)/iu.exec(printed);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}

/** The columns, with the numbers of their boxes and the concepts of their captions. */
export const columns: readonly { column: Column; box: number; concepts: ReadonlySet<ConceptId> }[] = [
  { column: "marks", box: 6, concepts: new Set<ConceptId>(["goodsMarks"]) },
  { column: "quantity", box: 7, concepts: new Set<ConceptId>(["quantity"]) },
  { column: "packing", box: 8, concepts: new Set<ConceptId>(["packaging"]) },
  { column: "nature", box: 9, concepts: new Set<ConceptId>(["goods"]) },
  { column: "statisticalNumber", box: 10, concepts: new Set<ConceptId>(["statisticalNumber", "productCode"]) },
  { column: "grossWeight", box: 11, concepts: new Set<ConceptId>(["grossWeight", "weight"]) },
  { column: "volume", box: 12, concepts: new Set<ConceptId>(["volume"]) },
];

/** The caption of a column. */
export interface Caption {
  column: Column;
  cell: Cell<Column>;
  box: Box;
}

interface Named {
  column: Column;
  label: Label;
}

const maxHeaderHeight = 7;

/** Returns the column that a label names. */
export function columnOf(label: Label): Column | undefined {
  const [named] = columns
    .map(({ column, concepts }) => ({ column, weight: weightFor(label, concepts) }))
    .sort((a, b) => b.weight - a.weight);
  return named && named.weight >= scores.goods.minCaption ? named.column : undefined;
}

/**
 * Finds the captions of the table: the labels on one line, or on a few consecutive lines, that name the most columns.
 */
export function captionsOf(document: DocumentContext): Caption[] {
  const all = document.annotations.labels.flatMap((label): Named[] => {
    const column = columnOf(label);
    if (!column || label.standing === "Loose" || document.prose.has(label.segment)) return [];
    return [{ column, label }];
  });
  let best: Named[] = [];
  for (const first of all) {
    const { segment } = first.label;
    const near = all.filter(
      ({ label }) =>
        label.segment.page === segment.page &&
        label.segment.box.y0 >= segment.box.y0 - 2 &&
        label.segment.box.y0 - segment.box.y0 < maxHeaderHeight * segment.size,
    );
    const beside = columns.flatMap(({ column }) => near.find((caption) => caption.column === column) ?? []);
    if (beside.length > best.length && areBeside(beside)) best = beside;
  }
  return best.map(({ column, label }) => captionAt(column, label, best));
}

function captionAt(column: Column, label: Label, all: readonly Named[]): Caption {
  const { segment, start } = label;
  const next = all.find((other) => other.label.segment === segment && other.label.start > start);
  const end = next?.label.start ?? segment.text.length;
  return { column, cell: { name: column, segment, start, end }, box: boxOf(segment, start, end) };
}

/** Whether captions are side by side. The labels of a list of fields are one below the other. */
function areBeside(captions: readonly Named[]): boolean {
  const stacked = captions.filter((one) =>
    captions.some(
      (other) =>
        other !== one &&
        other.label.segment !== one.label.segment &&
        horizontalOverlap(one.label.segment.box, other.label.segment.box) > scores.goods.minStacked,
    ),
  );
  return stacked.length <= captions.length / 2;
}

/** Reads the rows below a header, up to the next box. */
export function rowsUnder(
  document: DocumentContext,
  captions: readonly Caption[],
  ends: (segment: Segment) => boolean,
): GoodsDraft[] {
  const [first] = captions;
  const page = first && document.annotations.layout.pages[first.cell.segment.page - 1];
  const top = Math.min(...captions.map(({ box }) => box.y0));
  const header = new Set(captions.map(({ cell }) => cell.segment));
  const cells = captions.map(({ cell }) => cell);
  const rows: GoodsDraft[] = [];
  for (const row of page?.rows ?? []) {
    const figures = row.some(({ text }) => figure.test(text));
    const under = row.filter(
      (segment) =>
        segment.box.y0 >= top && !header.has(segment) && (figures || !isCaption(document, segment, captions)),
    );
    if (under.length === 0 || (row[0]?.box.y0 ?? 0) < top) continue;
    if (under.some(ends)) break;
    const tariff = under.findLast((segment, at) => at > 0 && /^\d{6,11}$/u.test(segment.text));
    const spans = cellsOfRow(
      under.filter((segment) => segment !== tariff),
      tariff ? cells.filter(({ name }) => name !== "statisticalNumber") : cells,
    );
    if (tariff) spans.set("statisticalNumber", { text: tariff.text, span: trimmedSpan(tariff, 0, tariff.text.length) });
    separateTariff(spans, cells);
    const draft = draftOf(spans);
    if (isRow(draft)) rows.push(draft);
    else if (rows.length > 0) continueRow(rows.at(-1)!, draft);
  }
  return rows;
}

/** Separates a tariff number from the words before it, as in "dried pine boards 44071190". */
function separateTariff(spans: Map<Column, { text: string; span: TextSpan }>, cells: readonly Cell<Column>[]): void {
  const nature = spans.get("nature");
  const match = nature && /^(.*\p{L}.*?)\s(\d{6}|\d{8}|\d{10})$/u.exec(nature.text);
  const isWanted = cells.some(({ name }) => name === "statisticalNumber") && !spans.has("statisticalNumber");
  if (!nature || !match?.[1] || !match[2] || !isWanted) return;
  const { segment, start } = nature.span;
  const end = start + match[1].length;
  spans.set("nature", { text: match[1], span: trimmedSpan(segment, start, end) });
  spans.set("statisticalNumber", { text: match[2], span: trimmedSpan(segment, end, nature.span.end) });
}

/** A number such as a weight or tariff number. Lines of the header contain none. */
const figure = /^(?:\d{1,3}(?:[ .,']\d{3})+|\d{3,})(?:[.,]\d{1,2})?$/u;

/** Whether a segment belongs to the header: it is a caption, or a further line of a caption. */
function isCaption(document: DocumentContext, segment: Segment, captions: readonly Caption[]): boolean {
  const bottom = Math.max(...captions.map(({ cell }) => cell.segment.box.y1));
  const named = (document.annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.standing !== "Loose" && columnOf(label) !== undefined,
  );
  return (
    (named && segment.box.y0 < bottom + 3 * segment.size && !/\d{2}/u.test(segment.text.replace(/\b1[0-2]\b/gu, ""))) ||
    segment.box.y1 <= bottom + 1
  );
}

/** Whether a draft is a separate row, and not the continuation of the row above. */
export function isRow(draft: GoodsDraft): boolean {
  const figures = [draft.quantity, draft.grossWeight, draft.statisticalNumber].filter(Boolean).length;
  return (
    figures >= 1 &&
    (draft.nature !== undefined || draft.packing !== undefined || draft.marks !== undefined || figures > 1)
  );
}

function continueRow(row: GoodsDraft, more: GoodsDraft): void {
  for (const column of ["grossWeight", "volume"] as const) row[column] ??= more[column];
  if (!more.nature || more.quantity || !row.nature) return;
  row.nature = new FieldValue(
    `${row.nature.value} ${more.nature.value}`,
    row.nature.confidence * scores.goods.continued,
    row.nature.span,
  );
}
