import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { openers, stopRoles, type Role } from "../sections/roles.ts";
import type { DocumentContext } from "../labels/values.ts";
import type { Annotations } from "../labels/annotations.ts";
import { columnsOf, countKnown, sectioned, type Column } from "./columns.ts";
import { directed } from "./directions.ts";
import { typed } from "./typing.ts";
import { alignedTablesOf, tablesOf, turned, type Cell, type Row, type Table } from "./tables.ts";

/** Table rows that form one order: a single row, or one row per stop. */
export interface RowOrder {
  list: OrderList;
  rows: Row[];
}

/** A table whose rows are orders, or stops of orders. */
export interface OrderList {
  table: Table;
  columns: Column[];
  /** Column whose cells name the type of stop. */
  kinds?: Column;
}

const headerWithin = 30;
const minColumns = 4;
const leastKnown = 0.5;
const numberConcepts: ReadonlySet<ConceptId> = new Set(["orderNumber", "titleTransportOrder"]);

/** Finds the orders in tables that have one row per order, or one row per stop with a common order number. */
export function rowOrdersIn({ annotations, languages }: DocumentContext, readsLanes = false): RowOrder[] {
  const { layout } = annotations;
  const ordersIn = (table: Table) => {
    const list = listIn(table, annotations, languages);
    return list ? grouped(list.list, list.body) : [];
  };
  const found = tablesOf(layout).flatMap(ordersIn);
  if (found.length > 0 || !readsLanes) return found;
  const isHeader = (row: readonly Cell[]) =>
    countKnown(columnsOf(row, [], languages)) >= leastKnown * row.length && row.every(shortHeader);
  const others = [
    ...tablesOf(layout).map((table) => turned(withoutNarrow(table))),
    ...alignedTablesOf(layout, isHeader),
  ];
  return others.map(ordersIn).find((orders) => orders.length > 1) ?? [];
}

function listIn(
  table: Table,
  annotations: Annotations,
  languages: readonly string[],
): { list: OrderList; body: Row[] } | undefined {
  for (const [at, header] of table.rows.slice(0, headerWithin).entries()) {
    if (header.length < minColumns) continue;
    const below = table.rows[at + 1] ?? [];
    const isTwofold = isSubheader(below, header, languages);
    const heads = isTwofold ? merged(header, below) : header;
    const named = columnsOf(heads, isTwofold ? header : at > 0 ? (table.rows[at - 1] ?? []) : [], languages);
    const following = table.rows.slice(at + (isTwofold ? 2 : 1));
    const printed = directed(named, heads, rowsUnder(following, named));
    if (countKnown(printed) < leastKnown * printed.length || !header.every(shortHeader)) continue;
    const rows = rowsUnder(following, printed);
    const columns = sectioned(typed(printed, rows, annotations));
    const body = rows.filter((row) => describesOrder(row, columns));
    const kinds = columns.find((column) => namesStopTypes(column, body, languages));
    const isList = kinds
      ? numberOf(columns, body) !== undefined
      : hasBothEnds(columns) &&
        body.filter((row) => namesPlace(row, columns, annotations)).length >= leastPlaced * body.length;
    if (body.length > 0 && isList)
      return { list: { table: withoutNotes(table, at), columns, ...(kinds && { kinds }) }, body };
  }
  return undefined;
}

/** Whether the row below a header only divides its columns: "zip, town" below "Loading". */
function isSubheader(row: readonly Cell[], header: readonly Cell[], languages: readonly string[]): boolean {
  const columns = columnsOf(row, [], languages);
  return (
    row.length >= 2 &&
    row.length < header.length &&
    countKnown(columns) === row.length &&
    row.every(({ text }) => !/\d/.test(text))
  );
}

function merged(header: readonly Cell[], below: readonly Cell[]): Cell[] {
  const divided = new Set(below.map(({ column }) => column));
  return [...header.filter(({ column }) => !divided.has(column)), ...below].toSorted((a, b) => a.column - b.column);
}

/** Returns the part of a table below its first full row, to be turned. */
function withoutNarrow({ page, rows }: Table): Table {
  const widest = Math.max(...rows.map((row) => row.length));
  const first = rows.findIndex((row) => row.length === widest);
  return { page, rows: rows.slice(first).filter((row) => row.length > 1) };
}

const mostNotes = 2;

/** Leaves out the notes of a sheet, above and below the rows of its table. They belong to every order. */
function withoutNotes({ page, rows }: Table, header: number): Table {
  const isNote = (row: readonly Cell[]) => row.length <= mostNotes;
  const first = header > 0 && !isNote(rows[header - 1]!) && rows[header - 1]!.every(shortHeader) ? header - 1 : header;
  return { page, rows: rows.slice(first).filter((row) => !isNote(row)) };
}

