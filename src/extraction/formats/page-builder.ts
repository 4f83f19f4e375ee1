import type { Page, Token } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import { cleanText, splitWords } from "./clean-text.ts";
import type { ReaderContext } from "./reader.ts";

/** Width of one character, in page units, if the text has no layout. */
export const columnWidth = 6;
const lineHeight = 12;
/** Maximum line width of paragraphs, in columns. */
export const paragraphWidth = 110;

const letterHeight = 10;

/** A run of text with one style. */
export interface TextRun {
  text: string;
  bold?: boolean;
}

/** Position of a paragraph: its first line, its left column and its width in columns. */
export interface Frame {
  line: number;
  column: number;
  width: number;
  cell?: Token["cell"];
}

/** A virtual page with columns of equal width. Text that is laid out on it gets word positions as on a printed page. */
export class PageBuilder {
  private readonly tokens: Token[] = [];
  private readonly source: Token["source"];
  private readonly context: ReaderContext;
  private lines = 0;
  private columns = paragraphWidth;

  constructor(context: ReaderContext, source: Token["source"]) {
    this.context = context;
    this.source = source;
  }

  /** Lays out a line, keeping its white space. Tabs advance to the next multiple of eight columns. */
  fixedLine(text: string, line: number, column = 0): void {
    for (const word of splitWords(expandTabs(cleanText(text))))
      this.put(word.text, { line, column: column + word.at, width: word.width }, false);
    this.lines = Math.max(this.lines, line + 1);
  }

  /**
   * Lays out a paragraph, and wraps it at the width of the frame. Line feeds start a new line, tabs advance to a tab
   * stop, and other white space counts as one space.
   * @returns the number of lines that the paragraph takes
   */
  paragraph(runs: TextRun[], frame: Frame): number {
    let line = frame.line;
    let column = frame.column;
    let gap = 0;
    for (const piece of pieces(runs, frame.width)) {
      if (piece.text === "\t") {
        gap = tabStop(column - frame.column) - (column - frame.column);
        continue;
      }
      const full = column > frame.column && column + gap + piece.text.length > frame.column + frame.width;
      if (piece.text === "\n" || full) {
        line++;
        column = frame.column;
        gap = 0;
      }
      if (piece.text === "\n") continue;
      column += gap;
      this.put(piece.text, { line, column, width: piece.text.length, cell: frame.cell }, piece.bold);
      column += piece.text.length;
      gap = 1;
    }
    this.lines = Math.max(this.lines, line + 1);
    return line + 1 - frame.line;
  }

  page(): Page {
    return {
      width: this.columns * columnWidth,
      height: Math.max(this.lines, 1) * lineHeight,
      tokens: this.tokens,
      rulings: [],
      scanned: false,
    };
  }

  get wordCount(): number {
    return this.tokens.length;
  }

  private put(text: string, { line, column, width, cell }: Frame, bold: boolean): void {
    if (this.tokens.length >= this.context.limits.words) throw tooManyWords(this.context);
    if (this.tokens.length % 1000 === 0) this.context.budget.check();
    const end = column + width;
    this.columns = Math.max(this.columns, end);
    this.tokens.push({
      text,
      x0: column * columnWidth,
      x1: end * columnWidth,
      y0: line * lineHeight + 1,
      y1: line * lineHeight + 1 + letterHeight,
      size: letterHeight,
      bold,
      confidence: 1,
      source: this.source,
      ...(cell && { cell }),
    });
  }
}

export function tooManyWords(context: ReaderContext): ExtractionProblem {
  return new ExtractionProblem("too_many_pages", `The file has more than ${context.limits.words} words.`);
}

/** Returns the next tab stop that leaves a gap wider than a space. Tab stops are eight columns apart. */
function tabStop(column: number): number {
  return Math.ceil((column + 3) / 8) * 8;
}

/** Measures the width of a paragraph without wrapping, and the width of its longest word, in columns. */
export function textWidth(runs: TextRun[]): { natural: number; longest: number } {
  const text = cleanText(runs.map((run) => run.text).join(""));
  let natural = 0;
  let longest = 0;
  for (const line of text.split("\n")) natural = Math.max(natural, lineColumns(line));
  for (const word of splitWords(text)) longest = Math.max(longest, word.text.length);
  return { natural, longest };
}

function lineColumns(line: string): number {
  return line.split("\t").reduce((columns, piece, index) => {
    const width = piece.replace(/\s+/g, " ").trim().length;
    return index === 0 ? width : tabStop(columns) + width;
  }, 0);
}

interface Piece {
  /** A word, a tab or a line feed. */
  text: string;
  bold: boolean;
}

/**
 * Splits runs into words, tabs and line feeds. A word that continues in the next run is joined, and a word wider than
 * the frame is split.
 */
function* pieces(runs: TextRun[], width: number): Generator<Piece> {
  let word: Piece | undefined;
  for (const run of runs) {
    for (const [text] of cleanText(run.text).matchAll(/[\n\t]|[^\S\n\t]+|\S+/gu)) {
      if (text.trim() !== "") {
        word = { text: (word?.text ?? "") + text, bold: word?.bold ?? run.bold ?? false };
        continue;
      }
      if (word) yield* cut(word, width);
      word = undefined;
      if (text === "\n" || text === "\t") yield { text, bold: false };
    }
  }
  if (word) yield* cut(word, width);
}

function* cut(word: Piece, width: number): Generator<Piece> {
  for (let at = 0; at < word.text.length; at += width) yield { text: word.text.slice(at, at + width), bold: word.bold };
}

function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  let out = "";
  for (const letter of text) out += letter === "\t" ? " ".repeat(8 - (out.length % 8)) : letter;
  return out;
}

/** A line of an outline: a name with its value and its nesting depth. */
export interface OutlineLine {
  depth: number;
  name: string;
  value: string;
}

const maxIndent = 20;

/**
 * Checks the number of values of structured data.
 * @throws ExtractionProblem `too_many_pages` if there are more values than the limit of words
 */
export function requireValueLimit(values: number, { limits }: Pick<ReaderContext, "limits">): void {
  if (values > limits.words)
    throw new ExtractionProblem("too_many_pages", `The file has more than ${limits.words} values. Send it in parts.`);
}

/** Lays out data as an indented list with lines such as "Loading Place: Poznań". */
export function layOutOutline(lines: Iterable<OutlineLine>, context: ReaderContext): Page[] {
  const sheet = new PageBuilder(context, "Text");
  let line = 0;
  for (const { depth, name, value } of lines) {
    const column = Math.min(depth, maxIndent) * 2;
    const text = value === "" ? spelled(name) : `${spelled(name)}: ${value}`;
    line += sheet.paragraph([{ text }], { line, column, width: paragraphWidth - column });
  }
  return [sheet.page()];
}

/** Splits a compound name (such as loadingPlace, loading_place or LoadingPlace) into words. */
function spelled(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_\-.]+/g, " ");
}
