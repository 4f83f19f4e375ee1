import Papa from "papaparse";
import type { Block, Cell, Table } from "./blocks.ts";
import { decode } from "./encoding.ts";
import type { Reader, ReaderContext } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";
import { tooManyWords } from "./page-builder.ts";

export const readCsv: Reader = (file, context) => {
  const text = decode(file.bytes).replace(/^\uFEFF/, "");
  return { pages: layOutBlocks([tableOf(text, context)], context, "Cell") };
};

function tableOf(text: string, context: ReaderContext): Block {
  // Excel may declare the separator in an extra line at the beginning, such as "sep=;".
  const declared = text.match(/^sep=(.)\r?\n/i);
  const rows: Cell[][] = [];
  let filled = 0;
  Papa.parse<string[]>(declared ? text.slice(declared[0].length) : text, {
    delimiter: declared?.[1] ?? "",
    delimitersToGuess: [";", "\t", ",", "|"],
    skipEmptyLines: true,
    step: ({ data }) => {
      if (rows.length % 500 === 0) context.budget.check();
      rows.push(data.flatMap(cellOf));
      filled += rows.at(-1)?.length ?? 0;
      if (filled > context.limits.words) throw tooManyWords(context);
    },
  });
  return { kind: "Table", rows };
}

function cellOf(value: string, column: number): Cell[] {
  const text = value.trim();
  return text === "" ? [] : [{ column, columns: 1, rows: 1, blocks: [{ kind: "Paragraph", runs: [{ text }] }] }];
}

const separators = [";", "\t", "|"] as const;
type Separator = (typeof separators)[number];

/** Fewer columns may be a list, and a longer heading may be a sentence that contains the separator. */
const [minColumns, longestHeading] = [3, 40];
/** A heading contains letters or is "#", and has no number of several digits. */
const [lettered, figures] = [/\p{L}|^#$/u, /\d\D?\d|\d[.,]\d/];
/** Matches a line without text between the rows of a table: "|-----|-----|". */
const ruled = /^(?=.*[=_-])[\s|:;+=_-]+$/;

/**
 * Converts lines to blocks. A heading row and the rows below it become a table; `asParagraph` converts all other lines.
 */
export function blocksOfLines(lines: readonly string[], asParagraph: (line: string) => Block): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const table = tableAt(lines, at);
    blocks.push(table?.block ?? asParagraph(lines[at]!));
    at += table?.lines ?? 1;
  }
  return blocks;
}

/** Whether a table begins in any of the lines. */
export const hasTable = (lines: readonly string[]): boolean => lines.some((_, at) => tableAt(lines, at) !== undefined);

function tableAt(lines: readonly string[], at: number): { block: Table; lines: number } | undefined {
  const [head = "", ...below] = lines.slice(at, at + 3);
  const separator = separators.find((each) => isHead(head, each));
  const first = below.find((line) => !isRuled(line));
  if (!separator || first === undefined || !/\d/.test(first)) return undefined;
  if (separator === "|" && barsIn(head) === barsIn(first)) return undefined;
  const heading = cellsOf(head, separator);
  const isRow = (cells: readonly string[]) => cells.length > 1 && Math.abs(cells.length - heading.length) <= 1;
  const rows = [heading];
  let end = at + 1;
  for (; end < lines.length; end++) {
    if (isRuled(lines[end]!)) continue;
    const cells = cellsOf(lines[end]!, separator);
    if (!isRow(cells)) break;
    rows.push(cells);
  }
  return rows.length > 1 ? { block: { kind: "Table", rows: rows.map(rowOf) }, lines: end - at } : undefined;
}

const isRuled = (line: string): boolean => line.length > 2 && ruled.test(line);

function isHead(line: string, separator: Separator): boolean {
  if (!line.includes(separator)) return false;
  const cells = cellsOf(line, separator);
  const named = cells.filter((cell) => lettered.test(cell) && cell.length <= longestHeading && !figures.test(cell));
  const empty = cells.filter((cell) => cell === "");
  return named.length >= minColumns && named.length + empty.length === cells.length && empty.length <= 1;
}

/**
 * If a heading and the row below it have bars at the same positions, the text is already aligned in columns, and it is
 * not converted to a table.
 */
const barsIn = (line: string): string => Array.from(line.matchAll(/\|/g), ({ index }) => index).join();

function cellsOf(line: string, separator: Separator): string[] {
  const bare = separator === "|" ? line.trim().replace(/^\||\|$/g, "") : line;
  const [cells = []] = Papa.parse<string[]>(bare, { delimiter: separator }).data;
  return cells.map((cell) => cell.trim());
}

const rowOf = (cells: readonly string[]): Cell[] =>
  cells.flatMap((text, column) =>
    text === "" ? [] : [{ column, columns: 1, rows: 1, blocks: [{ kind: "Paragraph", runs: [{ text }] }] }],
  );
