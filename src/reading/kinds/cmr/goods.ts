import type { ConceptId } from "../../know/concepts.ts";
import type { Box } from "../../document.ts";
import { sharedWidth } from "../../understand/geometry.ts";
import { Found, type Draft } from "../../understand/found.ts";
import type { Segment } from "../../understand/layout.ts";
import { meaning, type Label } from "../../understand/marks.ts";
import { trimmed } from "../../understand/piece.ts";
import { piecesOfRow, type Cell } from "../../understand/row-cells.ts";
import type { Surroundings } from "../../understand/values.ts";
import type { CmrView } from "../../views/cmr.ts";

type Goods = NonNullable<CmrView["goods"]>[number];
type Column = keyof Goods;
export type GoodsDraft = NonNullable<Draft<Goods>>;

const columns: readonly { column: Column; concepts: ReadonlySet<ConceptId> }[] = [
  { column: "marks", concepts: new Set<ConceptId>(["goodsMarks"]) },
  { column: "quantity", concepts: new Set<ConceptId>(["quantity"]) },
  { column: "packing", concepts: new Set<ConceptId>(["packaging"]) },
  { column: "nature", concepts: new Set<ConceptId>(["goods"]) },
  { column: "statisticalNumber", concepts: new Set<ConceptId>(["statisticalNumber", "productCode"]) },
  { column: "grossWeight", concepts: new Set<ConceptId>(["grossWeight", "weight"]) },
  { column: "volume", concepts: new Set<ConceptId>(["volume"]) },
];

/** A caption over a column. */
interface Caption {
  column: Column;
  label: Label;
  box: Box;
}

const fewestCaptions = 3;
const tallestHeader = 7;

/** The rows of boxes 6 to 12, or the one kind of goods that a form without a table names field by field. */
export function goodsIn(around: Surroundings, ends: (segment: Segment) => boolean): GoodsDraft[] {
  const captions = headerOf(around);
  return captions ? rowsUnder(around, captions, ends) : [];
}

/** The captions of the table: those of one line, or of few lines above each other, that name the most columns. */
function headerOf(around: Surroundings): Caption[] | undefined {
  const all = around.marks.labels.flatMap((label): Caption[] => {
    const named = columns
      .map(({ column, concepts }) => ({ column, weight: meaning(label, concepts) }))
      .sort((a, b) => b.weight - a.weight)[0];
    if (!named || named.weight < 0.4 || label.standing === "Loose" || around.prose.has(label.segment)) return [];
    return [{ column: named.column, label, box: label.segment.box }];
  });
  let best: Caption[] = [];
  for (const first of all) {
    const near = all.filter(
      ({ label: { segment } }) =>
        segment.page === first.label.segment.page &&
        segment.box.y0 >= first.label.segment.box.y0 - 2 &&
        segment.box.y0 - first.label.segment.box.y0 < tallestHeader * first.label.segment.size,
    );
    const beside = firstOfEach(near);
    if (beside.length > best.length && apart(beside)) best = beside;
  }
  return best.length >= fewestCaptions ? best : undefined;
}

function firstOfEach(captions: readonly Caption[]): Caption[] {
  return columns.flatMap(({ column }) => captions.find((caption) => caption.column === column) ?? []);
}

/** Columns stand beside each other; a list of fields stands one under the other. */
function apart(captions: readonly Caption[]): boolean {
  const stacked = captions.filter((one) =>
    captions.some(
      (other) => other !== one && other.label.segment !== one.label.segment && sharedWidth(one.box, other.box) > 0.5,
    ),
  );
  return stacked.length <= captions.length / 2;
}

function rowsUnder(
  around: Surroundings,
  captions: readonly Caption[],
  ends: (segment: Segment) => boolean,
): GoodsDraft[] {
  const { segment: first } = captions[0]!.label;
  const top = Math.min(...captions.map(({ box }) => box.y0));
  const page = around.marks.layout.pages[first.page - 1];
  const cells = captions.map(({ column, label }): Cell<Column> => {
    const next = captions.find((other) => other.label.segment === label.segment && other.label.start > label.start);
    return {
      name: column,
      segment: label.segment,
      start: label.start,
      end: next?.label.start ?? label.segment.text.length,
    };
  });
  const rows: GoodsDraft[] = [];
  for (const row of page?.rows ?? []) {
    const figures = row.some(({ text }) => figure.test(text));
    const under = row.filter((segment) => segment.box.y0 >= top && (figures || !isCaption(around, segment, captions)));
    if (under.length === 0 || (row[0]?.box.y0 ?? 0) < top) continue;
    if (under.some(ends)) break;
    const tariff = under.findLast((segment, at) => at > 0 && /^\d{6,11}$/u.test(segment.text));
    const pieces = piecesOfRow(
      under.filter((segment) => segment !== tariff),
      tariff ? cells.filter(({ name }) => name !== "statisticalNumber") : cells,
    );
    if (tariff) pieces.set("statisticalNumber", { text: tariff.text, piece: trimmed(tariff, 0, tariff.text.length) });
    const draft = draftOf(pieces);
    if (isRow(draft)) rows.push(draft);
    else if (rows.length > 0) goOn(rows.at(-1)!, draft);
  }
  return rows;
}

