import type { Canvas } from "../set/canvas.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";
import { column, columnHeight, pdf, section, sideBySide, terms, top } from "./pdf-parts.ts";
import type { PdfStyle } from "./pdf-parts.ts";

const halves = (blocks: Block[]): Block[][] =>
  blocks.flatMap((_, at) => (at % 2 === 0 ? [blocks.slice(at, at + 2)] : []));
const head = (sheet: Sheet): Block => ({ role: "remarks", title: sheet.title, items: sheet.head });

/** Labels and values in one column. */
export const list: Layout = {
  extension: "pdf",
  weight: 8,
  set: (sheets, chance) => {
    const filled = chance.happens(0.5);
    return pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      canvas.y = column(canvas, sheet.head, style, canvas.left, canvas.y, canvas.width) + 8;
      for (const block of sheet.blocks) section(canvas, block, style, filled);
      terms(canvas, sheet, false);
    });
  },
};

/** Labels and values in one column, followed by a page of conditions, which contain other amounts and days. */
export const termsPage: Layout = {
  extension: "pdf",
  weight: 6,
  wishes: { customer: "Letterhead" },
  set: (sheets, chance) =>
    pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      sideBySide(canvas, [head(sheet), ...sheet.blocks.filter(({ role }) => role === "carrier")], style, false);
      for (const block of sheet.blocks) if (block.role !== "carrier") section(canvas, block, style, true);
      terms(canvas, sheet, true);
    }),
};

/** Ruled cells with small labels in their corners. */
export const grid: Layout = {
  extension: "pdf",
  weight: 8,
  set: (sheets, chance) =>
    pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      cells(canvas, sheet.head);
      for (const { title, items } of sheet.blocks) {
        canvas.need(60);
        canvas.fill(canvas.left, canvas.y, canvas.width, canvas.size + 6, style.tint);
        canvas.frame(canvas.left, canvas.y, canvas.width, canvas.size + 6);
        canvas.at(title, canvas.left + 4, canvas.y + 3, canvas.width - 8, { bold: true });
        canvas.y += canvas.size + 6;
        cells(canvas, items);
      }
      terms(canvas, sheet, false);
    }),
};

/** Draws items as rows of two or three cells; an address takes a whole row. */
function cells(canvas: Canvas, items: Item[]): void {
  for (const row of cellRows(items)) {
    const width = canvas.width / row.length;
    const height = Math.max(...row.map(({ value }) => canvas.height(value, width - 8))) + 14;
    canvas.need(height);
    row.forEach(({ label, value, bare }, at) => {
      const x = canvas.left + at * width;
      canvas.frame(x, canvas.y, width, height);
      if (!bare) canvas.at(label, x + 3, canvas.y + 2, width - 6, { size: 5.5 });
      canvas.at(value, x + 4, canvas.y + (bare ? 5 : 10), width - 8);
    });
    canvas.y += height;
  }
  canvas.y += 1;
}

function cellRows(items: Item[]): Item[][] {
  const rows: Item[][] = [];
  for (const item of items) {
    const last = rows.at(-1);
    const long = item.bare === true || item.value.length > 40;
    if (!last || long || last.length >= 3 || last[0]!.bare || last[0]!.value.length > 40) rows.push([item]);
    else last.push(item);
  }
  return rows;
}

/** Loading and unloading are side by side; the other blocks are in pairs too. */
export const columns: Layout = {
  extension: "pdf",
  weight: 8,
  set: (sheets, chance) => {
    const framed = chance.happens(0.5);
    return pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      canvas.y = column(canvas, sheet.head, style, canvas.left, canvas.y, canvas.width) + 8;
      const groups = Map.groupBy(
        sheet.blocks,
        ({ role }) => ({ customer: "party", carrier: "party", payer: "party", stop: "stop" })[role as string] ?? "rest",
      );
      for (const group of groups.values()) for (const row of halves(group)) sideBySide(canvas, row, style, framed);
      terms(canvas, sheet, false);
    });
  },
};

/** Frames with numbered titles. */
export const numbered: Layout = {
  extension: "pdf",
  weight: 6,
  set: (sheets, chance) => {
    const two = chance.happens(0.5);
    return pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      const blocks = [head(sheet), ...sheet.blocks].map((block, at) => ({
        ...block,
        title: `${at + 1}. ${block.title}`,
      }));
      for (const row of two ? halves(blocks) : blocks.map((block) => [block])) sideBySide(canvas, row, style, true);
      terms(canvas, sheet, chance.happens(0.3));
    });
  },
};

const SIDEBAR = 165;

/** Sender, numbers and price are in a tinted bar on the left; the rest is on the right. */
export const sidebar: Layout = {
  extension: "pdf",
  weight: 6,
  wishes: { customer: "Both" },
  set: (sheets, chance) =>
    pdf(chance, sheets, (canvas, sheet, style) => {
      canvas.fill(0, 0, SIDEBAR + 20, 842, style.tint);
      const inBar = sheet.blocks.filter(({ role }) => role === "customer" || role === "payment");
      let barY = bar(canvas, { role: "remarks", title: sheet.letterhead[0] ?? "", items: sheet.head }, style, 42);
      for (const block of inBar) barY = bar(canvas, block, style, barY);
      const x = SIDEBAR + 35;
      canvas.y += canvas.at(sheet.title, x, canvas.y, canvas.right - x, { bold: true, size: canvas.size + 5 }) + 10;
      for (const block of sheet.blocks) if (!inBar.includes(block)) beside(canvas, block, style, x);
      terms(canvas, sheet, true);
    }),
};

function bar(canvas: Canvas, { title, items }: Block, style: PdfStyle, y: number): number {
  const below = y + canvas.at(title, 22, y, SIDEBAR - 10, { bold: true }) + 3;
  return column(canvas, items, { ...style, labelWidth: 0 }, 22, below, SIDEBAR - 10) + 12;
}

function beside(canvas: Canvas, { title, items }: Block, style: PdfStyle, x: number): void {
  canvas.need(columnHeight(canvas, items, style, canvas.right - x) + 24);
  canvas.y += canvas.at(title, x, canvas.y, canvas.right - x, { bold: true }) + 3;
  canvas.y = column(canvas, items, style, x, canvas.y, canvas.right - x) + 8;
}

/** Several orders of a sender in one file, one per page. */
export const bundle: Layout = { ...list, weight: 3, orders: (chance) => chance.between(2, 3) };
