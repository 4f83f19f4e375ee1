import type { Chance } from "../chance.ts";
import { chunks } from "./node.ts";
import type { Beside, Cell, Node, Stack, Table, Text } from "./node.ts";

/** How plain text draws lines, boxes and columns. */
export interface Printer {
  width: number;
  rule: string;
  /** Between the columns of a table. */
  gutter: string;
  /** Fills the room between label and value; empty if the values are not aligned. */
  leader: string;
  /** Whether things that stand side by side are printed below each other, as in a mail. */
  stacked: boolean;
}

export function printer(chance: Chance, stacked: boolean): Printer {
  const dice = chance.fork("printer");
  return {
    width: dice.pick([72, 80, 96, 120]),
    rule: dice.pick(["=", "-", "*", "_"]),
    gutter: dice.pick(["  ", " ", " | ", "   "]),
    leader: dice.pick(["", "", " ", "."]),
    stacked,
  };
}

/** Prints a tree as lines of plain text. */
export function printed(node: Node, how: Printer, width = how.width): string[] {
  if (node.kind === "NewPage") return ["", ""];
  if (node.kind === "Text") return textLines(node, how, width);
  if (node.kind === "Table") return tableLines(node, how, width);
  if (node.kind === "Stack") return stackLines(node, how, width);
  return how.stacked || width < 24 * node.parts.length
    ? stackLines({ ...node, kind: "Stack" }, how, width)
    : besideLines(node, how, width);
}

function textLines({ text, label, mark, align }: Text, { leader, rule, stacked }: Printer, width: number): string[] {
  const inColumns = label !== undefined && leader !== "" && width >= 50;
  const padded = label?.replace(/ ?:$/, "").padEnd(Math.floor(width * 0.36), leader);
  const start = inColumns ? `${padded}: ` : label === undefined ? "" : `${label} `;
  const indent = inColumns ? " ".repeat(start.length) : "";
  const [first = "", ...more] = `${inColumns ? "" : start}${text}`
    .split("\n")
    .flatMap((line) => wrapped(line, stacked ? 400 : width - indent.length));
  const whole = [(inColumns ? start : "") + first, ...more.map((line) => indent + line)];
  const lines = stacked ? whole : whole.map((line) => aligned(line, align, width));
  return mark === undefined ? lines : [...lines, rule.repeat(mark === "Bar" ? width : 20)];
}

function aligned(line: string, align: Text["align"], width: number): string {
  const free = Math.max(0, width - line.length);
  if (align === "center") return " ".repeat(Math.floor(free / 2)) + line;
  return align === "right" ? " ".repeat(free) + line : line;
}

function stackLines({ parts, tight, boxed }: Stack, how: Printer, width: number): string[] {
  const lines = parts.flatMap((part, at) => [...(at > 0 && !tight ? [""] : []), ...printed(part, how, width)]);
  const rule = how.rule.repeat(width);
  return boxed && !how.stacked ? [rule, ...lines, rule] : lines;
}

function besideLines({ parts, shares }: Beside, how: Printer, width: number): string[] {
  const widths = shares.map((share) => Math.floor((share / sum(shares)) * width) - 2);
  const columns = parts.map((part, at) => printed(part, how, widths[at]));
  const fits = columns.every((lines, at) => lines.every((line) => line.length <= widths[at]!));
  return fits ? columnLines(columns, widths, "  ") : stackLines({ kind: "Stack", parts }, how, width);
}

/** Prints columns side by side. */
function columnLines(columns: string[][], widths: number[], gutter: string): string[] {
  const count = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: count }, (_, at) =>
    columns
      .map((lines, column) => (lines[at] ?? "").padEnd(widths[column]!))
      .join(gutter)
      .trimEnd(),
  );
}

const cellText = ({ text, caption }: Cell): string => (caption ? `${caption}\n${text}` : text);

function tableLines(table: Table, how: Printer, width: number): string[] {
  const { rows, lines, heads, shares } = table;
  const gutter = lines === "None" ? how.gutter.replace("|", " ") : how.gutter;
  const room = width - gutter.length * (shares.length - 1);
  const least = columnWidths(table, /\s/);
  if (sum(least) > room && shares.length > 2) return tableLines(turned(table), how, width);
  const widths = fitted(columnWidths(table, "\n"), least, room);
  const rule = (how.rule === "=" ? "-" : how.rule).repeat(
    Math.min(width, sum(widths) + gutter.length * (widths.length - 1)),
  );
  return rows.flatMap((row, at) => {
    let column = 0;
    const places = row.map(({ span = 1 }) => {
      const own = widths.slice(column, (column += span));
      return sum(own) + (own.length - 1) * gutter.length;
    });
    const cells = row.map((cell, nth) => {
      const words = cellText(cell).split("\n");
      const wrappedWords = words.flatMap((line) => wrapped(line, places[nth]! + 1));
      return cell.right ? wrappedWords.map((line) => line.padStart(places[nth]!)) : wrappedWords;
    });
    const ruled = lines === "Grid" || (lines === "Rows" && at < rows.length - 1) || at === heads - 1;
    return [...columnLines(cells, places, gutter), ...(ruled ? [rule] : [])];
  });
}

/** The greatest length of a piece of each column. A cell across the table widens the last column. */
function columnWidths({ rows, shares }: Table, between: RegExp | string): number[] {
  const longest = (cell: Cell): number =>
    Math.max(
      ...cellText(cell)
        .split(between)
        .map((piece) => piece.length),
    );
  const whole = rows.filter((row) => row.length === shares.length);
  const widths = shares.map((_, column) => Math.max(3, ...whole.map((row) => longest(row[column]!))));
  const across = Math.max(0, ...rows.map((row) => (row.length === 1 ? longest(row[0]!) : 0)));
  return [...widths.slice(0, -1), widths.at(-1)! + Math.max(0, across - sum(widths))];
}

/** A table that is too wide, with its heads on the left, or with a row for every two cells. */
function turned({ rows, heads, ...table }: Table): Table {
  const plain = rows.map((row) => row.map((cell) => ({ ...cell, span: row.length === 1 ? 2 : 1 })));
  if (heads === 0) return { ...table, rows: plain.flatMap((row) => chunks(row, 2)), shares: [1, 2], heads };
  const [first = [], ...rest] = plain.slice(heads - 1);
  const fields =
    rest.length <= first.length
      ? rest.flatMap((row) => (row.length === 1 ? [row] : row.map((cell, at) => [first[at]!, cell])))
      : first.slice(1).flatMap((head, at) => [[{ text: "" }, head], ...rest.map((row) => [row[0]!, row[at + 1]!])]);
  return { ...table, rows: fields, shares: [1, 2], heads: 0 };
}

const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0);

/** Narrows the widest columns until all fit, but none below its longest word. */
function fitted(natural: number[], least: number[], room: number): number[] {
  const widths = [...natural];
  while (sum(widths) > room) {
    const free = widths.map((width, at) => (width > least[at]! ? width : 0));
    const widest = free.indexOf(Math.max(...free));
    if (free[widest] === 0) break;
    widths[widest]! -= 1;
  }
  return widths;
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
