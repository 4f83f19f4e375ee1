import type { Chance } from "../chance.ts";
import { Canvas } from "../set/canvas.ts";
import type { Ink } from "../set/canvas.ts";
import type { House } from "./house.ts";
import { lines } from "./node.ts";
import type { Beside, Cell, Node, Page, Stack, Table, Text } from "./node.ts";
import { printed, printer } from "./text.ts";

const TINTS = ["#e6ecf2", "#eeeeee", "#dfe8d8", "#f3ead8", "#1f3a5f", "#333333", "#7a1f1f"];
const PAD = 3;
const SMALL: Ink = { size: 5.5 };

/** Draws pages as a PDF. Each begins on a new sheet of paper. Some are printouts of a system in a fixed width font. */
export function pdf(chance: Chance, house: House, given: Page[], word: string): Promise<Uint8Array> {
  const dice = chance.fork("pdf");
  const how = chance.fork("system").happens(0.07) ? printer(chance, false) : undefined;
  const pages = how ? given.map(({ body, foot }) => ({ body: lines(printed(body, how)), foot })) : given;
  const margin = dice.pick([28, 36, 42, 56]);
  const size = dice.weighted({ A4: 90, LETTER: 10 });
  const { landscape } = house;
  const canvas = new Canvas(dice, JSON.stringify(pages), { size, landscape, margin, columns: how?.width });
  const press = new Press(canvas, dice);
  pages.forEach(({ body }, at) => {
    if (at > 0) canvas.newPage();
    press.draw(body, canvas.left, canvas.width);
  });
  const foot = [...new Set(pages.flatMap((page) => page.foot))].join("   ");
  const numbered = dice.happens(0.6);
  canvas.eachPage((number, count) => {
    const words = numbered ? `${foot}   ${word} ${number}/${count}` : foot;
    canvas.at(words.trim(), canvas.left, canvas.bottom + 4, canvas.width, { size: 6.5, align: "center" });
  });
  return canvas.finish();
}

class Press {
  readonly #canvas: Canvas;
  readonly #tint: string;
  readonly #gap: number;
  readonly #gutter: number;

  constructor(canvas: Canvas, dice: Chance) {
    this.#canvas = canvas;
    this.#tint = dice.pick(TINTS);
    this.#gap = dice.pick([4, 6, 9, 13]);
    this.#gutter = dice.pick([8, 12, 18]);
  }

  /** Draws a node in a column from the canvas's position, which is moved below it. */
  draw(node: Node, x: number, width: number): void {
    if (node.kind === "NewPage") this.#canvas.newPage();
    else if (node.kind === "Text") this.#text(node, x, width);
    else if (node.kind === "Table") this.#table(node, x, width);
    else if (node.kind === "Beside") this.#beside(node, x, width);
    else this.#stack(node, x, width);
  }

