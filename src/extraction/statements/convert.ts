import type { Format } from "../document/document.ts";
import { recordRows } from "./records.ts";
import { sheetRows } from "./sheets.ts";

/** Formats that are converted to rows of text first. The others are parsed from their bytes in place. */
export const convertedFormats: readonly Format[] = ["Xlsx", "Xls", "Ods", "Xml"];
export const statementFormats: readonly Format[] = [...convertedFormats, "Csv", "Text"];

/** Characters of one chunk. */
const pieceLength = 256 * 1024;

/** Rows as text, with tabs between their cells, as {@link ./delimited.ts} parses it. */
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

/** The rows of a workbook as text. */
export const sheetText = (bytes: Uint8Array, format: Format) => asText(sheetRows(bytes, format));

/** The transactions of an XML statement as text. */
export const recordText = (pieces: AsyncIterable<string>, beginning: string) => asText(recordRows(pieces, beginning));
