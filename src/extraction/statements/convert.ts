import type { Format } from "../document/document.ts";
import { recordRows } from "./records.ts";
import { sheetRows } from "./sheets.ts";

/** Formats that are converted to text before parsing. */
export const convertedFormats: readonly Format[] = ["Xlsx", "Xls", "Ods", "Xml"];
export const statementFormats: readonly Format[] = [...convertedFormats, "Csv", "Text"];

/** In characters. */
const pieceLength = 256 * 1024;

/** The text is parsed by {@link ./delimited.ts}. */
async function* asText(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let piece = "";
  for await (const row of rows) {
    piece += `${row.map(quoted).join("\t")}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

const quoted = (cell: string) =>
  /["\t\r\n]/.test(cell) ? `"${cell.replace(/[\r\n\t]+/g, " ").replaceAll('"', '""')}"` : cell;

/** Converts the rows of a workbook to text, in chunks. */
export const sheetText = (bytes: Uint8Array, format: Format) => asText(sheetRows(bytes, format));

/** Converts the transactions of an XML statement to text, in chunks. */
export const recordText = (pieces: AsyncIterable<string>, beginning: string) => asText(recordRows(pieces, beginning));
