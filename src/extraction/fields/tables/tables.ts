import type { Token } from "../../document/document.ts";
import { textOf, type Layout, type Segment } from "../../layout/layout.ts";

/** A table cell with all its lines. */
export interface Cell {
  row: number;
  column: number;
  segments: Segment[];
  tokens: Token[];
  text: string;
}

/** Maps columns to the cells of a row. */
export type Row = ReadonlyMap<number, Cell>;

/** A table of a page, by rows. Rows and cells without words are omitted. */
export interface Table {
  page: number;
  rows: Cell[][];
}

/** Returns the tables that the file marks as tables, in reading order. */
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

/**
 * Finds tables that are drawn with horizontal and vertical rules. The strips between the rules are rows and columns.
 */
export function ruledTablesOf(layout: Layout): Table[] {
  return layout.pages.flatMap(({ number, rows }) => {
    const bands = bandsOf(rows.flat());
    const runs: Segment[][][] = [];
    for (const [at, band] of bands.entries()) {
      const before = bands[at - 1];
      if (before && goesOn(before, band)) runs.at(-1)?.push(band);
      else runs.push([band]);
    }
    return runs.filter((run) => run.length > 2).map((run) => ({ page: number, rows: gridOf(run) }));
  });
}

function bandsOf(segments: readonly Segment[]): Segment[][] {
  const ruled = segments.filter(({ band, lane }) => band && lane);
  return [...Map.groupBy(ruled, ({ band }) => band?.y0 ?? 0)]
    .sort(([one], [other]) => one - other)
    .map(([, band]) => band);
}

const hair = 2;

function goesOn(above: readonly Segment[], below: readonly Segment[]): boolean {
  const [one, other] = [above[0]?.band, below[0]?.band];
  const edges = new Set(above.map(edgeOf));
  const shared = new Set(below.map(edgeOf).filter((edge) => edges.has(edge)));
  return one !== undefined && other !== undefined && Math.abs(one.y1 - other.y0) < hair && shared.size >= 2;
}

function edgeOf({ lane }: Segment): number {
  return Math.round((lane?.x0 ?? 0) / hair);
}

function gridOf(bands: readonly Segment[][]): Cell[][] {
  const edges = [...new Set(bands.flat().map(edgeOf))].sort((one, other) => one - other);
  return bands.map((band, row) =>
    [...Map.groupBy(band, (segment) => edges.indexOf(edgeOf(segment)))]
      .sort(([one], [other]) => one - other)
      .map(([column, lines]) =>
        cellOf(
          row,
          column,
          lines.toSorted((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0),
        ),
      ),
  );
}

const leastAligned = 4;

/** Finds tables that are marked by nothing but the alignment of their words below a row of at least four headers. */
export function alignedTablesOf(layout: Layout, isHeader: (row: readonly Cell[]) => boolean): Table[] {
  return layout.pages.flatMap(({ number, rows }) => {
    const at = rows.findIndex((row) => row.length >= leastAligned && !row.some(isMarked) && isHeader(headerOf(row)));
    if (at < 0) return [];
    const columns = rows[at]!;
    const body = rows.slice(at + 1);
    const end = body.findIndex((row) => row.length < 3 || isHeader(headerOf(row)));
    const lines = end < 0 ? body : body.slice(0, end);
    return [
      { page: number, rows: [headerOf(columns), ...lines.map((row, below) => cellsUnder(columns, row, below + 1))] },
    ];
  });
}

const isMarked = ({ cell }: Segment) => cell !== undefined;
const headerOf = (row: readonly Segment[]) => row.map((segment, column) => cellOf(0, column, [segment]));

/** Puts each segment in the column that it overlaps most, otherwise in the nearest. */
function cellsUnder(columns: readonly Segment[], row: readonly Segment[], at: number): Cell[] {
  const columnOf = ({ box }: Segment) => {
    const apart = columns.map((head) => Math.max(head.box.x0, box.x0) - Math.min(head.box.x1, box.x1));
    return apart.indexOf(Math.min(...apart));
  };
  const column = row.length === columns.length ? (segment: Segment) => row.indexOf(segment) : columnOf;
  return [...Map.groupBy(row, column)]
    .sort(([one], [other]) => one - other)
    .map(([column, segments]) => cellOf(at, column, segments));
}

/** Returns the table transposed. */
export function turned({ page, rows }: Table): Table {
  const cells = rows.flat().map((cell) => ({ ...cell, row: cell.column, column: cell.row }));
  const byRow = [...Map.groupBy(cells, ({ row }) => row)].sort(([one], [other]) => one - other);
  return { page, rows: byRow.map(([, row]) => row.toSorted((a, b) => a.column - b.column)) };
}
