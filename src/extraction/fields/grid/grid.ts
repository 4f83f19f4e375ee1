import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import type { LaidOutPage } from "../../layout/layout.ts";
import type { Label } from "../labels/annotations.ts";
import type { Segment } from "../../layout/segment.ts";
import type { DocumentContext } from "../labels/values.ts";
import { numbersInCell, type GridNumber } from "./figures.ts";
import { joinWrappedNumbers } from "./wrapped-numbers.ts";
import { columnsAt, type Column, type ColumnRole } from "./header.ts";
import { distances, scores } from "../scores.ts";

/** A table row with its numbers and words. */
export interface GridRow {
  /** Numbers with their columns, from left to right. */
  figures: { column: number; figure: GridNumber }[];
  /** Text with its columns, in reading order. Includes the text of adjacent rows that contain only words. */
  words: { column: number; segment: Segment }[];
  segments: Segment[];
  /**
   * Whether the row has only an amount, and may be a charge or discount without quantity, a carry-over or a subtotal.
   */
  isBare: boolean;
}

/** A printed table of services or taxes. */
export interface Grid {
  columns: Column[];
  rows: GridRow[];
  page: number;
}

const totalConcepts: ReadonlySet<ConceptId> = new Set([
  "totalPrice",
  "netAmount",
  "grossAmount",
  "vatAmount",
  "vatRate",
  "amountDue",
  "prepaidAmount",
]);
const conceptsAfterTable: ReadonlySet<ConceptId> = new Set([
  "paymentTerm",
  "paymentMethod",
  "dueDate",
  "bankAccount",
  "bank",
  "terms",
  "signature",
  "remarks",
]);
const references: ReadonlySet<ConceptId> = new Set([
  "orderNumber",
  "customerReference",
  "reference",
  "plates",
  "truckPlate",
  "vehicle",
]);
const tallestStrip = 12;

const known = new WeakMap<DocumentContext, Grid[]>();

/**
 * Finds all tables whose headings name amounts. If a table continues on the next page, the continuation is a separate
 * table.
 */
export function gridsIn(document: DocumentContext, context: DocumentLocale): readonly Grid[] {
  const before = known.get(document);
  if (before) return before;
  const grids = document.annotations.layout.pages.flatMap((page) => gridsOn(document, context, page));
  known.set(document, grids);
  return grids;
}

export const hasColumn = ({ columns }: Grid, role: ColumnRole) => columns.some(({ roles }) => roles[0] === role);

/** Whether a table lists services, and not taxes or totals. */
export function isOfServices(grid: Grid): boolean {
  const named = (["Description", "Route", "Quantity"] as const).some((role) => hasColumn(grid, role));
  return named || (hasColumn(grid, "UnitPrice") && !hasColumn(grid, "Rate"));
}

/** Returns all segments in the rows of tables. */
export function segmentsInGrids(document: DocumentContext, context: DocumentLocale): ReadonlySet<Segment> {
  return new Set(gridsIn(document, context).flatMap(({ rows }) => rows.flatMap(({ segments }) => segments)));
}

function gridsOn(document: DocumentContext, context: DocumentLocale, page: LaidOutPage): Grid[] {
  const grids: Grid[] = [];
  for (let at = 0; at < page.rows.length;) {
    document.budget.check();
    const header = columnsAt(document.annotations, page.rows, at);
    if (header.rows === 0) at++;
    else {
      const body = bodyOf(document, context, page.rows.slice(at + header.rows), header.columns);
      if (body.rows.length > 0) grids.push({ columns: header.columns, rows: body.rows, page: page.number });
      at += header.rows + body.read;
    }
  }
  return grids;
}

/** Returns the cells of the columns with a heading of one of these concepts, row by row. */
export function cellsUnder(grids: readonly Grid[], concepts: ReadonlySet<ConceptId>): Segment[] {
  return grids.flatMap(({ columns, rows }) => {
    const own = new Set(
      [...columns.keys()].filter((at) => [...columns[at]!.concepts].some((each) => concepts.has(each))),
    );
    return rows.flatMap(({ figures, words }) => [
      ...new Set([
        ...figures.flatMap(({ column, figure }) => (own.has(column) ? [figure.segment] : [])),
        ...words.flatMap(({ column, segment }) => (own.has(column) ? [segment] : [])),
      ]),
    ]);
  });
}

interface Candidate {
  row: readonly Segment[];
  figures: GridRow["figures"];
  words: Segment[];
}

