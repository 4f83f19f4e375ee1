import {
  type Cell as StyledCell,
  type CellValue,
  type MergeRange,
  type Sheet,
  type Workbook,
  readOds,
  readXls,
  readXlsx,
} from "hucre";
import { ExtractionProblem } from "../problem.ts";
import { embeddedPictures } from "./embedded-pictures.ts";
import type { InputFile, Reader, ReaderContext, ReaderOutput } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";
import { checkZip, testZip } from "./zip.ts";
import type { Block, Cell } from "./blocks.ts";
import { tooManyWords } from "./page-builder.ts";

const maxRows = 20_000;
/**
 * The library hucre returns full rectangles of cells, so without `range`, a single cell in the far corner could exhaust
 * the memory.
 */
const options = { readStyles: true, range: `A1:IV${maxRows}`, sheets: isShown };

export const readXlsxBook: Reader = (file, context) => readZipped(file, context, readXlsx);
export const readOdsBook: Reader = (file, context) => readZipped(file, context, readOds);
export const readXlsBook: Reader = async (file, context) => openBook(await parse(file.bytes, readXls), context);

type BookParser = (bytes: Uint8Array, settings: typeof options) => Promise<Workbook>;

async function readZipped(file: InputFile, context: ReaderContext, parser: BookParser): Promise<ReaderOutput> {
  const entries = checkZip(file.bytes, context.limits);
  testZip(file.bytes, entries, context);
  const book = openBook(await parse(file.bytes, parser), context);
  return { ...book, embedded: embeddedPictures(file.bytes, entries, book.pages, context) };
}

async function parse(bytes: Uint8Array, parser: BookParser): Promise<Workbook> {
  try {
    return await parser(new Uint8Array(bytes), options);
  } catch (cause) {
    if (cause instanceof Error && /encrypt|password|decrypt/i.test(`${cause.name} ${cause.message}`)) {
      throw new ExtractionProblem("file_encrypted", "The workbook is protected by a password.");
    }
    throw new ExtractionProblem("file_corrupted", "The workbook is damaged and cannot be read.");
  }
}

function openBook(book: Workbook, context: ReaderContext): ReaderOutput {
  const sheets = book.sheets.filter(isShown);
  const pages = sheets.flatMap((sheet) => layOutBlocks(sheetBlocks(sheet, context), context, "Cell"));
  const filled = pages.filter((page) => page.tokens.length > 0);
  const cut = sheets.filter((sheet) => sheet.rows.length >= maxRows);
  return {
    pages: filled.length > 0 ? filled : pages.slice(0, 1),
    warnings: cut.map((sheet) => `Sheet ${sheet.name} was read up to row ${maxRows}.`),
  };
}

export function isShown(sheet: { hidden?: boolean; veryHidden?: boolean }): boolean {
  return !sheet.hidden && !sheet.veryHidden;
}

function sheetBlocks(sheet: Sheet, context: ReaderContext): Block[] {
  const covered = new Map((sheet.merges ?? []).map((merge) => [`${merge.startRow},${merge.startCol}`, merge]));
  const rows: Cell[][] = [];
  let filled = 0;
  sheet.rows.forEach((values, row) => {
    if (row % 500 === 0) context.budget.check();
    if (sheet.rowDefs?.get(row)?.hidden) return;
    const cells = values.flatMap((value, column) => cellAt(sheet, row, column, value, covered));
    filled += cells.length;
    if (filled > context.limits.words) throw tooManyWords(context);
    // Of several empty rows in succession, one is kept, to separate the rows above and below.
    if (cells.length > 0 || (rows.at(-1)?.length ?? 0) > 0) rows.push(cells);
  });
  const boxes = (sheet.textBoxes ?? []).map((box) => paragraph(box.text, box.style?.bold ?? false));
  return [{ kind: "Table", rows }, ...boxes];
}

