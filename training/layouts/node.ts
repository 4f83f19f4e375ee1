/** A document as a tree, and the lines at the foot of its pages. */
export interface Page {
  body: Node;
  foot: string[];
}

/** A piece of a layout. Every format draws the same tree. */
export type Node = Text | Table | Beside | Stack | NewPage;

export interface Text {
  kind: "Text";
  text: string;
  /** A label before the text. */
  label?: string;
  boldLabel?: boolean;
  bold?: boolean;
  /** Difference to the usual font size, in points. */
  grow?: number;
  align?: "left" | "center" | "right";
  /** Whether the text has a coloured bar behind it, or a line below it. */
  mark?: "Bar" | "Line";
}

export interface Cell {
  text: string;
  /** A small label in the corner of the cell. */
  caption?: string;
  bold?: boolean;
  right?: boolean;
  /** Number of columns; one by default. */
  span?: number;
}

export interface Table {
  kind: "Table";
  rows: Cell[][];
  /** Relative widths of the columns. */
  shares: number[];
  lines: "Grid" | "Rows" | "None";
  /** Number of rows with column heads. */
  heads: number;
}

export interface Beside {
  kind: "Beside";
  parts: Node[];
  shares: number[];
  boxed?: boolean;
}

export interface Stack {
  kind: "Stack";
  parts: Node[];
  boxed?: boolean;
  /** Whether there is no space between the parts. */
  tight?: boolean;
}

export interface NewPage {
  kind: "NewPage";
}

export const text = (words: string, ink: Omit<Text, "kind" | "text"> = {}): Text => ({
  kind: "Text",
  text: words,
  ...ink,
});

/** Parts without space between them. */
export const tight = (parts: Node[], boxed = false): Node => stack(parts, { tight: true, boxed });

/** Lines of text without space between them. */
export const lines = (words: string[], ink: Omit<Text, "kind" | "text"> = {}): Node =>
  tight(words.map((line) => text(line, ink)));

export const table = (rows: Cell[][], shares: number[], ruling: Table["lines"], heads = 0): Table => ({
  kind: "Table",
  rows,
  shares,
  lines: ruling,
  heads,
});

export const stack = (parts: Node[], ink: Omit<Stack, "kind" | "parts"> = {}): Node =>
  parts.length === 1 && !ink.boxed ? parts[0]! : { kind: "Stack", parts, ...ink };

export function beside(parts: Node[], shares = parts.map(() => 1), boxed = false): Node {
  return parts.length === 1 && !boxed ? parts[0]! : { kind: "Beside", parts, shares, boxed };
}

/** Splits a list into parts of the given length. */
export function chunks<T>(list: T[], length: number): T[][] {
  return list.flatMap((_, at) => (at % length === 0 ? [list.slice(at, at + length)] : []));
}
