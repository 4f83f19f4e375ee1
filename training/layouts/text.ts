import type { Chance } from "../chance.ts";
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
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const widths = shares.map((share) => Math.floor((share / whole) * width) - 2);
  return columnLines(
    parts.map((part, at) => printed(part, how, widths[at])),
    widths,
    "  ",
  );
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

function tableLines({ rows, lines, heads, shares }: Table, how: Printer, width: number): string[] {
  const gutter = lines === "None" ? how.gutter.replace("|", " ") : how.gutter;
  const natural = shares.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row.length === shares.length ? longest(cellText(row[column]!)) : 0))),
  );
  const widest = Math.max(0, ...rows.map((row) => (row.length === 1 ? longest(cellText(row[0]!)) : 0)));
  natural[natural.length - 1]! += Math.max(0, widest - natural.reduce((sum, one) => sum + one, 0));
  const room = width - gutter.length * (shares.length - 1);
  const widths = fitted(natural, room);
  const rule = (how.rule === "=" ? "-" : how.rule).repeat(
    Math.min(
      width,
      widths.reduce((sum, one) => sum + one + gutter.length, 0),
    ),
  );
  return rows.flatMap((row, at) => {
    let column = 0;
    const places = row.map(({ span = 1 }) => {
      const own = widths.slice(column, column + span);
      column += span;
      return own.reduce((sum, one) => sum + one, (own.length - 1) * gutter.length);
    });
    const cells = row.map((cell, nth) =>
      cellText(cell)
        .split("\n")
        .flatMap((line) => wrapped(line, places[nth]! + 1))
        .map((line) => (cell.right ? line.padStart(places[nth]!) : line)),
    );
    const ruled = lines === "Grid" || (lines === "Rows" && at < rows.length - 1) || at === heads - 1;
    return [...columnLines(cells, places, gutter), ...(ruled ? [rule] : [])];
  });
}

const longest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));

/** Narrows the widest columns until all fit. */
function fitted(natural: number[], room: number): number[] {
  const widths = [...natural];
  while (widths.reduce((sum, one) => sum + one, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= 6) break;
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
