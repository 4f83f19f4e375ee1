import type { TextRun } from "./typeset.ts";

/** What flowing documents (HTML, DOCX, RTF, workbooks) are made of before they are set on a sheet. */
export type Block = Paragraph | Table | PageBreak;

export interface Paragraph {
  kind: "Paragraph";
  runs: TextRun[];
  /** Blanks and line ends are part of the layout. */
  fixed?: boolean;
}

export interface Table {
  kind: "Table";
  rows: Cell[][];
}

export interface Cell {
  column: number;
  /** How many columns and rows it reaches over. */
  columns: number;
  rows: number;
  blocks: Block[];
}

export interface PageBreak {
  kind: "PageBreak";
}

/** A table that only places other things: with one column, or with tables in its cells. */
export function isScaffold(table: Table): boolean {
  return (
    table.rows.every((row) => row.length <= 1) ||
    table.rows.some((row) => row.some((cell) => cell.blocks.some((block) => block.kind === "Table")))
  );
}