/** A weight or a number of the tariff: no line of the header has one. */
const figure = /^(?:\d{1,3}(?:[ .,']\d{3})+|\d{3,})(?:[.,]\d{1,2})?$/u;

/** Words of the header: captions and the lines they run on to. */
function isCaption(around: Surroundings, segment: Segment, captions: readonly Caption[]): boolean {
  const bottom = Math.max(...captions.map(({ label }) => label.segment.box.y1));
  const named = (around.marks.labelsIn[segment.index] ?? []).some(
    (label) => label.standing !== "Loose" && columns.some(({ concepts }) => meaning(label, concepts) >= 0.6),
  );
  return (
    (named && segment.box.y0 < bottom + 3 * segment.size && !/\d{2}/u.test(segment.text.replace(/\b1[0-2]\b/gu, ""))) ||
    segment.box.y1 <= bottom + 1
  );
}

function isRow(draft: GoodsDraft): boolean {
  const figures = [draft.quantity, draft.grossWeight, draft.statisticalNumber].filter(Boolean).length;
  return (
    figures >= 1 &&
    (draft.nature !== undefined || draft.packing !== undefined || draft.marks !== undefined || figures > 1)
  );
}

/** The second line of a description. */
function goOn(row: GoodsDraft, more: GoodsDraft): void {
  if (!more.nature || more.quantity || more.grossWeight || !row.nature) return;
  row.nature = new Found(`${row.nature.value} ${more.nature.value}`, row.nature.confidence * 0.9, row.nature.piece);
}

function draftOf(pieces: ReadonlyMap<Column, { text: string; piece: Found<string>["piece"] }>): GoodsDraft {
  const draft: GoodsDraft = {};
  const say = <T>(value: T, column: Column, confidence: number) =>
    new Found(value, confidence, pieces.get(column)?.piece);
  const textAt = (column: Column) => pieces.get(column)?.text ?? "";
  const counted = /^(\d{1,3}(?:[ .,']\d{3})+|\d{1,6})(?=\s|$)\s*(?:x\s*)?(.*)$/iu.exec(textAt("quantity"));
  if (counted) {
    draft.quantity = say(Number((counted[1] ?? "").replace(/\D/gu, "")), "quantity", 0.9);
    if (counted[2] && !textAt("packing") && /\p{L}{2}/u.test(counted[2]))
      draft.packing = say(counted[2], "quantity", 0.7);
  }
  for (const column of ["marks", "packing", "nature"] as const)
    if (/[\p{L}\p{N}]/u.test(textAt(column))) draft[column] = say(textAt(column), column, 0.85);
  const code = /^\d[\d .]{3,12}\d$/u.exec(textAt("statisticalNumber"));
  if (code) draft.statisticalNumber = say(code[0].replace(/\D/gu, ""), "statisticalNumber", 0.9);
  const weight = kilograms(textAt("grossWeight"));
  if (weight !== undefined) draft.grossWeight = say(weight, "grossWeight", 0.9);
  const volume = cubicMetres(textAt("volume"));
  if (volume !== undefined) draft.volume = say(volume, "volume", 0.85);
  return draft;
}

const grouped = /^(\d{1,3}(?:[ .,'\u00a0]\d{3})+)(?:[.,](\d{1,2}))?(?=\s|$)/u;
const plain = /^(\d+)(?:[.,](\d{1,3}))?(?=\s|$)/u;

/** "21.840", "21 840 kg", "1250,5": a weight has groups of three before it has three decimals. */
export function kilograms(printed: string): number | undefined {
  const text = printed.replace(/(?<=\d)(?=(?:kg|t)\b)/iu, " ");
  const match = grouped.exec(text) ?? plain.exec(text);
  if (!match) return undefined;
  const value = Number(`${(match[1] ?? "").replace(/\D/gu, "")}.${match[2] ?? 0}`);
  return /\bt\.?$/iu.test(text) && value < 60 ? value * 1000 : value;
}

/** "2,4", "38.500 m3": a volume has decimals before it has thousands. */
export function cubicMetres(printed: string): number | undefined {
  const match = /^(\d{1,4})(?:[.,](\d{1,3}))?(?=\s|$|m)/iu.exec(printed);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}
