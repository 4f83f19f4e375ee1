import { countryOf } from "../../../lexicon/countries.ts";
import { foldName } from "../../../lexicon/fold.ts";
import { currencyOf } from "../../../entities/amounts.ts";
import type { Decimal } from "../../../entities/numbers.ts";
import { dayIn, dayOrderOf, decimalOf, figureIn, timeIn, type DayOrder } from "../../../statements/values.ts";
import { isSum } from "../../../statements/words.ts";
import type { FineView } from "../view.ts";
import said from "./columns.json" with { type: "json" };

/** What a column of a list of fines may hold. */
type Column = keyof typeof said;

const columnOf = new Map(
  (Object.entries(said) as [Column, string[]][]).flatMap(([column, headings]) =>
    headings.map((heading) => [foldName(heading), column] as const),
  ),
);

/** A fine as a row of a list tells it; days that the authority sets beside those of a notice. */
export interface ListedFine extends Omit<FineView, "measuredSpeed" | "speedLimit"> {
  countryCode?: string;
  /** What stands where the day of the offence should and is none. */
  offenceSaid?: string;
  appealUntil?: string;
  driverStatementUntil?: string;
}

/** What a row of a list came to: a fine, or nothing but words such as a sum below the others. */
export type Row = readonly string[];

/** How the rows of a list are to be read. */
interface Layout {
  columns: Partial<Record<Column, number>>;
  decimal: Decimal;
  dayOrder: DayOrder;
  currency?: string;
}

/** Rows at the beginning among which the heading stands. */
export const mostHeadingRows = 40;
/** Fewer columns that are known make no list of fines. */
const leastColumns = 3;
const longestHeading = 60;
const longestText = 300;

/** How many of a row's cells head columns that are known, each once. */
export const headingsIn = (row: Row): number => new Set(row.flatMap((cell) => headingOf(cell) ?? [])).size;

/**
 * The fines in the rows of a list, in any language and order of its columns. Undefined where no row heads a column of plates
 * or case numbers.
 * @param usual the decimal sign where no amount tells it
 */
export function finesIn(rows: readonly Row[], usual: Decimal): ListedFine[] | undefined {
  const heads = rows.slice(0, mostHeadingRows).map(headingsIn);
  const at = heads.indexOf(Math.max(0, ...heads));
  const heading = rows[at];
  if (!heading || heads[at]! < leastColumns) return undefined;
  const below = rows.slice(at + 1);
  const layout = layoutOf(heading, below, usual);
  const { licensePlate, reference } = layout.columns;
  if (licensePlate === undefined && reference === undefined) return undefined;
  return below.flatMap((row) => (headingsIn(row) >= leastColumns ? [] : (fineIn(row, layout) ?? [])));
}

/** A heading may say its currency, or the same in another language behind a stroke. */
function headingOf(cell: string): Column | undefined {
  if (cell.length > longestHeading) return undefined;
  const bare = cell.replace(/[([][^)\]]*[)\]]/g, " ");
  return [cell, bare, ...bare.split(/[/|\n]/)].map((text) => columnOf.get(wordsOf(text))).find(Boolean);
}

const wordsOf = (text: string) =>
  foldName(
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .replace(/[_\-.:'’#°]/g, " ")
      .replace(/\b(?:EUR|PLN|CZK|GBP|HUF|RON|CHF|SEK|DKK|NOK|BGN|UAH)\b|[€$£]/g, " "),
  ).trim();

function layoutOf(heading: Row, below: readonly Row[], usual: Decimal): Layout {
  const columns: Layout["columns"] = {};
  for (const [at, cell] of heading.entries()) {
    const column = headingOf(cell);
    if (column !== undefined) columns[column] ??= at;
  }
  const cellsOf = (...names: Column[]) =>
    names.flatMap((name) => (columns[name] === undefined ? [] : below.map((row) => row[columns[name]!] ?? "")));
  const currency = currencyOf(/\b[A-Z]{3}\b|[€$£]/.exec(heading[columns.amount ?? -1] ?? "")?.[0] ?? "");
  return {
    columns,
    decimal: decimalOf(cellsOf("amount", "discountedAmount"), usual),
    dayOrder: dayOrderOf(cellsOf("date", "dateTime", "dueDate")),
    ...(currency && { currency }),
  };
}

/** Undefined for a row without plate and number. */
function fineIn(row: Row, { columns, decimal, dayOrder, currency }: Layout): ListedFine | undefined {
  const cell = (column: Column) => {
    const text = clean(row[columns[column] ?? -1] ?? "");
    return text === "" ? undefined : text;
  };
  const [licensePlate, reference] = [plateOf(cell("licensePlate")), cell("reference")?.slice(0, 100)];
  if (!licensePlate && !reference) return undefined;
  const day = (column: Column) => dayIn(cell(column) ?? "", dayOrder)?.day;
  const amount = figureIn(cell("amount") ?? "", decimal);
  const less = figureIn(cell("discountedAmount") ?? "", decimal);
  const country = (column: Column) => countryOf(cell(column) ?? "");
  const isBare = !licensePlate && !day("date") && !day("dateTime");
  if (isBare && (amount === undefined || isSum(reference ?? ""))) return undefined;
  const said = cell("dateTime") ?? cell("date");
  const offenceAt = momentIn(said, cell("time"), dayOrder);
  return given({
    reference,
    authority: cell("authority")?.slice(0, 200),
    offenceAt,
    offenceSaid: offenceAt === undefined ? said?.slice(0, 40) : undefined,
    place: cell("place"),
    countryCode: country("countryCode"),
    offenceType: cell("offenceType")?.slice(0, 100),
    licensePlate,
    plateCountry: country("plateCountry"),
    amount: amount && cents(amount.value),
    currency: currencyOf(cell("currency") ?? "") ?? amount?.currency ?? currency,
    discountedAmount: less && cents(less.value),
    discountUntil: day("discountUntil"),
    dueDate: day("dueDate"),
    appealUntil: day("appealUntil"),
    driverStatementUntil: day("driverStatementUntil"),
    iban: cell("iban")?.replace(/\s/g, "").slice(0, 50),
    paymentReference: cell("paymentReference")?.slice(0, 100),
  });
}

const clean = (cell: string) =>
  cell
    .replace(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim()
    .slice(0, longestText);

/** Upper case, without blanks and signs. */
function plateOf(cell = ""): string | undefined {
  const plate = cell
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, "");
  return plate.length >= 2 && plate.length <= 15 ? plate : undefined;
}

const cents = (value: number) => Math.round(Math.abs(value) * 100) / 100;

/** Day and time of one column or two, by the clock there unless an offset is told. */
function momentIn(cell: string | undefined, time: string | undefined, order: DayOrder): string | undefined {
  const told = dayIn(cell ?? "", order);
  if (!told) return undefined;
  const clock = told.time && told.time !== "00:00:00" ? told.time : (timeIn(time ?? "") ?? told.time);
  if (!clock) return told.day;
  return `${told.day}T${clock.replace(/:00$/, "")}${told.offset ?? ""}`;
}

const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