function cellAt(sheet: Sheet, row: number, column: number, value: CellValue, covered: Map<string, MergeRange>): Cell[] {
  if (sheet.columns?.[column]?.hidden) return [];
  const cell = sheet.cells?.get(`${row},${column}`);
  if (cell && isUnseen(cell)) return [];
  const text = shown(cell?.formulaResult ?? value, cell);
  if (text.trim() === "") return [];
  const merge = covered.get(`${row},${column}`);
  return [
    {
      column,
      columns: merge ? merge.endCol - merge.startCol + 1 : overflow(sheet.rows[row] ?? [], column, text),
      rows: merge ? merge.endRow - merge.startRow + 1 : 1,
      blocks: [paragraph(text, cell?.style?.font?.bold ?? false)],
    },
  ];
}

/** A text of at least this length continues across the empty cells to its right. */
const overflowing = 24;

function overflow(values: CellValue[], column: number, text: string): number {
  if (text.length < overflowing || text.includes("\n")) return 1;
  const next = values.findIndex((value, at) => at > column && value !== null && value !== "");
  return (next < 0 ? Math.max(values.length, column + 1) : next) - column;
}

function paragraph(text: string, bold: boolean): Block {
  return { kind: "Paragraph", runs: [bold ? { text, bold } : { text }] };
}

function isUnseen({ type, style }: StyledCell): boolean {
  const font = style?.font;
  if (type === "error" || font?.strikethrough || style?.numFmt === ";;;") return true;
  const ground = style?.fill;
  const hasGround = ground !== undefined && !(ground.type === "pattern" && ground.pattern === "none");
  return /FFFFFF$/i.test(font?.color?.rgb ?? "") && !hasGround;
}

function shown(value: CellValue, cell: StyledCell | undefined): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return formatDate(value);
  if (typeof value === "number") return formatNumber(value, cell?.style?.numFmt);
  if (typeof value === "boolean") return cell?.checkbox ? (value ? "X" : "") : String(value).toUpperCase();
  return value;
}

/**
 * Formats the date in a cell as ISO date, with its time if that is not midnight, or as time only if it has no day.
 * Workbooks store local time, which hucre returns as UTC.
 */
export function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  // Times are stored as fractions of a day, which are not exact, so the time is rounded to minutes.
  const iso = new Date(Math.round(date.getTime() / 60_000) * 60_000).toISOString();
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 16);
  if (day < "1900-01-02") return time;
  return time === "00:00" ? day : `${day} ${time}`;
}

/** Excel does not allow longer number formats. */
const maxFormatLength = 255;

/**
 * Formats a number with the units and currency of its format. The grouping and rounding of the format are ignored, so
 * that the value is exact.
 */
export function formatNumber(value: number, format = ""): string {
  const [positive = "", negative] = format.slice(0, maxFormatLength).split(";");
  const section = value < 0 && negative ? negative : positive;
  const { before, after } = affixes(section);
  if (/%/.test(after)) return `${before}${plain(value * 100)}${after}`;
  return `${before}${plain(value)}${after}`;
}

function plain(value: number): string {
  const text = String(Number(value.toPrecision(12)));
  // Next to German text, "1.362" would be taken for one thousand three hundred and sixty-two. "1.3620" is unambiguous.
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** Extracts the literal text of a number format that precedes and follows the digits. */
function affixes(section: string): { before: string; after: string } {
  const literal = section
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"')
    .replace(/\[[^\]]*\]/g, "")
    .replace(/_.|\*./g, "");
  const digits = /[#0?](?:[#0?.,\s]|\\[. ]|"[.,' ]")*/.exec(literal);
  if (!digits || /[dmyhs]/i.test(literal.replace(/"[^"]*"/g, ""))) return { before: "", after: "" };
  return {
    before: words(literal.slice(0, digits.index)).replace(/(\p{L})$/u, "$1 "),
    after: words(literal.slice(digits.index + digits[0].length)).replace(/^(\p{L})/u, " $1"),
  };
}

function words(format: string): string {
  const text = [...format.matchAll(/"([^"]*)"|\\(.)|([€$£%]|zł)|(\s+)/gu)]
    .map((part) => part[1] ?? part[2] ?? part[3] ?? part[4])
    .join("");
  return text.replace(/^-$/, "");
}
