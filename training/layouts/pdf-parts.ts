import type { Chance } from "../chance.ts";
import { Canvas } from "../set/canvas.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";

const TINTS = ["#e6ecf2", "#eeeeee", "#dfe8d8", "#f3ead8"];

/** The style of one PDF. */
export interface PdfStyle {
  colon: boolean;
  boldLabels: boolean;
  /** Width of the label column; 0 prints label and value on one line. */
  labelWidth: number;
  tint: string;
}

export function randomStyle(chance: Chance): PdfStyle {
  return {
    colon: chance.happens(0.7),
    boldLabels: chance.happens(0.4),
    labelWidth: chance.pick([0, 0, 95, 120, 140]),
    tint: chance.pick(TINTS),
  };
}

/** Renders sheets as a PDF. Each begins on a new page. */
export async function pdf(
  chance: Chance,
  sheets: Sheet[],
  draw: (canvas: Canvas, sheet: Sheet, style: PdfStyle) => void,
): Promise<Uint8Array> {
  const canvas = new Canvas(chance, JSON.stringify(sheets));
  const drawn = randomStyle(chance);
  sheets.forEach((sheet, at) => {
    if (at > 0) canvas.newPage();
    draw(canvas, sheet, drawn);
    foot(canvas, sheet, at + 1, sheets.length);
  });
  return canvas.finish();
}

/** Draws the letterhead and the title. */
export function top(canvas: Canvas, { letterhead, title }: Sheet): void {
  letterhead.forEach((line, at) =>
    canvas.line(line, at === 0 ? { bold: true, size: canvas.size + 3 } : { size: canvas.size - 0.5 }, 2),
  );
  if (letterhead.length > 0) canvas.rule();
  canvas.y += 8;
  canvas.line(title, { bold: true, size: canvas.size + 5 }, 8);
}

export function labelled({ label, value, bare }: Item, { colon }: PdfStyle): string {
  return bare ? value : `${label}${colon ? ":" : ""} ${value}`;
}

/** Draws items in a column; returns its bottom. */
export function column(canvas: Canvas, items: Item[], style: PdfStyle, x: number, y: number, width: number): number {
  let below = y;
  const labelWidth = Math.min(style.labelWidth, width * 0.45);
  for (const item of items) {
    if (item.bare || labelWidth === 0) below += canvas.at(labelled(item, style), x, below, width) + 2;
    else {
      const label = canvas.at(item.label + (style.colon ? ":" : ""), x, below, labelWidth - 4, {
        bold: style.boldLabels,
      });
      below += Math.max(label, canvas.at(item.value, x + labelWidth, below, width - labelWidth)) + 2;
    }
  }
  return below;
}

/** Returns the height that `column` needs for the items. */
export function columnHeight(canvas: Canvas, items: Item[], style: PdfStyle, width: number): number {
  const labelWidth = Math.min(style.labelWidth, width * 0.45);
  return items.reduce((sum, item) => {
    if (item.bare || labelWidth === 0) return sum + canvas.height(labelled(item, style), width) + 2;
    return (
      sum +
      Math.max(
        canvas.height(item.label, labelWidth - 4, { bold: style.boldLabels }),
        canvas.height(item.value, width - labelWidth),
      ) +
      2
    );
  }, 0);
}

/** Draws a block with its title across the page. */
export function section(canvas: Canvas, { title, items }: Block, style: PdfStyle, filled: boolean): void {
  canvas.need(columnHeight(canvas, items, style, canvas.width) + 20);
  if (filled) canvas.fill(canvas.left, canvas.y - 2, canvas.width, canvas.size + 6, style.tint);
  canvas.line(title, { bold: true }, 4);
  canvas.y = column(canvas, items, style, canvas.left + 4, canvas.y, canvas.width - 8) + 6;
}

/** Draws blocks of equal width side by side, with frames if `framed`. */
export function sideBySide(canvas: Canvas, blocks: Block[], style: PdfStyle, framed: boolean): void {
  const width = canvas.width / blocks.length;
  const height =
    Math.max(...blocks.map(({ items }) => columnHeight(canvas, items, style, width - 12))) + canvas.size + 14;
  canvas.need(height);
  blocks.forEach(({ title, items }, at) => {
    const x = canvas.left + at * width;
    const below = canvas.at(title, x + 5, canvas.y + 4, width - 10, { bold: true });
    column(canvas, items, style, x + 5, canvas.y + 6 + below, width - 12);
    if (framed) canvas.frame(x, canvas.y, width, height);
  });
  canvas.y += height + 6;
}

/** Draws the conditions in small print at the end; if `overleaf`, on a page of their own. */
export function terms(canvas: Canvas, { terms: { title, sentences } }: Sheet, overleaf: boolean): void {
  if (overleaf) canvas.newPage();
  canvas.y += 6;
  canvas.line(title, { bold: true }, 4);
  sentences.forEach((sentence, at) => canvas.line(`${at + 1}. ${sentence}`, { size: canvas.size - 1 }, 2));
}

function foot(canvas: Canvas, { foot, page }: Sheet, number: number, of: number): void {
  const size = 6.5;
  canvas.at([...foot, `${page} ${number}/${of}`].join("   "), canvas.left, 815, canvas.width, {
    size,
    align: "center",
  });
}
