import { unzipSync } from "fflate";
import { readOds, readXls, streamXlsxRows, type CellValue } from "hucre";
import { ExtractionProblem } from "../problem.ts";
import { defaultLimits } from "../formats/limits.ts";
import { formatDate } from "../formats/workbook.ts";
import { checkZip, type ZipEntry } from "../formats/zip.ts";
import type { Format } from "../document/document.ts";

/** Larger than the limits for documents: a sheet may have a million rows, but they are never all in memory. */
const limits = { unpackedBytes: 1024 ** 3, markupBytes: 1024 ** 3, zipEntries: 1000, zipRatio: 100 };

/** Yields the rows of all visible sheets, with an empty row after each sheet. */
export async function* sheetRows(bytes: Uint8Array, format: Format): AsyncGenerator<string[]> {
  try {
    if (format === "Xlsx") yield* xlsxRows(bytes);
    else yield* heldRows(bytes, format);
  } catch (cause) {
    if (cause instanceof ExtractionProblem) throw cause;
    throw new ExtractionProblem("file_corrupted", "The workbook is damaged and cannot be read.");
  }
}

async function* xlsxRows(bytes: Uint8Array): AsyncGenerator<string[]> {
  const entries = checkZip(bytes, { ...defaultLimits, ...limits });
  for (const sheet of shownSheets(bytes, entries)) {
    for await (const { values } of streamXlsxRows(bytes, { sheet })) yield values.map(shown);
    yield [];
  }
}

function shownSheets(bytes: Uint8Array, entries: readonly ZipEntry[]): number[] {
  const name = entries.find((entry) => /^xl\/workbook\.xml$/i.test(entry.name))?.name;
  const book = name ? new TextDecoder().decode(unzipSync(bytes, { filter: (entry) => entry.name === name })[name]) : "";
  const sheets = book.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? [];
  return sheets.flatMap((sheet, at) => (/\sstate="(?:very)?hidden"/i.test(sheet) ? [] : [at]));
}

async function* heldRows(bytes: Uint8Array, format: Format): AsyncGenerator<string[]> {
  // The whole ODS file is unpacked in memory, so its declared sizes must be within the limits for documents.
  if (format === "Ods") checkZip(bytes, defaultLimits);
  const book = format === "Ods" ? await readOds(bytes) : await readXls(bytes);
  for (const sheet of book.sheets) {
    if (sheet.hidden || sheet.veryHidden) continue;
    for (const values of sheet.rows) yield values.map(shown);
    yield [];
  }
}

function shown(value: CellValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return formatDate(value);
  if (typeof value === "number") return String(Number(value.toPrecision(15)));
  return String(value);
}