const longestHeader = 60;
const shortHeader = ({ text }: Cell) =>
  text.length <= longestHeader && !/\d{4}|\d[./]\d/.test(text.replace(/(?<=\p{L} )20\d\d$/u, ""));

/** Finds the column of order numbers. Numbers of one or two digits only count the rows. */
function numberOf(columns: readonly Column[], body: readonly Row[]): Column | undefined {
  const texts = (column: Column) => body.flatMap((row) => row.get(column.index)?.text ?? []);
  return columns.find(
    (column) => isNumber(column) && texts(column).some((text) => /\d/.test(text) && text.length >= 3),
  );
}

const isNumber = ({ concept, section }: Column) => !section && concept !== undefined && numberConcepts.has(concept);

function hasBothEnds(columns: readonly Column[]): boolean {
  const stops = columns.flatMap(({ section }) => (section && stopRoles.has(section.role) ? [section] : []));
  return (
    new Set(stops.map(({ key }) => key)).size > 1 &&
    (stops.some(({ role }) => role === "Unloading") || stops.every(({ role }) => role === "Stop"))
  );
}

const placeConcepts: ReadonlySet<ConceptId> = new Set(["postalCode", "city"]);
/** Minimum share of the rows that name the place of a stop. The rows of a form with stops side by side do not. */
const leastPlaced = 0.5;

function namesPlace(row: Row, columns: readonly Column[], { entitiesIn }: Annotations): boolean {
  return columns.some(({ index, section, concept }) => {
    const cell = row.get(index);
    if (!cell || !section || !stopRoles.has(section.role)) return false;
    const isPlace = concept !== undefined && placeConcepts.has(concept);
    return isPlace || cell.segments.some((segment) => entitiesIn[segment.index]?.some(({ type }) => type === "Place"));
  });
}

/** Returns the rows with their cells by column. Cells in other columns are omitted. */
export function rowsUnder(rows: readonly Cell[][], columns: readonly Column[]): Row[] {
  const known = new Set(columns.map(({ index }) => index));
  return rows.map(
    (cells) => new Map(cells.filter(({ column }) => known.has(column)).map((cell) => [cell.column, cell])),
  );
}

/** Rows of totals and notes fill few columns, and rarely those of stops. */
function describesOrder(row: Row, columns: readonly Column[]): boolean {
  const ofStops = columns.filter(({ index, section }) => row.has(index) && section && stopRoles.has(section.role));
  return ofStops.length >= 2 || row.size * 2 > columns.length;
}

const mostKinds = 0.8;

function namesStopTypes({ index }: Column, body: readonly Row[], languages: readonly string[]): boolean {
  const cells = body.flatMap((row) => row.get(index) ?? []);
  const roles = cells.flatMap((cell) => kindIn(cell, languages)?.role ?? []);
  return new Set(roles).size > 1 && roles.length >= mostKinds * body.length;
}

/** Returns the type of stop that a cell names ("Loading 2"), if it contains no other words. */
export function kindIn(
  { text, segments }: Cell,
  languages: readonly string[],
): { role: Role; concept: ConceptId } | undefined {
  const whole = segments.map((segment) => segment.text).join("");
  return kindOf(text, languages) ?? (segments.length > 1 ? kindOf(whole, languages) : undefined);
}

function kindOf(text: string, languages: readonly string[]): { role: Role; concept: ConceptId } | undefined {
  const hits = findLabels(text).filter(
    (hit) =>
      stopRoles.has(openers[hit.concept] as Role) &&
      (languages.length === 0 || hit.languages.some((each) => languages.includes(each)) || hit.end - hit.start > 3),
  );
  const [best] = hits.toSorted((a, b) => b.weight - a.weight);
  const alike = hits.filter(({ concept }) => best && openers[concept] === openers[best.concept]);
  const rest = alike.reduce(
    (left, { start, end }) => left.slice(0, start) + " ".repeat(end - start) + left.slice(end),
    text,
  );
  return best && !/\p{L}/u.test(rest) ? { role: openers[best.concept] as Role, concept: best.concept } : undefined;
}

function grouped(list: OrderList, body: readonly Row[]): RowOrder[] {
  const number = numberOf(list.columns, body);
  const orders: RowOrder[] = [];
  const byNumber = new Map<string, RowOrder>();
  for (const row of body) {
    const printed = number && row.get(number.index)?.text;
    const same = printed ? byNumber.get(printed) : list.kinds ? orders.at(-1) : undefined;
    if (same) {
      same.rows.push(row);
      continue;
    }
    const order = { list, rows: [row] };
    orders.push(order);
    if (printed) byNumber.set(printed, order);
  }
  return orders;
}
