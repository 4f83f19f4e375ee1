import type { Format } from "../../../document/document.ts";
import { likeliestCodePage } from "../../../formats/code-pages.ts";
import { sniff } from "../../../formats/open.ts";
import { ReadingProblem } from "../../../problem.ts";
import { rowsIn, textOf } from "../../../statements/index.ts";
import { sheetRows } from "../../../statements/sheets.ts";
import { finesIn, headingsIn, mostHeadingRows, type ListedFine, type Row } from "./list.ts";

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
 * @throws ReadingProblem `input_not_a_document_of_this_kind`, `no_text_found`, `file_corrupted`, `too_many_pages`
 */
export async function readFineList(file: { bytes: Uint8Array; name: string }, most: number): Promise<ListedFine[]> {
  const { format } = sniff(file.bytes, file.name);
  const isText = format === "Csv" || format === "Text";
  const { rows, decimal } = isText ? textRows(file.bytes, most) : await bookRows(file.bytes, format, most);
  if (!rows.some((row) => row.some((cell) => cell.trim() !== "")))
    throw new ReadingProblem("no_text_found", "There are no rows in the file.");
  const fines = finesIn(rows, decimal);
  if (!fines || fines.length === 0)
    throw new ReadingProblem(
      "input_not_a_document_of_this_kind",
      "No columns were found that tell plates or case numbers of fines.",
    );
  if (fines.length > most)
    throw new ReadingProblem("too_many_pages", `The list has more than ${most} fines: send it in parts.`);
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
      return { delimiter, headings: Math.max(0, ...rows.slice(0, mostHeadingRows).map(headingsIn)) };
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
