import type { ConceptId } from "../../know/concepts.ts";
import type { SeeingContext } from "../../see/entity.ts";
import type { LaidOutPage } from "../layout.ts";
import type { Label } from "../marks.ts";
import type { Segment } from "../segment.ts";
import type { Surroundings } from "../values.ts";
import { figuresIn, type Figure } from "./figures.ts";
import { columnsAt, type Column } from "./header.ts";

/** A row of a table that has figures, and the words that go with it. */
export interface GridRow {
  /** By column, those at the right end of the row last. */
  figures: { column: number; figure: Figure }[];
  /** By column, in reading order; those of the rows around it that have none but words included. */
  words: { column: number; segment: Segment }[];
  segments: Segment[];
}

/** A table of services or of taxes, as printed. */
export interface Grid {
  columns: Column[];
  rows: GridRow[];
  page: number;
}

/** Words that end a table: sums, and what follows them. */
const sums: ReadonlySet<ConceptId> = new Set([
  "totalPrice",
  "netAmount",
  "grossAmount",
  "vatAmount",
  "amountDue",
  "prepaidAmount",
]);
const ends: ReadonlySet<ConceptId> = new Set([
  "paymentTerm",
  "paymentMethod",
  "dueDate",
  "bankAccount",
  "bank",
  "terms",
  "signature",
  "remarks",
]);
const farthestRow = 5.5;

const known = new WeakMap<Surroundings, Grid[]>();

/** Every table with headings for amounts. A table that goes on overleaf is a new one there. */
export function gridsIn(around: Surroundings, context: SeeingContext): readonly Grid[] {
  const before = known.get(around);
  if (before) return before;
  const grids = around.marks.layout.pages.flatMap((page) => gridsOn(around, context, page));
  known.set(around, grids);
  return grids;
}

function gridsOn(around: Surroundings, context: SeeingContext, page: LaidOutPage): Grid[] {
  const grids: Grid[] = [];
  for (let at = 0; at < page.rows.length;) {
    around.budget.check();
    const header = columnsAt(around.marks, page.rows, at);
    if (header.rows === 0 || hasMoney(page.rows[at] ?? [], context)) at++;
    else {
      const body = bodyOf(around, context, page.rows.slice(at + header.rows), header.columns);
      if (body.rows.length > 0) grids.push({ columns: header.columns, rows: body.rows, page: page.number });
      at += header.rows + body.read;
    }
  }
  return grids;
}

/** Headings have no sums of money in them. */
function hasMoney(row: readonly Segment[], context: SeeingContext): boolean {
  return row.some((segment) => /\d[.,]\d\d(?!\d)/.test(segment.text) && figuresIn(segment, context).length > 0);
}

function bodyOf(
  around: Surroundings,
  context: SeeingContext,
  rows: readonly Segment[][],
  columns: readonly Column[],
): { rows: GridRow[]; read: number } {
  const found: GridRow[] = [];
  let loose: Segment[][] = [];
  let bottom: number | undefined;
  let read = 0;
  for (const row of rows) {
    const [first] = row;
    const top = Math.min(...row.map(({ box }) => box.y0));
    if (first && bottom !== undefined && top - bottom > farthestRow * first.size) break;
    if (isEnd(around, row, found.length) || columnsAt(around.marks, rows, read).rows > 0) break;
    bottom = Math.max(bottom ?? 0, ...row.map(({ box }) => box.y1));
    read++;
    const figures = row.flatMap((segment) =>
      figuresIn(segment, context).map((figure) => ({
        column: nearest(columns, figure.box, segment.cell?.column),
        figure,
      })),
    );
    const paid = figures.some(({ column, figure }) => isMoney(columns[column]) && !figure.percent);
    const words = row.filter((segment) => !figures.some(({ figure }) => figure.segment === segment));
    if (!paid) loose.push(row);
    else if (words.length === 0 && found.length > 0 && figures.length < 3) break;
    else {
      found.push({ figures, words: placed(columns, words), segments: row });
      attach(columns, found, loose);
      loose = [];
    }
  }
  attach(columns, found, loose, true);
  return { rows: found, read };
}

/** Rows of words go with the nearer row of figures: what is wrapped stands below it or, where that is centred, around it. */
function attach(columns: readonly Column[], found: GridRow[], loose: readonly Segment[][], last = false): void {
  const [above, below] = last ? [found.at(-1), undefined] : [found.at(-2), found.at(-1)];
  for (const row of loose) {
    const [y0, y1] = [Math.min(...row.map(({ box }) => box.y0)), Math.max(...row.map(({ box }) => box.y1))];
    const up = above ? y0 - Math.max(...above.segments.map(({ box }) => box.y1)) : Number.POSITIVE_INFINITY;
    const down = below ? Math.min(...below.segments.map(({ box }) => box.y0)) - y1 : Number.POSITIVE_INFINITY;
    const height = row[0]?.size ?? 10;
    const owner = up <= down + 0.2 * height ? above : below;
    const close = Math.min(up, down) < (last ? 0.9 : 2.2) * height;
    if (!owner || !close) continue;
    owner.words.push(...placed(columns, row));
    owner.segments.push(...row);
  }
}

function placed(columns: readonly Column[], row: readonly Segment[]): GridRow["words"] {
  return row.map((segment) => ({ column: nearest(columns, segment.box, segment.cell?.column), segment }));
}

function isMoney(column: Column | undefined): boolean {
  return (
    column?.roles.some((role) => role === "Net" || role === "Gross" || role === "UnitPrice" || role === "Vat") ?? false
  );
}

/** The column whose heading stands over it, else the nearest one. */
function nearest(columns: readonly Column[], box: { x0: number; x1: number }, cell: number | undefined): number {
  const same = cell === undefined ? -1 : columns.findIndex((column) => column.cell === cell);
  if (same >= 0) return same;
  let best = { at: 0, away: Number.POSITIVE_INFINITY };
  for (const [at, column] of columns.entries()) {
    const gap = Math.max(column.box.x0 - box.x1, box.x0 - column.box.x1);
    const centres = Math.abs(column.box.x0 + column.box.x1 - box.x0 - box.x1) / 2;
    const edges = Math.min(Math.abs(column.box.x0 - box.x0), Math.abs(column.box.x1 - box.x1));
    const away = Math.max(0, gap) * 10 + Math.min(centres, edges);
    if (away < best.away) best = { at, away };
  }
  return best.at;
}

function isEnd(around: Surroundings, row: readonly Segment[], rows: number): boolean {
  const [first] = row;
  if (!first) return true;
  const opens = (segment: Segment, concepts: ReadonlySet<ConceptId>) =>
    (around.marks.labelsIn[segment.index] ?? []).some((label) => isOpening(label) && means(label, concepts));
  const summed = row.some((segment) => opens(segment, sums) && !/\p{L}.*\d[^\d]*\p{L}{3}/u.test(segment.text));
  return (summed && rows > 0) || (rows > 0 && opens(first, ends)) || around.prose.has(first);
}

const isOpening = ({ standing, start }: Label): boolean => (standing === "Head" || standing === "Lead") && start <= 2;

function means({ meanings }: Label, concepts: ReadonlySet<ConceptId>): boolean {
  const best = Math.max(...meanings.map(({ weight }) => weight));
  return meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= 0.7 * best && weight >= 0.5);
}
