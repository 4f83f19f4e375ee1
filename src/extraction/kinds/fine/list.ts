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

type Column = keyof typeof headings;

const columnOf = new Map(
  (Object.entries(headings) as [Column, string[]][]).flatMap(([column, phrases]) =>
    phrases.map((heading) => [foldName(heading), column] as const),
  ),
);

/** Unlike a notice, a list may give a country and a deadline for the appeal. */
interface ListedFine extends Omit<FineView, "measuredSpeed" | "speedLimit"> {
  countryCode?: string;
  /** The text in the date column if it is not a date. */
  offenceSaid?: string;
  appealUntil?: string;
  driverStatementUntil?: string;
}

type Row = readonly string[];

interface Layout {
  columns: Partial<Record<Column, number>>;
  decimal: Decimal;
  dayOrder: DayOrder;
  currency?: string;
}

const maxHeadingRows = 40;
const minColumns = 3;
const maxHeadingLength = 60;
const maxTextLength = 300;

const countHeadings = (row: Row): number => new Set(row.flatMap((cell) => headingOf(cell) ?? [])).size;

/**
 * The columns may have any language and order. Undefined if no row has enough known headings, or the list has neither
 * plates nor case numbers.
 * @param usual the decimal separator that is assumed if no amount shows it
 */
function finesIn(rows: readonly Row[], usual: Decimal): ListedFine[] | undefined {
  const heads = rows.slice(0, maxHeadingRows).map(countHeadings);
  const at = heads.indexOf(Math.max(0, ...heads));
  const heading = rows[at];
  if (!heading || heads[at]! < minColumns) return undefined;
  const below = rows.slice(at + 1);
  const layout = layoutOf(heading, below, usual);
  const { licensePlate, reference } = layout.columns;
  if (licensePlate === undefined && reference === undefined) return undefined;
  return below.flatMap((row) => (countHeadings(row) >= minColumns ? [] : (fineIn(row, layout) ?? [])));
}

/** The heading may be "Amount (EUR)" or "Betrag / Amount". */
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

/**
 * Undefined if the row has neither plate nor case number. A row without plate and date is a fine only if it has an
 * amount and is not a total.
 */
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

function plateOf(cell = ""): string | undefined {
  const plate = cell
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, "");
  return plate.length >= 2 && plate.length <= 15 ? plate : undefined;
}

const cents = (value: number) => Math.round(Math.abs(value) * 100) / 100;

/** The time is local unless an offset is printed. */
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

/** Formats that are always lists. A plain text is a list only if one of its rows has enough headings. */
const listFormats: readonly Format[] = ["Csv", "Xlsx", "Xls", "Ods"];

const delimiters = [";", "\t", ",", "|"];
const beginningLength = 64 * 1024;
/** Maximum number of rows that are not fines: headings, sums, notes. */
const moreRows = 500;
const minHeadingsInText = 3;

/** Whether an accepted file is a list of fines and not a notice of one fine. */
export function isFineList({ bytes, name }: { bytes: Uint8Array; name: string }): boolean {
  const { format } = sniff(bytes, name);
  return (
    listFormats.includes(format) ||
    (format === "Text" && splitByHeadings(textOfList(bytes)).headings >= minHeadingsInText)
  );
}

/**
 * Extracts the fines of a list, in the order of its rows.
 * @param max maximum number of fines; a list with more is refused
 * @throws ExtractionProblem `input_not_a_document_of_this_kind`, `no_text_found`, `file_corrupted`, `too_many_pages`
 */
export async function parseFineList(file: { bytes: Uint8Array; name: string }, max: number): Promise<ListedFine[]> {
  const { format } = sniff(file.bytes, file.name);
  const isText = format === "Csv" || format === "Text";
  const { rows, decimal } = isText ? textRows(file.bytes, max) : await bookRows(file.bytes, format, max);
  if (!rows.some((row) => row.some((cell) => cell.trim() !== "")))
    throw new ExtractionProblem("no_text_found", "The file has no rows.");
  const fines = finesIn(rows, decimal);
  if (!fines || fines.length === 0)
    throw new ExtractionProblem(
      "input_not_a_document_of_this_kind",
      "No fines were found. The list needs a heading over its column of plates or case numbers.",
    );
  if (fines.length > max)
    throw new ExtractionProblem("too_many_pages", `The list has more than ${max} fines. Send it in several files.`);
  return fines;
}

/**
 * Text with zero bytes is UTF-16, which `textOf` recognises. The code page of other text is determined here, in case it
 * is not UTF-8.
 */
const textOfList = (bytes: Uint8Array) =>
  textOf(bytes, bytes.subarray(0, 2000).includes(0) ? "utf-8" : likeliestCodePage(bytes.subarray(0, 128 * 1024)))
    .replace(/^\uFEFF/, "")
    .replace(/^sep=.\r?\n/i, "");

function splitByHeadings(text: string): { delimiter: string; headings: number } {
  const beginning = text.slice(0, beginningLength);
  return delimiters
    .map((delimiter) => {
      const { rows } = rowsIn(beginning, { delimiter }, true);
      return { delimiter, headings: Math.max(0, ...rows.slice(0, maxHeadingRows).map(countHeadings)) };
    })
    .reduce((best, next) => (next.headings > best.headings ? next : best));
}

function textRows(bytes: Uint8Array, max: number) {
  const text = textOfList(bytes);
  const { delimiter } = splitByHeadings(text);
  const { rows } = rowsIn(text, { delimiter }, true);
  return { rows: rows.slice(0, max + moreRows), decimal: delimiter === ";" ? ("," as const) : ("." as const) };
}

async function bookRows(bytes: Uint8Array, format: Format, max: number) {
  const rows: Row[] = [];
  for await (const row of sheetRows(bytes, format)) {
    rows.push(row);
    if (rows.length >= max + moreRows) break;
  }
  return { rows, decimal: "." as const };
}
