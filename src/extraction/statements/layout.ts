import { countryOf } from "../lexicon/countries.ts";
import type { Decimal } from "../entities/numbers.ts";
import { dayIn, dayOrderOf, decimalOf, figureIn, looksLikePlate, timeIn, type DayOrder } from "./values.ts";
import { headingScores, kindOfProduct, typeIn, type Field } from "./words.ts";

export type Row = readonly string[];

/** How the rows of a statement are parsed. It is stored, so that an interrupted import can continue. */
export interface Layout {
  /** The heading row, by which its repetitions are recognised; empty if there is none. */
  heading: string[];
  columns: Partial<Record<Field, number>>;
  decimal: Decimal;
  dayOrder: DayOrder;
  /** The currency in a heading such as `Netto EUR`. */
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
/** Number of rows from which the layout is detected. */
export const sampleRows = 300;
const maxHeadingRows = 80;
const maxColumns = 300;
const [sampleCells, sampleAmounts] = [100, 50];

/** Scores and shares from 0 to 1, set by hand. */
const scores = {
  /**
   * `cell`: minimum score of a cell. `columns`: minimum number of fields that a heading row names. `other`: score of a
   * heading that names no field.
   */
  heading: { cell: 0.5, columns: 3, other: 0.3 },
  /**
   * Shares of a column's cells that decide what it contains: a column with more than `most` dates is a column of dates.
   * `most` is also the share of rows whose amounts must agree.
   */
  most: 0.8,
  half: 0.5,
  /**
   * How well a column fits a field. `empty`: the column is empty. `words`: the field is text, but the column has no
   * letters. `days`, `other`: any further field, if the column contains dates or not. `digitsAsPlate`: the field is a
   * plate, and the column has numbers. Below `least`, a column does not fit.
   */
  fitness: { least: 0.3, empty: 0.5, words: 0.4, days: 0.2, other: 0.9, digitsAsPlate: 0.25 },
  /** Minimum shares of matching cells, for fields without a heading. */
  unnamed: { day: 0.7, time: 0.8, currency: 0.8, plate: 0.6, product: 0.4, country: 0.8 },
  /** If more than this share of the cells have four consecutive digits, a column does not contain times. */
  digitsOnly: 0.9,
};

/**
 * Accepted rounding differences of a sum and of a product; of the latter, the larger one of `product` and
 * `productShare`, which is relative.
 */
const rounding = { sum: 0.02, product: 0.05, productShare: 0.01 };

/** Returns the sum of the scores of the cells as headings; 0 if they name too few fields. */
export function headingStrength(row: Row): number {
  if (row.length > maxColumns) return 0;
  const fields = new Set<string>();
  let strength = 0;
  for (const cell of row) {
    if (cell.trim() === "" || /^[-\d.,\s:/]+$/.test(cell)) continue;
    const best = [...headingScores(cell)]
      .filter(([, score]) => score >= scores.heading.cell)
      .sort((a, b) => b[1] - a[1])[0];
    if (!best || fields.has(best[0])) continue;
    if (best[0] !== "other") fields.add(best[0]);
    strength += best[0] === "other" ? scores.heading.other : Math.min(1, best[1]);
  }
  return fields.size >= scores.heading.columns ? strength : 0;
}

/**
 * Detects the layout from the clearest heading row and from the content of the columns. Returns undefined if no column
 * contains dates, or none contains amounts or quantities.
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

/** Detects the layout of the rows below a heading; undefined as for {@link layoutOf}. */
export function layoutBelow(heading: Row, below: readonly Row[], usual: { decimal: Decimal }): Layout | undefined {
  const width = Math.max(heading.length, ...below.map((row) => row.length), 0);
  if (width > maxColumns) return undefined;
  const cells = Array.from({ length: width }, (_, column) =>
    below.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== ""),
  );
  const dayOrder = dayOrderOf(cells.flat());
  const decimal = decimalOf(cells.filter((column) => isNumeric(column, usual.decimal)).flat(), usual.decimal);
  const seen = cells.map((column) => contentOf(column, decimal, dayOrder));
  const columns = assigned(heading, seen);
  fillIn(columns, heading, cells, seen, decimal);
  const hasDay = columns.date !== undefined || columns.dateTime !== undefined;
  const hasAmount = amounts.some((field) => columns[field] !== undefined);
  if (!hasDay || !hasAmount) return undefined;
  const currency = columns.currency === undefined ? currencyOfHeadings(heading, columns) : undefined;
  return { heading: [...heading], columns, decimal, dayOrder, ...(currency && { currency }) };
}

/** `filled` is a number of cells. All others are shares of these cells. */
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
  const cells = all.slice(0, sampleCells);
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
  share(cells.slice(0, sampleCells), (cell) => figureIn(cell, decimal) !== undefined && /[.,]\d/.test(cell)) >
    scores.half && share(cells.slice(0, sampleCells), (cell) => dayIn(cell, "DayFirst") !== undefined) < scores.half;

