import { countryOf } from "../lexicon/countries.ts";
import type { Decimal } from "../entities/numbers.ts";
import { dayIn, dayOrderOf, decimalOf, figureIn, looksLikePlate, timeIn, type DayOrder } from "./values.ts";
import { headingScores, kindOfProduct, typeIn, type Field } from "./words.ts";

export type Row = readonly string[];

/** How the rows of a statement are to be read. It is plain data: a reader that was stopped goes on with it. */
export interface Layout {
  /** The heading row as it stands, so that it is known when it comes again; empty where there is none. */
  heading: string[];
  /** Where each field stands. */
  columns: Partial<Record<Field, number>>;
  decimal: Decimal;
  dayOrder: DayOrder;
  /** Said in a heading: `Netto EUR`. */
  currency?: string;
}

const numeric: ReadonlySet<Field> = new Set([
  "quantity",
  "unitPrice",
  "netAmount",
  "vatAmount",
  "grossAmount",
  "odometer",
  "latitude",
  "longitude",
]);
const amounts: readonly Field[] = ["grossAmount", "netAmount", "quantity"];
/** So many rows of the beginning are looked at. */
export const sampleRows = 300;
const maxHeadingRows = 80;
/** A heading scored lower is none. */
const minScore = 0.5;
/** A wider row is none of a statement. */
const maxColumns = 300;
/** A row with fewer columns that say what they are is no heading. */
const minHeadings = 3;

/** Whether a row heads columns: how many of its cells do, and how clearly. */
export function headingStrength(row: Row): number {
  if (row.length > maxColumns) return 0;
  const fields = new Set<string>();
  let strength = 0;
  for (const cell of row) {
    if (cell.trim() === "" || /^[-\d.,\s:/]+$/.test(cell)) continue;
    const best = [...headingScores(cell)].filter(([, score]) => score >= minScore).sort((a, b) => b[1] - a[1])[0];
    if (!best || fields.has(best[0])) continue;
    if (best[0] !== "other") fields.add(best[0]);
    strength += best[0] === "other" ? 0.3 : Math.min(1, best[1]);
  }
  return fields.size >= minHeadings ? strength : 0;
}

/**
 * Finds out how rows are to be read: by the clearest heading row and, where headings fail, by what the columns hold.
 * Undefined where nothing tells a day and an amount.
 */
export function layoutOf(
  rows: readonly Row[],
  usual: { decimal: Decimal },
): { layout: Layout; headingAt: number } | undefined {
  const candidates = rows.slice(0, maxHeadingRows).map((row, at) => ({ at, strength: headingStrength(row) }));
  const best = candidates.reduce((one, other) => (other.strength > one.strength ? other : one), {
    at: -1,
    strength: 0,
  });
  const heading = rows[best.at] ?? [];
  const below = rows.slice(best.at + 1, best.at + 1 + sampleRows);
  const layout = layoutBelow(heading, below, usual);
  return layout && { layout, headingAt: best.at };
}

/** The same below a heading that is known. */
export function layoutBelow(heading: Row, below: readonly Row[], usual: { decimal: Decimal }): Layout | undefined {
  const width = Math.max(heading.length, ...below.map((row) => row.length), 0);
  if (width > maxColumns) return undefined;
  const cells = Array.from({ length: width }, (_, column) =>
    below.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== ""),
  );
  const dayOrder = dayOrderOf(cells.flat());
  const decimal = decimalOf(cells.filter((column) => isNumeric(column, usual.decimal)).flat(), usual.decimal);
  const seen = cells.map((column) => contentOf(column, decimal, dayOrder));
  const columns = assigned(heading, cells, seen);
  fillIn(columns, heading, cells, seen, decimal);
  const hasDay = columns.date !== undefined || columns.dateTime !== undefined;
  const hasAmount = amounts.some((field) => columns[field] !== undefined);
  if (!hasDay || !hasAmount) return undefined;
  const currency = columns.currency === undefined ? currencyOfHeadings(heading, columns) : undefined;
  return { heading: [...heading], columns, decimal, dayOrder, ...(currency && { currency }) };
}

/** Shares of a column's cells that are of a sort. */
interface Content {
  filled: number;
  days: number;
  dayTimes: number;
  times: number;
  figures: number;
  plates: number;
  currencies: number;
  countries: number;
  products: number;
  types: number;
  letters: number;
  longDigits: number;
}