function bodyOf(
  document: DocumentContext,
  context: DocumentLocale,
  rows: readonly Segment[][],
  columns: readonly Column[],
): { rows: GridRow[]; read: number } {
  const candidates = inBands(joinWrappedNumbers(rowsBeforeGap(document, rows))).flatMap((strip) => {
    const whole = candidateOf(context, columns, strip.flat());
    const places = whole.figures.map(({ column }) => column);
    const rowsOfStrip = strip.map((row) => candidateOf(context, columns, row));
    const numeric = rowsOfStrip.filter(({ figures }) => figures.length > 1).length;
    const single =
      new Set(places).size === places.length &&
      strip.length <= tallestStrip &&
      numeric <= 1 &&
      !strip.some((row) => isSum(document, row));
    return single ? [whole] : rowsOfStrip;
  });
  const first = candidates.findIndex(({ row, figures }) => isPaid(columns, figures) && !isSum(document, row));
  const model = candidates[first];
  if (!model || candidates.slice(0, first).some(({ row }) => isSum(document, row))) return { rows: [], read: 0 };
  const key = model.figures.map(({ column }) => column).filter((at) => isCounted(columns[at]));
  const isItem = ({ row, figures, words }: Candidate): boolean => {
    if (!isPaid(columns, figures)) return false;
    if (isSum(document, row) && figures.length < model.figures.length) return false;
    if (key.length > 0) return key.filter((at) => figures.some(({ column }) => column === at)).length * 2 > key.length;
    return words.length > 0 && !isSum(document, row);
  };
  const paidColumns = new Set(paidFigures(columns, model.figures).map(({ column }) => column));
  const isBare = ({ row, figures, words }: Candidate): boolean => {
    const [paid, ...others] = paidFigures(columns, figures);
    const counted = figures.some(({ column }) => isCounted(columns[column]));
    if (!paid || others.length > 0 || counted || !paidColumns.has(paid.column)) return false;
    return words.some(({ text }) => /\p{L}{3}/u.test(text)) && !isSum(document, row) && !isEnd(document, row);
  };
  const last = candidates.findLastIndex(isItem);
  const stop = candidates.findIndex(({ row }, at) =>
    key.length > 0 ? at > last && isEnd(document, row) : at > first && (isSum(document, row) || isEnd(document, row)),
  );
  const upTo = candidates.slice(0, stop < 0 ? candidates.length : stop);
  const end = key.length > 0 ? Math.max(last, upTo.findLastIndex(isBare)) + 1 : upTo.length;
  const body = candidates.slice(0, end);
  const found: GridRow[] = [];
  let loose: Segment[][] = [];
  for (const candidate of body) {
    const { row, figures, words } = candidate;
    const isFull = isItem(candidate);
    if (isFull || isBare(candidate)) {
      found.push({ figures, words: placed(columns, words), segments: [...row], isBare: !isFull });
      attach(columns, found, loose);
      loose = [];
    } else if (!isSum(document, row) && !opensReference(document, row)) loose.push([...row]);
  }
  const after = candidates.slice(body.length, body.length + 3).map(({ row }) => [...row]);
  const below = after.slice(
    0,
    Math.max(
      0,
      after.findIndex((row) => isSum(document, row) || isEnd(document, row)),
    ),
  );
  const wrapped = below.filter((row) => !opensReference(document, row));
  attach(columns, found, [...loose, ...wrapped], true);
  return { rows: found, read: rowsUpTo(rows, body) };
}

/** Counts the printed rows down to the last one of the body. */
function rowsUpTo(rows: readonly Segment[][], body: readonly Candidate[]): number {
  const last = Math.max(-1, ...body.flatMap(({ row }) => row.map((segment) => segment.row)));
  return rows.findLastIndex((row) => row[0] !== undefined && row[0].row <= last) + 1;
}

/**
 * Groups the rows between the same two horizontal rules. They form one table row, whose cells may be aligned
 * differently.
 */
function inBands(rows: readonly Segment[][]): Segment[][][] {
  const strips: Segment[][][] = [];
  for (const row of rows) {
    const [last, band] = [strips.at(-1)?.[0]?.[0]?.band, row[0]?.band];
    const same = band && last && band.y0 === last.y0 && band.y1 === last.y1;
    if (same) strips.at(-1)?.push(row);
    else strips.push([row]);
  }
  return strips;
}

function rowsBeforeGap(document: DocumentContext, rows: readonly Segment[][]): readonly Segment[][] {
  let bottom: number | undefined;
  for (const [at, row] of rows.entries()) {
    const [first] = row;
    const top = Math.min(...row.map(({ box }) => box.y0));
    const far = first && bottom !== undefined && top - bottom > distances.gridRow * first.size;
    if (!first || far || (at > 0 && columnsAt(document.annotations, rows, at).rows > 0)) return rows.slice(0, at);
    bottom = Math.max(bottom ?? 0, ...row.map(({ box }) => box.y1));
  }
  return rows;
}

function candidateOf(context: DocumentLocale, columns: readonly Column[], row: readonly Segment[]): Candidate {
  const figures = inOrder(
    columns,
    row.flatMap((segment) =>
      (isDescription(columns, segment) ? [] : numbersInCell(segment, context)).map((figure) => ({
        column: nearest(columns, figure.box, segment.cell?.column),
        figure,
      })),
    ),
  );
  return { row, figures, words: row.filter((segment) => !figures.some(({ figure }) => figure.segment === segment)) };
}

/** A cell such as "20 TOLL" in the column of descriptions has no number. */
const isDescription = (columns: readonly Column[], segment: Segment): boolean =>
  /\p{L}{3}/u.test(segment.text) &&
  columns[nearest(columns, segment.box, segment.cell?.column)]?.roles[0] === "Description";

