import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import { piecesOfRow, type Cell } from "../../layout/row-cells.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { columnOf, type Caption } from "./goods-captions.ts";
import { draftOf, type Column, type GoodsDraft } from "./goods-draft.ts";

/** The rows under a header, down to where another box begins. */
export function rowsUnder(
  around: DocumentContext,
  captions: readonly Caption[],
  ends: (segment: Segment) => boolean,
): GoodsDraft[] {
  const [first] = captions;
  const page = first && around.marks.layout.pages[first.cell.segment.page - 1];
  const top = Math.min(...captions.map(({ box }) => box.y0));
  const header = new Set(captions.map(({ cell }) => cell.segment));
  const cells = captions.map(({ cell }) => cell);
  const rows: GoodsDraft[] = [];
  for (const row of page?.rows ?? []) {
    const figures = row.some(({ text }) => figure.test(text));
    const under = row.filter(
      (segment) => segment.box.y0 >= top && !header.has(segment) && (figures || !isCaption(around, segment, captions)),
    );
    if (under.length === 0 || (row[0]?.box.y0 ?? 0) < top) continue;
    if (under.some(ends)) break;
    const tariff = under.findLast((segment, at) => at > 0 && /^\d{6,11}$/u.test(segment.text));
    const pieces = piecesOfRow(
      under.filter((segment) => segment !== tariff),
      tariff ? cells.filter(({ name }) => name !== "statisticalNumber") : cells,
    );
    if (tariff) pieces.set("statisticalNumber", { text: tariff.text, piece: trimmed(tariff, 0, tariff.text.length) });
    partTariff(pieces, cells);
    const draft = draftOf(pieces);
    if (isRow(draft)) rows.push(draft);
    else if (rows.length > 0) goOn(rows.at(-1)!, draft);
  }
  return rows;
}

/** Words that run up to the next column: "dried pine boards 44071190". */
function partTariff(pieces: Map<Column, { text: string; piece: TextSpan }>, cells: readonly Cell<Column>[]): void {
  const nature = pieces.get("nature");
  const match = nature && /^(.*\p{L}.*?)\s(\d{6}|\d{8}|\d{10})$/u.exec(nature.text);
  const asked = cells.some(({ name }) => name === "statisticalNumber") && !pieces.has("statisticalNumber");
  if (!nature || !match?.[1] || !match[2] || !asked) return;
  const { segment, start } = nature.piece;
  const end = start + match[1].length;
  pieces.set("nature", { text: match[1], piece: trimmed(segment, start, end) });
  pieces.set("statisticalNumber", { text: match[2], piece: trimmed(segment, end, nature.piece.end) });
}

/** A weight or a number of the tariff: no line of the header has one. */
const figure = /^(?:\d{1,3}(?:[ .,']\d{3})+|\d{3,})(?:[.,]\d{1,2})?$/u;

/** Words of the header: captions and the lines they run on to. */
function isCaption(around: DocumentContext, segment: Segment, captions: readonly Caption[]): boolean {
  const bottom = Math.max(...captions.map(({ cell }) => cell.segment.box.y1));
  const named = (around.marks.labelsIn[segment.index] ?? []).some(
    (label) => label.standing !== "Loose" && columnOf(label) !== undefined,
  );
  return (
    (named && segment.box.y0 < bottom + 3 * segment.size && !/\d{2}/u.test(segment.text.replace(/\b1[0-2]\b/gu, ""))) ||
    segment.box.y1 <= bottom + 1
  );
}

/** Whether it is goods of their own and not words that go on with those above. */
export function isRow(draft: GoodsDraft): boolean {
  const figures = [draft.quantity, draft.grossWeight, draft.statisticalNumber].filter(Boolean).length;
  return (
    figures >= 1 &&
    (draft.nature !== undefined || draft.packing !== undefined || draft.marks !== undefined || figures > 1)
  );
}

/** The second line of a description, and figures that stand under a caption of two lines. */
function goOn(row: GoodsDraft, more: GoodsDraft): void {
  for (const column of ["grossWeight", "volume"] as const) row[column] ??= more[column];
  if (!more.nature || more.quantity || !row.nature) return;
  row.nature = new FieldValue(
    `${row.nature.value} ${more.nature.value}`,
    row.nature.confidence * 0.9,
    row.nature.piece,
  );
}