const share = (cells: readonly string[], is: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(is).length / cells.length;

function contentOf(all: readonly string[], decimal: Decimal, order: DayOrder): Content {
  const cells = all.slice(0, 100);
  return {
    filled: cells.length,
    days: share(cells, (cell) => dayIn(cell, order) !== undefined),
    dayTimes: share(cells, (cell) => dayIn(cell, order)?.time !== undefined),
    times: share(cells, (cell) => timeIn(cell) !== undefined),
    figures: share(cells, (cell) => figureIn(cell, decimal) !== undefined),
    plates: share(cells, looksLikePlate),
    currencies: share(cells, isCurrency),
    countries: share(cells, (cell) => cell.length <= 40 && countryOf(cell) !== undefined),
    products: share(cells, (cell) => /\p{L}/u.test(cell) && kindOfProduct(cell) !== undefined),
    types: share(cells, (cell) => /\p{L}/u.test(cell) && typeIn(cell) !== undefined),
    letters: share(cells, (cell) => /\p{L}{2}/u.test(cell)),
    longDigits: share(cells, (cell) => /\d{4}/.test(cell.replace(/[\s.-]/g, ""))),
  };
}

const isNumeric = (cells: readonly string[], decimal: Decimal) =>
  share(cells.slice(0, 100), (cell) => figureIn(cell, decimal) !== undefined && /[.,]\d/.test(cell)) > 0.5 &&
  share(cells.slice(0, 100), (cell) => dayIn(cell, "DayFirst") !== undefined) < 0.5;

const currencies = new Set(Intl.supportedValuesOf("currency"));
const isCurrency = (cell: string) =>
  /^[A-Z]{3}$/.test(cell) ? currencies.has(cell) : /^(?:€|£|zł|kč|ft|lei|лв\.?|грн\.?)$/iu.test(cell);

/** How far what a column holds is fit for a field, 0 to 1. Of an empty column nobody knows. */
function fitness(field: Field, seen: Content): number {
  if (seen.filled === 0) return 0.5;
  if (numeric.has(field)) return seen.figures;
  return fits[field]?.(seen) ?? (seen.days > 0.8 ? 0.2 : 0.9);
}

const words = ({ letters }: Content) => Math.max(0.4, letters);

const fits: Partial<Record<Field, (seen: Content) => number>> = {
  dateTime: ({ dayTimes }) => dayTimes,
  date: ({ days }) => days,
  time: ({ times }) => times,
  currency: ({ currencies: found }) => found,
  countryCode: ({ countries }) => countries,
  licensePlate: ({ plates, days, longDigits }) => Math.max(plates, days > 0.5 ? 0 : 0.25 * longDigits),
  cardNumber: ({ longDigits }) => longDigits,
  vin: ({ longDigits }) => longDigits,
  productName: ({ letters, products }) => Math.max(letters, products),
  station: words,
  city: words,
  driver: words,
  kind: words,
  type: (seen) => (seen.types > 0 ? words(seen) : words(seen) * (1 - seen.products)),
};

const minFitness = 0.3;

/** Each field the column whose heading and content speak for it most; each column one field. */
function assigned(heading: Row, cells: readonly string[][], seen: readonly Content[]): Layout["columns"] {
  const claims = heading.flatMap((text, column) => {
    const scores = headingScores(text);
    const other = scores.get("other") ?? 0;
    return [...scores].flatMap(([field, score]) => {
      if (field === "other" || score < minScore || other > score) return [];
      const fit = fitness(field, seen[column]!);
      return fit < minFitness ? [] : [{ field, column, worth: score * (0.5 + fit / 2) }];
    });
  });
  const columns: Layout["columns"] = {};
  const taken = new Set<number>();
  for (const { field, column } of claims.sort((a, b) => b.worth - a.worth || a.column - b.column)) {
    if (columns[field] !== undefined || taken.has(column)) continue;
    if (field === "date" && columns.dateTime !== undefined) continue;
    columns[field] = column;
    taken.add(column);
  }
  return columns;
}

/** Fields that no heading tells are found by what the columns left over hold. */
function fillIn(
  columns: Layout["columns"],
  heading: Row,
  cells: readonly string[][],
  seen: readonly Content[],
  decimal: Decimal,
): void {
  const free = (column: number) =>
    !Object.values(columns).includes(column) && !headingScores(heading[column] ?? "").has("other");
  const take = (field: Field, worth: (content: Content) => number, least: number) => {
    if (columns[field] !== undefined) return;
    const best = seen
      .map((content, column) => ({ column, worth: content.filled > 0 && free(column) ? worth(content) : 0 }))
      .sort((a, b) => b.worth - a.worth)[0];
    if (best && best.worth >= least) columns[field] = best.column;
  };
  if (columns.date === undefined) take("dateTime", ({ dayTimes }) => dayTimes, 0.7);
  if (columns.dateTime === undefined) take("date", ({ days }) => days, 0.7);
  if (columns.dateTime !== undefined) delete columns.date;
  if (columns.date !== undefined && (seen[columns.date]?.dayTimes ?? 0) < 0.5)
    take("time", ({ times, figures, longDigits }) => (figures > 0.9 && longDigits > 0.9 ? 0 : times), 0.8);
  take("currency", ({ currencies: found }) => found, 0.8);
  take("licensePlate", ({ plates, days }) => plates - days, 0.6);
  take("productName", ({ products, figures }) => products - figures, 0.4);
  take("countryCode", ({ countries, currencies: found }) => countries - found, 0.8);
  if (amounts.every((field) => columns[field] === undefined)) fillInAmounts(columns, cells, free, seen, decimal);
}

/** Columns of figures that are compared with each other, three by three: no statement has more. */
const maxFigureColumns = 30;

/** Three columns of which the third is the first two together are net, VAT and gross. */
function fillInAmounts(
  columns: Layout["columns"],
  cells: readonly string[][],
  free: (column: number) => boolean,
  seen: readonly Content[],
  decimal: Decimal,
): void {
  const left = seen
    .flatMap((content, column) => (content.figures > 0.8 && content.days < 0.5 && free(column) ? [column] : []))
    .slice(0, maxFigureColumns);
  const values = new Map(
    left.map((column) => [column, cells[column]!.slice(0, 50).map((cell) => figureIn(cell, decimal)?.value ?? NaN)]),
  );
  const rows = (column: number) => values.get(column)!;
  const agree = (test: (at: number) => boolean, count: number) =>
    count > 0 && Array.from({ length: count }, (_, at) => at).filter(test).length >= 0.8 * count;
  for (const net of left)
    for (const vat of left)
      for (const gross of left) {
        if (new Set([net, vat, gross]).size < 3 || Math.abs(rows(vat)[0] ?? 0) > Math.abs(rows(net)[0] ?? 0)) continue;
        const isSumOf = (at: number) => Math.abs(rows(net)[at]! + rows(vat)[at]! - rows(gross)[at]!) < 0.02;
        if (!agree(isSumOf, Math.min(rows(net).length, rows(vat).length, rows(gross).length))) continue;
        Object.assign(columns, { netAmount: net, vatAmount: vat, grossAmount: gross });
        return fillInQuantity(columns, left, rows, agree);
      }
  const decimals = left.filter((column) => cells[column]!.some((cell) => /[.,]\d\d$/.test(cell)));
  const last = decimals.at(-1);
  if (last !== undefined) columns.grossAmount = last;
}

/** Two columns whose product is the net or the gross amount are quantity and price. */
function fillInQuantity(
  columns: Layout["columns"],
  left: readonly number[],
  rows: (column: number) => number[],
  agree: (test: (at: number) => boolean, count: number) => boolean,
): void {
  const known = new Set(Object.values(columns));
  const rest = left.filter((column) => !known.has(column));
  for (const quantity of rest)
    for (const price of rest) {
      if (quantity === price || (rows(quantity)[0] ?? 0) < (rows(price)[0] ?? 0)) continue;
      for (const amount of [columns.netAmount!, columns.grossAmount!]) {
        const isProduct = (at: number) =>
          Math.abs(rows(quantity)[at]! * rows(price)[at]! - rows(amount)[at]!) <=
          Math.max(0.05, Math.abs(rows(amount)[at]!) * 0.01);
        if (!agree(isProduct, Math.min(rows(quantity).length, rows(price).length))) continue;
        Object.assign(columns, { quantity, unitPrice: price });
        return;
      }
    }
}

function currencyOfHeadings(heading: Row, columns: Layout["columns"]): string | undefined {
  for (const field of ["grossAmount", "netAmount", "unitPrice"] as const) {
    const text = heading[columns[field] ?? -1] ?? "";
    const code = text.match(/\b[A-Z]{3}\b/g)?.find((word) => currencies.has(word));
    if (code) return code;
  }
  return undefined;
}
