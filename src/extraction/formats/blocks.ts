import type { TextRun } from "./page-builder.ts";

/** Content of documents without fixed pages (HTML, DOCX, RTF, workbooks), before it is laid out on pages. */
export type Block = Paragraph | Table | PageBreak;

export interface Paragraph {
  kind: "Paragraph";
  runs: TextRun[];
  /** Whether white space and line ends are kept as they are. */
  fixed?: boolean;
}

export interface Table {
  kind: "Table";
  rows: Cell[][];
}

export interface Cell {
  column: number;
  /** Number of columns that the cell spans. `rows` is the number of rows that it spans. */
  columns: number;
  rows: number;
  blocks: Block[];
}

export interface PageBreak {
  kind: "PageBreak";
}

/** Whether a table is used only for layout, because it has a single column, or tables in its cells. */
export function isScaffold(table: Table): boolean {
  return (
    table.rows.every((row) => row.length <= 1) ||
    table.rows.some((row) => row.some((cell) => cell.blocks.some((block) => block.kind === "Table")))
  );
}

interface OpenTable {
  table: Table;
  row?: Cell[];
  cell?: Cell;
  /** For each column, the index of the first row into which no cell from an earlier row extends. */
  reaching: number[];
}

/** Maximum nesting depth of tables. The text of deeper tables is added to the enclosing cell. */
const maxTableDepth = 10;
const maxColumnSpan = 200;
/** Maximum number of columns. The text of a cell that would begin beyond it is added to the last cell of its row. */
const maxColumns = 500;

/** Builds blocks from a stream of start tags, end tags and text. The tags may be nested incorrectly. */
export class BlockBuilder {
  readonly blocks: Block[] = [];
  private runs: TextRun[] = [];
  private fixed = false;
  private readonly tables: OpenTable[] = [];
  private ignoredTables = 0;
  private readonly asides: { runs: TextRun[]; blocks: Block[]; tables: number }[] = [];
  private readonly afterParagraph: Block[] = [];

  text(text: string, bold: boolean): void {
    const last = this.runs.at(-1);
    if (last && (last.bold ?? false) === bold) last.text += text;
    else this.runs.push(bold ? { text, bold } : { text });
  }

  /**
   * Ends the paragraph. An empty paragraph is kept only with `keepEmpty`; otherwise, if it has a line break or a
   * non-breaking space, it becomes a gap.
   */
  endParagraph(keepEmpty = false): void {
    const { runs } = this;
    this.runs = [];
    if (keepEmpty || runs.some((run) => run.text.trim() !== "")) {
      this.target.push({ kind: "Paragraph", runs: withoutLastBreak(runs), ...(this.fixed && { fixed: true }) });
    } else if (runs.some((run) => /[\n\u00A0]/.test(run.text))) this.gap();
    if (this.asides.length === 0) this.target.push(...this.afterParagraph.splice(0));
  }

  /** Ends the paragraph, and adds an empty one, unless the previous paragraph is already empty. */
  gap(): void {
    this.endParagraph();
    const last = this.target.at(-1);
    if (last && !(last.kind === "Paragraph" && last.runs.length === 0))
      this.target.push({ kind: "Paragraph", runs: [] });
  }

  setFixed(fixed: boolean): void {
    this.endParagraph();
    this.fixed = fixed;
  }

  pageBreak(): void {
    if (this.tables.length > 0 || this.asides.length > 0) return;
    this.endParagraph();
    this.blocks.push({ kind: "PageBreak" });
  }

  /** Opens a text box. Its blocks follow the paragraph in which it is anchored. */
  openAside(): void {
    this.asides.push({ runs: this.runs, blocks: [], tables: this.tables.length });
    this.runs = [];
  }

  closeAside(): void {
    const aside = this.asides.at(-1);
    if (!aside) return;
    this.endParagraph();
    while (this.tables.length > aside.tables) this.closeTable();
    this.asides.pop();
    this.runs = aside.runs;
    this.afterParagraph.push(...aside.blocks);
  }

  openTable(): void {
    this.endParagraph();
    if (this.tables.length >= maxTableDepth) {
      this.ignoredTables++;
      return;
    }
    this.tables.push({ table: { kind: "Table", rows: [] }, reaching: [] });
  }

  openRow(): void {
    this.endParagraph();
    const open = this.openTableNow;
    if (!open) return;
    delete open.cell;
    open.row = [];
    open.table.rows.push(open.row);
  }

  /**
   * @param at column of the cell, by default the next free one
   */
  openCell(columns = 1, rows = 1, at?: number): void {
    this.endParagraph();
    const open = this.openTableNow;
    if (!open) return;
    if (!open.row) this.openRow();
    const row = open.row ?? [];
    const rowNumber = open.table.rows.length - 1;
    const last = row.at(-1);
    let column = Math.max(at ?? 0, last ? last.column + last.columns : 0);
    while (at === undefined && (open.reaching[column] ?? 0) > rowNumber) column++;
    if (column >= maxColumns && last) {
      open.cell = last;
      return;
    }
    column = Math.min(column, maxColumns - 1);
    const end = Math.min(column + within(columns), maxColumns);
    open.cell = { column, columns: end - column, rows: within(rows), blocks: [] };
    open.reaching.length = Math.max(open.reaching.length, end);
    open.reaching.fill(rowNumber + open.cell.rows, column, end);
    row.push(open.cell);
  }

  closeCell(): void {
    this.endParagraph();
    if (this.openTableNow) delete this.openTableNow.cell;
  }

  closeRow(): void {
    this.closeCell();
    if (this.openTableNow) delete this.openTableNow.row;
  }

  closeTable(): void {
    this.endParagraph();
    if (this.ignoredTables > 0) {
      this.ignoredTables--;
      return;
    }
    if (this.tables.length <= (this.asides.at(-1)?.tables ?? 0)) return;
    const { table } = this.tables.pop() ?? {};
    if (table && table.rows.length > 0) this.target.push(table);
  }

  finish(): Block[] {
    while (this.asides.length > 0) this.closeAside();
    this.endParagraph();
    this.ignoredTables = 0;
    while (this.tables.length > 0) this.closeTable();
    return this.blocks;
  }

  private get openTableNow(): OpenTable | undefined {
    return this.ignoredTables > 0 ? undefined : this.tables.at(-1);
  }

  /**
   * The list that receives the next block: that of the innermost open cell or, for text between cells, the list that
   * contains the table.
   */
  private get target(): Block[] {
    const aside = this.asides.at(-1);
    for (let index = this.tables.length - 1; index >= (aside?.tables ?? 0); index--) {
      const cell = this.tables[index]?.cell;
      if (cell) return cell.blocks;
    }
    return aside?.blocks ?? this.blocks;
  }
}

/** A line break at the end of a paragraph is invisible. */
function withoutLastBreak(runs: TextRun[]): TextRun[] {
  const last = runs.at(-1);
  if (!last || !/\n[ \t]*$/.test(last.text)) return runs;
  return [...runs.slice(0, -1), { ...last, text: last.text.replace(/\n[ \t]*$/, "") }];
}

function within(span: number): number {
  return Number.isFinite(span) ? Math.min(Math.max(1, Math.trunc(span)), maxColumnSpan) : 1;
}
