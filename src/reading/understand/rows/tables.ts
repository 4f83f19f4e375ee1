import type { Token } from "../../document.ts";
import { textOf, type Layout, type Segment } from "../layout.ts";

/** A cell of a real table with all its lines. */
export interface Cell {
  row: number;
  column: number;
  segments: Segment[];
  tokens: Token[];
  text: string;
}

/** A row's cells by the column they stand in. */
export type Row = ReadonlyMap<number, Cell>;

/** A real table of a page, by rows; rows and cells without words are not there. */
export interface Table {
  page: number;
  rows: Cell[][];
}

/** The tables that were tables in the file, in reading order. */
export function tablesOf(layout: Layout): Table[] {
  const tables = new Map<string, { page: number; segments: Segment[] }>();
  for (const segment of layout.segments) {
    if (!segment.cell) continue;
    const key = `${segment.part}/${segment.page}/${segment.cell.table}`;
    const table = tables.get(key) ?? { page: segment.page, segments: [] };
    table.segments.push(segment);
    tables.set(key, table);
  }
  return [...tables.values()].map(({ page, segments }) => ({ page, rows: rowsOf(segments) }));
}

function rowsOf(segments: readonly Segment[]): Cell[][] {
  const rows = new Map<number, Map<number, Segment[]>>();
  for (const segment of segments) {
    const { row, column } = segment.cell ?? { row: 0, column: 0 };
    const cells = rows.get(row) ?? new Map<number, Segment[]>();
    cells.set(column, [...(cells.get(column) ?? []), segment]);
    rows.set(row, cells);
  }
  const ascending = <T>(map: Map<number, T>) => [...map].sort(([one], [other]) => one - other);
  return ascending(rows).map(([row, cells]) => ascending(cells).map(([column, lines]) => cellOf(row, column, lines)));
}

function cellOf(row: number, column: number, segments: Segment[]): Cell {
  const tokens = segments.flatMap((segment) => segment.tokens);
  return { row, column, segments, tokens, text: textOf(tokens).text };
}