const currencies = new Set(Intl.supportedValuesOf("currency"));
const isCurrency = (cell: string) =>
  /^[A-Z]{3}$/.test(cell) ? currencies.has(cell) : /^(?:€|£|zł|kč|ft|lei|лв\.?|грн\.?)$/iu.test(cell);

/** Returns a number from 0 to 1. */
function fitness(field: Field, seen: Content): number {
  if (seen.filled === 0) return scores.fitness.empty;
  if (numeric.has(field)) return seen.figures;
  return fits[field]?.(seen) ?? (seen.days > scores.most ? scores.fitness.days : scores.fitness.other);
}

const words = ({ letters }: Content) => Math.max(scores.fitness.words, letters);

const fits: Partial<Record<Field, (seen: Content) => number>> = {
  dateTime: ({ dayTimes }) => dayTimes,
  date: ({ days }) => days,
  time: ({ times }) => times,
  currency: ({ currencies: found }) => found,
  countryCode: ({ countries }) => countries,
  licensePlate: ({ plates, days, longDigits }) =>
    Math.max(plates, days > scores.half ? 0 : scores.fitness.digitsAsPlate * longDigits),
  cardNumber: ({ longDigits }) => longDigits,
  vin: ({ longDigits }) => longDigits,
  productName: ({ letters, products }) => Math.max(letters, products),
  station: words,
  city: words,
  driver: words,
  kind: words,
  type: (seen) => (seen.types > 0 ? words(seen) : words(seen) * (1 - seen.products)),
};

function assigned(heading: Row, seen: readonly Content[]): Layout["columns"] {
  const claims = heading.flatMap((text, column) => {
    const scoresByField = headingScores(text);
    const other = scoresByField.get("other") ?? 0;
    return [...scoresByField].flatMap(([field, score]) => {
      if (field === "other" || score < scores.heading.cell || other > score) return [];
      const fit = fitness(field, seen[column]!);
      return fit < scores.fitness.least ? [] : [{ field, column, worth: score * (1 + fit) }];
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
  const { unnamed, digitsOnly } = scores;
  if (columns.date === undefined) take("dateTime", ({ dayTimes }) => dayTimes, unnamed.day);
  if (columns.dateTime === undefined) take("date", ({ days }) => days, unnamed.day);
  if (columns.dateTime !== undefined) delete columns.date;
  if (columns.date !== undefined && (seen[columns.date]?.dayTimes ?? 0) < scores.half)
    take(
      "time",
      ({ times, figures, longDigits }) => (figures > digitsOnly && longDigits > digitsOnly ? 0 : times),
      unnamed.time,
    );
  take("currency", ({ currencies: found }) => found, unnamed.currency);
  take("licensePlate", ({ plates, days }) => plates - days, unnamed.plate);
  take("productName", ({ products, figures }) => products - figures, unnamed.product);
  take("countryCode", ({ countries, currencies: found }) => countries - found, unnamed.country);
  if (amounts.every((field) => columns[field] === undefined)) fillInAmounts(columns, cells, free, seen, decimal);
}

const maxFigureColumns = 30;

/** Net + VAT = gross identifies three columns. Otherwise, the last column with decimals is the gross amount. */
function fillInAmounts(
  columns: Layout["columns"],
  cells: readonly string[][],
  free: (column: number) => boolean,
  seen: readonly Content[],
  decimal: Decimal,
): void {
  const left = seen
    .flatMap((content, column) =>
      content.figures > scores.most && content.days < scores.half && free(column) ? [column] : [],
    )
    .slice(0, maxFigureColumns);
  const values = new Map(
    left.map((column) => [
      column,
      cells[column]!.slice(0, sampleAmounts).map((cell) => figureIn(cell, decimal)?.value ?? NaN),
    ]),
  );
  const rows = (column: number) => values.get(column)!;
  const agree = (test: (at: number) => boolean, count: number) =>
    count > 0 && Array.from({ length: count }, (_, at) => at).filter(test).length >= scores.most * count;
  for (const net of left)
    for (const vat of left)
      for (const gross of left) {
        if (new Set([net, vat, gross]).size < 3 || Math.abs(rows(vat)[0] ?? 0) > Math.abs(rows(net)[0] ?? 0)) continue;
        const isSumOf = (at: number) => Math.abs(rows(net)[at]! + rows(vat)[at]! - rows(gross)[at]!) < rounding.sum;
        if (!agree(isSumOf, Math.min(rows(net).length, rows(vat).length, rows(gross).length))) continue;
        Object.assign(columns, { netAmount: net, vatAmount: vat, grossAmount: gross });
        return fillInQuantity(columns, left, rows, agree);
      }
  const decimals = left.filter((column) => cells[column]!.some((cell) => /[.,]\d\d$/.test(cell)));
  const last = decimals.at(-1);
  if (last !== undefined) columns.grossAmount = last;
}

/** Quantity × unit price = net or gross amount identifies two columns. */
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
          Math.max(rounding.product, Math.abs(rows(amount)[at]!) * rounding.productShare);
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
