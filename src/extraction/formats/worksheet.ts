import type { Cell as StyledCell, CellValue, MergeRange, Sheet } from "hucre";
import type { Block, Cell } from "./blocks.ts";
import { formatDate, formatNumber } from "./number-format.ts";
import type { ReaderContext } from "./reader.ts";
import { tooManyWords } from "./typeset.ts";

export function isShown(sheet: { hidden?: boolean; veryHidden?: boolean }): boolean {
  return !sheet.hidden && !sheet.veryHidden;
}

/** A worksheet as one table, its text boxes after it. Hidden rows and columns, and letters nobody sees, are left out. */
export function sheetBlocks(sheet: Sheet, context: ReaderContext): Block[] {
  const covered = new Map((sheet.merges ?? []).map((merge) => [`${merge.startRow},${merge.startCol}`, merge]));
  const rows: Cell[][] = [];
  let filled = 0;
  sheet.rows.forEach((values, row) => {
    if (row % 500 === 0) context.budget.check();
    if (sheet.rowDefs?.get(row)?.hidden) return;
    const cells = values.flatMap((value, column) => cellAt(sheet, row, column, value, covered));
    // One empty row parts what stands above from what stands below; more of them say nothing more.
    filled += cells.length;
    if (filled > context.limits.words) throw tooManyWords(context);
    if (cells.length > 0 || (rows.at(-1)?.length ?? 0) > 0) rows.push(cells);
  });
  const boxes = (sheet.textBoxes ?? []).map((box) => paragraph(box.text, box.style?.bold ?? false));
  return [{ kind: "Table", rows }, ...boxes];
}

function cellAt(sheet: Sheet, row: number, column: number, value: CellValue, covered: Map<string, MergeRange>): Cell[] {
  if (sheet.columns?.[column]?.hidden) return [];
  const cell = sheet.cells?.get(`${row},${column}`);
  if (cell && isUnseen(cell)) return [];
  const text = shown(cell?.formulaResult ?? value, cell);
  if (text.trim() === "") return [];
  const merge = covered.get(`${row},${column}`);
  return [
    {
      column,
      columns: merge ? merge.endCol - merge.startCol + 1 : overflow(sheet.rows[row] ?? [], column, text),
      rows: merge ? merge.endRow - merge.startRow + 1 : 1,
      blocks: [paragraph(text, cell?.style?.font?.bold ?? false)],
    },
  ];
}

/** Texts this long are shown over the empty cells to their right. */
const overflowing = 24;

function overflow(values: CellValue[], column: number, text: string): number {
  if (text.length < overflowing || text.includes("\n")) return 1;
  const next = values.findIndex((value, at) => at > column && value !== null && value !== "");
  return (next < 0 ? Math.max(values.length, column + 1) : next) - column;
}

function paragraph(text: string, bold: boolean): Block {
  return { kind: "Paragraph", runs: [bold ? { text, bold } : { text }] };
}

function isUnseen({ type, style }: StyledCell): boolean {
  const font = style?.font;
  if (type === "error" || font?.strikethrough || style?.numFmt === ";;;") return true;
  const ground = style?.fill;
  const hasGround = ground !== undefined && !(ground.type === "pattern" && ground.pattern === "none");
  return /FFFFFF$/i.test(font?.color?.rgb ?? "") && !hasGround;
}

function shown(value: CellValue, cell: StyledCell | undefined): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return formatDate(value);
  if (typeof value === "number") return formatNumber(value, cell?.style?.numFmt);
  if (typeof value === "boolean") return cell?.checkbox ? (value ? "X" : "") : String(value).toUpperCase();
  return value;
}
