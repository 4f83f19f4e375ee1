import type { Page, Token } from "../document/document.ts";
import { type Block, type Cell, type Table, isScaffold } from "./blocks.ts";
import type { ReaderContext } from "./reader.ts";
import { type Frame, PageBuilder, paragraphWidth, textWidth } from "./page-builder.ts";

/** Gap between two cells, in columns. It is clearly wider than a gap between words. */
const gutter = 3;
const maxCellWidth = 60;

/** Lays out blocks on pages. Tables become grids. */
export function layOutBlocks(blocks: Block[], context: ReaderContext, source: Token["source"] = "Text"): Page[] {
  const pages: Page[] = [];
  let from = 0;
  let tables = 0;
  for (let at = 0; at <= blocks.length; at++) {
    if (at < blocks.length && blocks[at]?.kind !== "PageBreak") continue;
    const setter = new Setter(context, source, tables);
    setter.set(blocks.slice(from, at), { line: 0, column: 0, width: paragraphWidth });
    if (setter.sheet.wordCount > 0) pages.push(setter.sheet.page());
    tables = setter.tables;
    from = at + 1;
  }
  return pages.length > 0 ? pages : [new PageBuilder(context, source).page()];
}

class Setter {
  readonly sheet: PageBuilder;
  tables: number;
  private readonly context: ReaderContext;
  private readonly plans = new Map<Table, Plan>();

  constructor(context: ReaderContext, source: Token["source"], tables: number) {
    this.sheet = new PageBuilder(context, source);
    this.context = context;
    this.tables = tables;
  }

  /** Lays out blocks in a frame, and returns the number of lines that they take. */
  set(blocks: Block[], frame: Frame): number {
    let { line } = frame;
    for (const block of blocks) {
      if (block.kind === "Table") line += this.setTable(block, { ...frame, line });
      if (block.kind === "Paragraph") line += this.setParagraph(block, { ...frame, line });
    }
    return line - frame.line;
  }

  private setParagraph(block: Extract<Block, { kind: "Paragraph" }>, frame: Frame): number {
    if (!block.fixed) return this.sheet.paragraph(block.runs, frame);
    const lines = block.runs
      .map((run) => run.text)
      .join("")
      .split("\n");
    lines.forEach((text, index) => this.sheet.fixedLine(text, frame.line + index, frame.column));
    return lines.length;
  }

  private setTable(table: Table, frame: Frame): number {
    const scaffold = isScaffold(table);
    const number = scaffold ? 0 : this.tables++;
    const { rows, widths } = this.plan(table);
    const left = leftEdges(widths, frame.column);
    const single = widths.length <= 1;
    /** For the last row of cells that span several rows: the line at which these cells end. */
    const reaching = new Map<number, number>();
    let { line } = frame;
    rows.forEach((row, index) => {
      if (index % 500 === 0) this.context.budget.check();
      let height = row.length === 0 ? 0 : 1;
      for (const cell of row) {
        const place = {
          line,
          column: left[cell.column] ?? frame.column,
          width: single ? frame.width : spannedWidth(cell, widths),
          ...(scaffold
            ? frame.cell && { cell: frame.cell }
            : { cell: { table: number, row: index, column: cell.column } }),
        };
        const used = this.set(cell.blocks, place);
        if (cell.rows === 1) height = Math.max(height, used);
        else {
          const last = Math.min(index + cell.rows, rows.length) - 1;
          reaching.set(last, Math.max(reaching.get(last) ?? 0, line + used));
        }
      }
      line = Math.max(line + height, reaching.get(index) ?? 0);
    });
    return line - frame.line + (scaffold ? 0 : 1);
  }

  /** A column is as wide as its widest content, up to the width at which cells wrap. */
  private plan(table: Table): Plan {
    const cached = this.plans.get(table);
    if (cached) return cached;
    const rows = withoutIdleColumns(table.rows);
    const widths: number[] = [];
    const cells = rows.flat();
    for (const cell of cells.filter((one) => one.columns === 1)) {
      widths[cell.column] = Math.max(widths[cell.column] ?? 1, this.contentWidth(cell.blocks));
    }
    for (const cell of cells.filter((one) => one.columns > 1)) this.widen(widths, cell);
    const plan = { rows, widths: Array.from(widths, (width) => width ?? 1) };
    this.plans.set(table, plan);
    return plan;
  }

  private widen(widths: number[], cell: Cell): void {
    for (let at = cell.column; at < cell.column + cell.columns; at++) widths[at] ??= 1;
    const lacking = this.contentWidth(cell.blocks) - spannedWidth(cell, widths);
    if (lacking <= 0) return;
    const share = Math.ceil(lacking / cell.columns);
    for (let at = cell.column; at < cell.column + cell.columns; at++) widths[at] = (widths[at] ?? 1) + share;
  }

  private contentWidth(blocks: Block[]): number {
    let width = 1;
    for (const block of blocks) {
      if (block.kind === "Paragraph") width = Math.max(width, paragraphColumns(block));
      if (block.kind === "Table") {
        const { widths } = this.plan(block);
        width = Math.max(width, widths.reduce((sum, one) => sum + one, 0) + gutter * Math.max(0, widths.length - 1));
      }
    }
    return width;
  }
}

interface Plan {
  rows: Cell[][];
  widths: number[];
}

/** Drops columns in which no cell begins. The grids of forms have far more columns than their contents need. */
function withoutIdleColumns(rows: Cell[][]): Cell[][] {
  const starts = [...new Set(rows.flat().map((cell) => cell.column))].sort((a, b) => a - b);
  const rank = new Map(starts.map((column, index) => [column, index]));
  return rows.map((row) =>
    row.map((cell) => {
      const column = rank.get(cell.column) ?? 0;
      let end = column + 1;
      while (end < starts.length && (starts[end] ?? 0) < cell.column + cell.columns) end++;
      return { ...cell, column, columns: end - column };
    }),
  );
}

function paragraphColumns(block: Extract<Block, { kind: "Paragraph" }>): number {
  const { natural, longest } = textWidth(block.runs);
  return block.fixed ? natural : Math.max(Math.min(natural, maxCellWidth), Math.min(longest, maxCellWidth));
}

function leftEdges(widths: number[], start: number): number[] {
  let column = start;
  return widths.map((width) => {
    const left = column;
    column += width + gutter;
    return left;
  });
}

function spannedWidth(cell: Cell, widths: number[]): number {
  let width = gutter * (cell.columns - 1);
  for (let at = cell.column; at < cell.column + cell.columns; at++) width += widths[at] ?? 1;
  return width;
}
