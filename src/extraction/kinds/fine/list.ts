import { countryOf } from "../../lexicon/countries.ts";
import { foldName } from "../../lexicon/fold.ts";
import { currencyOf } from "../../entities/amounts.ts";
import type { Decimal } from "../../entities/numbers.ts";
import { dayIn, dayOrderOf, decimalOf, figureIn, timeIn, type DayOrder } from "../../statements/values.ts";
import { isSum } from "../../statements/words.ts";
import type { FineView } from "./view.ts";
import headings from "./list-columns.json" with { type: "json" };
import type { Format } from "../../document/document.ts";
import { likeliestCodePage } from "../../formats/encoding.ts";
import { sniff } from "../../formats/open.ts";
import { ExtractionProblem } from "../../problem.ts";
import { rowsIn, textOf } from "../../statements/index.ts";
import { sheetRows } from "../../statements/sheets.ts";

/** What a column of a list of fines may hold. */
type Column = keyof typeof headings;

const columnOf = new Map(
  (Object.entries(headings) as [Column, string[]][]).flatMap(([column, phrases]) =>
    phrases.map((heading) => [foldName(heading), column] as const),
  ),
);

/** A fine as a row of a list tells it; days that the authority sets beside those of a notice. */
interface ListedFine extends Omit<FineView, "measuredSpeed" | "speedLimit"> {
  countryCode?: string;
  /** What stands where the day of the offence should and is none. */
  offenceSaid?: string;
  appealUntil?: string;
  driverStatementUntil?: string;
}

/** What a row of a list came to: a fine, or nothing but words such as a sum below the others. */
type Row = readonly string[];

/** How the rows of a list are to be read. */
interface Layout {
  columns: Partial<Record<Column, number>>;
  decimal: Decimal;
  dayOrder: DayOrder;
  currency?: string;
}

/** Rows at the beginning among which the heading stands. */
const maxHeadingRows = 40;
/** Fewer columns that are known make no list of fines. */
const minColumns = 3;
const maxHeadingLength = 60;
const maxTextLength = 300;

/** How many of a row's cells head columns that are known, each once. */
const headingsIn = (row: Row): number => new Set(row.flatMap((cell) => headingOf(cell) ?? [])).size;

/**
 * The fines in the rows of a list, in any language and order of its columns. Undefined where no row heads a column of plates
 * or case numbers.
 * @param usual the decimal sign where no amount tells it
 */
function finesIn(rows: readonly Row[], usual: Decimal): ListedFine[] | undefined {
  const heads = rows.slice(0, maxHeadingRows).map(headingsIn);
  const at = heads.indexOf(Math.max(0, ...heads));
  const heading = rows[at];
  if (!heading || heads[at]! < minColumns) return undefined;
  const below = rows.slice(at + 1);
  const layout = layoutOf(heading, below, usual);
  const { licensePlate, reference } = layout.columns;
  if (licensePlate === undefined && reference === undefined) return undefined;
  return below.flatMap((row) => (headingsIn(row) >= minColumns ? [] : (fineIn(row, layout) ?? [])));
}

/** A heading may say its currency, or the same in another language behind a stroke. */
function headingOf(cell: string): Column | undefined {
  if (cell.length > maxHeadingLength) return undefined;
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
  const momentText = cell("dateTime") ?? cell("date");
  const offenceAt = momentIn(momentText, cell("time"), dayOrder);
  return omitUndefined({
    reference,
    authority: cell("authority")?.slice(0, 200),
    offenceAt,
    offenceSaid: offenceAt === undefined ? momentText?.slice(0, 40) : undefined,
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
    .slice(0, maxTextLength);

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
  const moment = dayIn(cell ?? "", order);
  if (!moment) return undefined;
  const clock = moment.time && moment.time !== "00:00:00" ? moment.time : (timeIn(time ?? "") ?? moment.time);
  if (!clock) return moment.day;
  return `${moment.day}T${clock.replace(/:00$/, "")}${moment.offset ?? ""}`;
}

const omitUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };

/** Formats that hold lists. A text holds one where a row of it heads columns. */
const listFormats: readonly Format[] = ["Csv", "Xlsx", "Xls", "Ods"];

const delimiters = [";", "\t", ",", "|"];
/** The delimiter shows in the beginning. */
const beginningLength = 64 * 1024;
/** Rows more than a list of so many fines may have: headings, sums, notes. */
const moreRows = 500;
/** Columns that a row of a text must head to make it a list. */
const surelyHeadings = 3;

/** Whether a file is read as a list of fines, and not as one notice. @param file as it came in, and was not refused */
export function isFineList({ bytes, name }: { bytes: Uint8Array; name: string }): boolean {
  const { format } = sniff(bytes, name);
  return listFormats.includes(format) || (format === "Text" && parted(textOfList(bytes)).headings >= surelyHeadings);
}

/**
 * The fines of a list, row by row.
 * @param most more than these are refused
 * @throws ExtractionProblem `input_not_a_document_of_this_kind`, `no_text_found`, `file_corrupted`, `too_many_pages`
 */
export async function parseFineList(file: { bytes: Uint8Array; name: string }, most: number): Promise<ListedFine[]> {
  const { format } = sniff(file.bytes, file.name);
  const isText = format === "Csv" || format === "Text";
  const { rows, decimal } = isText ? textRows(file.bytes, most) : await bookRows(file.bytes, format, most);
  if (!rows.some((row) => row.some((cell) => cell.trim() !== "")))
    throw new ExtractionProblem("no_text_found", "The file has no rows.");
  const fines = finesIn(rows, decimal);
  if (!fines || fines.length === 0)
    throw new ExtractionProblem(
      "input_not_a_document_of_this_kind",
      "No columns with plates or case numbers of fines were found.",
    );
  if (fines.length > most)
    throw new ExtractionProblem("too_many_pages", `The list has more than ${most} fines. Send it in several files.`);
  return fines;
}

/** Texts of two bytes a letter have zeros among them and say so at their beginning. */
const textOfList = (bytes: Uint8Array) =>
  textOf(bytes, bytes.subarray(0, 2000).includes(0) ? "utf-8" : likeliestCodePage(bytes.subarray(0, 128 * 1024)))
    .replace(/^\uFEFF/, "")
    .replace(/^sep=.\r?\n/i, "");

/** The delimiter whose columns have the clearest headings. */
function parted(text: string): { delimiter: string; headings: number } {
  const beginning = text.slice(0, beginningLength);
  return delimiters
    .map((delimiter) => {
      const { rows } = rowsIn(beginning, { delimiter }, true);
      return { delimiter, headings: Math.max(0, ...rows.slice(0, maxHeadingRows).map(headingsIn)) };
    })
    .reduce((best, next) => (next.headings > best.headings ? next : best));
}

function textRows(bytes: Uint8Array, most: number) {
  const text = textOfList(bytes);
  const { delimiter } = parted(text);
  const { rows } = rowsIn(text, { delimiter }, true);
  return { rows: rows.slice(0, most + moreRows), decimal: delimiter === ";" ? ("," as const) : ("." as const) };
}

async function bookRows(bytes: Uint8Array, format: Format, most: number) {
  const rows: Row[] = [];
  for await (const row of sheetRows(bytes, format)) {
    rows.push(row);
    if (rows.length >= most + moreRows) break;
  }
  return { rows, decimal: "." as const };
}
