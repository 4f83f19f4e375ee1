import Papa from "papaparse";
import { decode } from "../formats/encoding.ts";
import { headingStrength, layoutOf, sampleRows, type Layout, type Row } from "./layout.ts";

/** How the text of a statement is split into rows. */
export interface Dialect {
  delimiter: string;
}

const delimiters = [";", "\t", ",", "|", "^", "~"];

interface Rows {
  rows: Row[];
  length: number;
  /** Whether the text has further rows. */
  isCut: boolean;
}

/**
 * Parses at most `most` rows. Without `isEnd`, leaves out the last line, which may be incomplete. If a quotation mark
 * is never closed, quotation marks count as ordinary characters.
 */
export function rowsIn(text: string, { delimiter }: Dialect, isEnd: boolean, most = Infinity): Rows {
  const quoted = parsedRows(text, delimiter, '"', isEnd, most);
  const isSwallowed =
    quoted.isOpen || quoted.longest > maxRowLength || (quoted.rows.length === 0 && text.length > maxRowLength);
  return isSwallowed ? parsedRows(text, delimiter, "\u0000", isEnd, most) : quoted;
}

/** In characters. A longer row indicates an unclosed quotation mark. */
const maxRowLength = 20_000;

function parsedRows(text: string, delimiter: string, quoteChar: string, isEnd: boolean, most: number) {
  const rows: Row[] = [];
  let [length, longest, isOpen, isCut] = [0, 0, false, false];
  Papa.parse<string[]>(text, {
    delimiter,
    quoteChar,
    escapeChar: quoteChar,
    step: ({ data, meta, errors }, parser) => {
      if (!isEnd && meta.cursor >= text.length) return;
      isOpen ||= errors.some(({ code }) => code === "MissingQuotes");
      longest = Math.max(longest, meta.cursor - length);
      length = meta.cursor;
      rows.push(data);
      isCut = rows.length >= most && length < text.length;
      if (isCut) parser.abort();
    },
  });
  return { rows, length, longest, isOpen, isCut };
}

/** Without a line such as `sep=;`, the delimiter with the clearest headings or the most regular rows is returned. */
function dialectOf(text: string): Dialect {
  const [, declared] = /^\uFEFF?sep=(.)\r?\n/i.exec(text) ?? [];
  if (declared) return { delimiter: declared };
  const sample = text.slice(0, 60_000);
  const rated = delimiters.map((delimiter) => ({
    delimiter,
    worth: worthOf(rowsIn(sample, { delimiter }, true).rows),
  }));
  return { delimiter: rated.reduce((best, next) => (next.worth > best.worth ? next : best)).delimiter };
}

function worthOf(rows: readonly Row[]): number {
  const filled = rows.slice(0, sampleRows).filter((row) => row.length > 1);
  if (filled.length === 0) return 0;
  const counts = new Map<number, number>();
  for (const { length } of filled) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width, often] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
  const strength = Math.max(0, ...rows.slice(0, 80).map(headingStrength));
  return strength * 100 + ((width * often) / Math.max(1, rows.length)) * Math.min(1, often / 2);
}

/** The structure of a statement. */
export interface Beginning {
  dialect: Dialect;
  layout: Layout;
  /** Index of the heading row; -1 if there is none. */
  headingAt: number;
}

/** Detects the structure of a statement from its beginning; undefined if the text is not a statement. */
export function beginningOf(text: string, isEnd: boolean, isSheet: boolean): Beginning | undefined {
  const dialect = isSheet ? { delimiter: "\t" } : dialectOf(text);
  const { rows } = rowsIn(text, dialect, isEnd);
  const decimal = isSheet || dialect.delimiter !== ";" ? "." : ",";
  const layout = layoutOf(rows.slice(0, sampleRows), { decimal });
  return layout && { dialect, ...layout };
}

/** Returns the number of bytes of the first `length` characters of a chunk. */
export function bytesOf(piece: Uint8Array, text: string, length: number): number {
  if (length >= text.length) return piece.length;
  if (isOneByte(piece, text)) return length;
  const mark = piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf && !text.startsWith("\uFEFF") ? 3 : 0;
  return mark + new TextEncoder().encode(text.slice(0, length)).length;
}

const isOneByte = (piece: Uint8Array, text: string) => piece.length === text.length;

/**
 * Decodes a chunk of a statement.
 * @param codePage encoding that was detected at the beginning, for text that is not UTF-8
 */
export const textOf = (piece: Uint8Array, codePage: string) => decode(piece, codePage);