const counting: ReadonlySet<ColumnRole> = new Set(["Quantity", "UnitPrice", "Net", "Rate", "Vat", "Gross"]);

/**
 * Assigns the numbers of a row to columns from left to right, if a long description has shifted them so that two
 * numbers are in one column. There must be as many numbers as number columns.
 */
function inOrder(columns: readonly Column[], figures: GridRow["figures"]): GridRow["figures"] {
  const own = [...columns.keys()].filter((at) => counting.has(columns[at]?.roles[0] ?? "Other"));
  const isPosition = figures[0]?.column === 0 && columns[0]?.roles[0] === "Other" && own[0] !== 0;
  const counted = isPosition ? figures.slice(1) : figures;
  const twice = new Set(counted.map(({ column }) => column)).size < counted.length;
  const printed = figures.every(({ figure }) => !figure.segment.cell);
  if (!twice || !printed || counted.length !== own.length) return figures;
  return [
    ...(isPosition ? figures.slice(0, 1) : []),
    ...counted.map(({ figure }, at) => ({ column: own[at] ?? 0, figure })),
  ];
}

const paidFigures = (columns: readonly Column[], figures: GridRow["figures"]): GridRow["figures"] =>
  figures.filter(({ column, figure }) => isMoney(columns[column]) && !figure.percent);

const isPaid = (columns: readonly Column[], figures: GridRow["figures"]): boolean =>
  paidFigures(columns, figures).length > 0;

/** Rows of services have quantities or unit prices; rows of totals do not. */
function isCounted(column: Column | undefined): boolean {
  return column?.roles[0] === "Quantity" || column?.roles[0] === "UnitPrice";
}

/**
 * Assigns rows of words to the nearer row of numbers. Wrapped text is below that row or, if centred, above and below
 * it.
 */
function attach(columns: readonly Column[], found: GridRow[], loose: readonly Segment[][], last = false): void {
  const { wrapped } = distances;
  const [above, below] = last ? [found.at(-1), undefined] : [found.at(-2), found.at(-1)];
  for (const row of loose) {
    const [y0, y1] = [Math.min(...row.map(({ box }) => box.y0)), Math.max(...row.map(({ box }) => box.y1))];
    const up = above ? y0 - Math.max(...above.segments.map(({ box }) => box.y1)) : Number.POSITIVE_INFINITY;
    const down = below ? Math.min(...below.segments.map(({ box }) => box.y0)) - y1 : Number.POSITIVE_INFINITY;
    const height = row[0]?.size ?? 10;
    const owner = up <= down + wrapped.preferAbove * height ? above : below;
    const close = Math.min(up, down) < (last ? wrapped.lastRow : wrapped.row) * height;
    const isHeading = owner === below && owner?.words.some(isWord) && down > wrapped.above * height;
    if (!owner || !close || isHeading) continue;
    owner.words.push(...placed(columns, row));
    owner.segments.push(...row);
  }
}

const isWord = ({ segment }: GridRow["words"][number]) => /\p{L}{3}/u.test(segment.text);

function placed(columns: readonly Column[], row: readonly Segment[]): GridRow["words"] {
  return row.map((segment) => ({ column: nearest(columns, segment.box, segment.cell?.column), segment }));
}

function isMoney(column: Column | undefined): boolean {
  return (
    column?.roles.some((role) => role === "Net" || role === "Gross" || role === "UnitPrice" || role === "Vat") ?? false
  );
}

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

/** Whether a row has a label of a total, such as "Net" or "20 % VAT". */
function isSum(document: DocumentContext, row: readonly Segment[]): boolean {
  return row.some((segment) => opens(document, segment, totalConcepts, percentage));
}

const percentage = /^[\d.,\s%]*%\s?$/u;

/** Whether a row names the order or the vehicle of the line above it. */
const opensReference = (document: DocumentContext, row: readonly Segment[]): boolean =>
  row[0] !== undefined && opens(document, row[0], references);

function isEnd(document: DocumentContext, [first]: readonly Segment[]): boolean {
  return !first || opens(document, first, conceptsAfterTable) || document.prose.has(first);
}

function opens(
  document: DocumentContext,
  segment: Segment,
  concepts: ReadonlySet<ConceptId>,
  before?: RegExp,
): boolean {
  return (document.annotations.labelsIn[segment.index] ?? []).some(
    (label) => (isOpening(label) || before?.test(segment.text.slice(0, label.start))) && means(label, concepts),
  );
}

const isOpening = ({ standing, start }: Label): boolean => (standing === "Head" || standing === "Lead") && start <= 2;

function means({ meanings }: Label, concepts: ReadonlySet<ConceptId>): boolean {
  const best = Math.max(...meanings.map(({ weight }) => weight));
  return meanings.some(
    ({ concept, weight }) => concepts.has(concept) && weight >= scores.grid.nearBest * best && weight >= scores.meaning,
  );
}