  height(node: Node, width: number): number {
    if (node.kind === "NewPage") return 0;
    if (node.kind === "Text") return this.#textHeight(node, width);
    if (node.kind === "Table") {
      const { columns, size } = this.#widths(node, width);
      return sum(node.rows.map((row) => this.#rowHeight(row, columns, size)));
    }
    const padding = node.boxed ? 2 * PAD : 0;
    const inner = width - padding;
    if (node.kind === "Beside") {
      const columns = this.#columns(node, inner);
      return Math.max(...node.parts.map((part, at) => this.height(part, columns[at]!))) + padding;
    }
    const gaps = (node.parts.length - 1) * this.#between(node);
    return node.parts.reduce((sum, part) => sum + this.height(part, inner), gaps) + padding;
  }

  #between = ({ tight }: Stack): number => (tight ? 2 : this.#gap);
  #columns = ({ shares }: Beside, width: number): number[] => {
    const free = width - this.#gutter * (shares.length - 1);
    return divided(shares, free);
  };

  #ink({ bold = false, grow = 0, align = "left", mark }: Text): Ink {
    const dark = mark === "Bar" && isDark(this.#tint);
    return { bold, size: this.#canvas.size + grow, align, ...(dark && { colour: "white" }) };
  }

  #textHeight(node: Text, width: number): number {
    const words = [node.label, node.text].filter(Boolean).join(" ");
    const ink = this.#ink(node);
    const bold = ink.bold === true || node.boldLabel === true;
    return this.#canvas.height(words, width - (node.mark === "Bar" ? 6 : 0), { ...ink, bold }) + (node.mark ? 5 : 0);
  }

  #text(node: Text, x: number, width: number): void {
    const height = this.#textHeight(node, width);
    this.#canvas.need(height + (node.mark ? 24 : 0));
    const { y } = this.#canvas;
    if (node.mark === "Bar") this.#canvas.fill(x, y, width, height - 1, this.#tint);
    if (node.mark === "Line") this.#canvas.rule(y + height - 2, x, x + width);
    const [inset, ink] = [node.mark === "Bar" ? 3 : 0, this.#ink(node)];
    if (node.label === undefined) this.#canvas.at(node.text, x + inset, y + inset * 0.7, width - 2 * inset, ink);
    else this.#canvas.labelled(node.label, node.text, x, y, width, ink, node.boldLabel === true);
    this.#canvas.y = y + height;
  }

  #stack(node: Stack, x: number, width: number): void {
    const height = this.height(node, width);
    const fits = height < this.#canvas.bottom - this.#canvas.top;
    if (height < (this.#canvas.bottom - this.#canvas.top) * (node.boxed ? 1 : 0.35)) this.#canvas.need(height);
    const pad = node.boxed ? PAD : 0;
    if (node.boxed && fits) this.#canvas.frame(x, this.#canvas.y, width, height);
    this.#canvas.y += pad;
    node.parts.forEach((part, at) => {
      if (at > 0) this.#canvas.y += this.#between(node);
      this.draw(part, x + pad, width - 2 * pad);
    });
    this.#canvas.y += pad;
  }

  /** Draws columns, each of which goes on over as many pages as it needs. */
  #beside(node: Beside, x: number, width: number): void {
    const height = this.height(node, width);
    const fits = height < this.#canvas.bottom - this.#canvas.top;
    if (fits && height < 400) this.#canvas.need(height);
    const pad = node.boxed ? PAD : 0;
    const start = this.#canvas.position;
    if (node.boxed && fits) this.#canvas.frame(x, start.y, width, height);
    let left = x + pad;
    let end = start;
    const columns = this.#columns(node, width - 2 * pad);
    node.parts.forEach((part, at) => {
      this.#canvas.position = { ...start, y: start.y + pad };
      this.draw(part, left, columns[at]!);
      left += columns[at]! + this.#gutter;
      const here = this.#canvas.position;
      if (here.page > end.page || (here.page === end.page && here.y > end.y)) end = here;
    });
    this.#canvas.position = { ...end, y: end.y + pad };
  }

  /** Divides the width among the columns, so that no word is broken if there is room. */
  #widths({ rows, shares }: Table, width: number): { columns: number[]; size: number } {
    const least = shares.map((_, at) =>
      Math.max(12, ...rows.flatMap((row) => (row.length === shares.length ? [this.#leastWidth(row[at]!)] : []))),
    );
    const needed = sum(least);
    const room = Math.min(1, width / needed);
    const wanted = divided(shares, width - Math.min(width, needed));
    const size = Math.max(5.5, this.#canvas.size * room);
    const columns = least.map((one, at) => one * room + wanted[at]!);
    return { columns, size };
  }

  #leastWidth({ text, caption, bold }: Cell): number {
    const words = this.#canvas.wordWidth(text, { bold: bold === true });
    return Math.max(words, caption ? this.#canvas.wordWidth(caption, SMALL) : 0) + 2 * PAD + 0.5;
  }

  #captionHeight({ caption }: Cell, width: number): number {
    return caption ? this.#canvas.height(caption, width - 2 * PAD, SMALL) : 0;
  }

  #rowHeight(row: Cell[], columns: number[], size: number): number {
    const heights = placed(row, columns).map(({ cell, width }) => {
      const caption = this.#captionHeight(cell, width);
      const ink = { bold: cell.bold === true, size };
      return this.#canvas.height(cell.text || " ", width - 2 * PAD, ink) + caption + 2 * PAD;
    });
    return Math.max(...heights);
  }

  #table(node: Table, x: number, width: number): void {
    const { columns, size } = this.#widths(node, width);
    const heights = node.rows.map((row) => this.#rowHeight(row, columns, size));
    if (sum(heights) < 220) this.#canvas.need(sum(heights));
    node.rows.forEach((row, at) => {
      const height = heights[at]!;
      this.#canvas.need(height);
      const isHead = at < node.heads && node.lines !== "None";
      if (isHead) this.#canvas.fill(x, this.#canvas.y, width, height, this.#tint);
      const ink = { size, colour: isHead && isDark(this.#tint) ? "white" : "black" };
      for (const { cell, left, width: room } of placed(row, columns)) {
        if (node.lines === "Grid") this.#canvas.frame(x + left, this.#canvas.y, room, height);
        this.#cell(cell, x + left + PAD, room - 2 * PAD, ink);
      }
      this.#canvas.y += height;
      if (node.lines === "Rows") this.#canvas.rule(this.#canvas.y, x, x + width);
    });
  }

  #cell(cell: Cell, x: number, width: number, ink: Ink): void {
    const { text, caption, bold = false, right } = cell;
    const { y } = this.#canvas;
    if (caption) this.#canvas.at(caption, x, y + 1.5, width, { ...ink, ...SMALL });
    const align = right ? "right" : "left";
    this.#canvas.at(text, x, y + PAD + this.#captionHeight(cell, width + 2 * PAD), width, { ...ink, bold, align });
  }
}

const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0);

function divided(shares: number[], width: number): number[] {
  return shares.map((share) => (share / sum(shares)) * width);
}

/** Finds the place of each cell of a row. */
function placed(row: Cell[], columns: number[]): { cell: Cell; left: number; width: number }[] {
  let at = 0;
  return row.map((cell) => {
    const left = sum(columns.slice(0, at));
    const width = sum(columns.slice(at, at + (cell.span ?? 1)));
    at += cell.span ?? 1;
    return { cell, left, width };
  });
}

const isDark = (colour: string): boolean => Number.parseInt(colour.slice(1, 3), 16) < 0x90;
