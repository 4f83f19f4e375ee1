import type { Chance } from "../chance.ts";
import { htmlPage } from "../layouts/html.ts";
import { encoded, wrapped } from "../layouts/text.ts";
import { Canvas } from "../set/canvas.ts";
import type { InvoiceSheet, Pair } from "./sheets.ts";

type Extension = "pdf" | "txt" | "html";

/** Renders an invoice as the bytes of a file. */
export interface InvoiceLayout {
  extension: Extension;
  weight: number;
  set(chance: Chance, sheet: InvoiceSheet): Promise<Uint8Array> | Uint8Array;
}

function table(canvas: Canvas, { columns, rows }: InvoiceSheet, style: { ruled: boolean; shaded: boolean }): void {
  const whole = columns.reduce((sum, { share }) => sum + share, 0);
  const widths = columns.map(({ share }) => (share / whole) * canvas.width);
  const draw = (cells: string[], bold: boolean): void => {
    const height = Math.max(...cells.map((cell, at) => canvas.height(cell, widths[at]! - 6, { bold }))) + 5;
    canvas.need(height);
    if (bold && style.shaded) canvas.fill(canvas.left, canvas.y, canvas.width, height, "#e6ecf2");
    let x = canvas.left;
    for (const [at, cell] of cells.entries()) {
      canvas.at(cell, x + 3, canvas.y + 3, widths[at]! - 6, { bold, align: columns[at]!.right ? "right" : "left" });
      if (style.ruled) canvas.frame(x, canvas.y, widths[at]!, height);
      x += widths[at]!;
    }
    canvas.y += height;
    if (!style.ruled && bold) canvas.rule();
  };
  draw(
    columns.map(({ heading }) => heading),
    true,
  );
  for (const row of rows) draw(row, false);
  canvas.y += 6;
}

function pairs(canvas: Canvas, list: Pair[], x: number, labelWidth: number, valueWidth: number, right = false): void {
  for (const [label, value] of list) {
    const height = canvas.at(`${label}:`, x, canvas.y, labelWidth - 4);
    canvas.y +=
      Math.max(height, canvas.at(value, x + labelWidth, canvas.y, valueWidth, { align: right ? "right" : "left" })) + 3;
  }
}

async function pdf(chance: Chance, sheet: InvoiceSheet, draw: (canvas: Canvas) => void): Promise<Uint8Array> {
  const canvas = new Canvas(chance, JSON.stringify(sheet));
  draw(canvas);
  return canvas.finish();
}

/** The parties are in two columns under headings; the table has frames. */
const boxed: InvoiceLayout = {
  extension: "pdf",
  weight: 30,
  set: (chance, sheet) =>
    pdf(chance, sheet, (canvas) => {
      const inTitle = chance.happens(0.4);
      canvas.line(
        inTitle ? `${sheet.title} ${sheet.number[1]}` : sheet.title,
        { bold: true, size: canvas.size + 5 },
        8,
      );
      pairs(canvas, inTitle ? sheet.head : [sheet.number, ...sheet.head], canvas.left + 290, 110, 110);
      canvas.y += 8;
      const half = canvas.width / 2;
      const [left, right] = [
        [sheet.seller.title, ...sheet.seller.lines, ...sheet.seller.vat],
        [sheet.buyer.title, ...sheet.buyer.lines],
      ].map((lines, at) => {
        const title = canvas.at(lines[0]!, canvas.left + at * half, canvas.y, half - 10, { bold: true });
        return title + canvas.at(lines.slice(1).join("\n"), canvas.left + at * half, canvas.y + title + 2, half - 10);
      });
      canvas.y += Math.max(left!, right!) + 14;
      table(canvas, sheet, { ruled: true, shaded: chance.happens(0.5) });
      pairs(canvas, sheet.totals, canvas.left + 290, 120, 100, true);
      canvas.y += 8;
      pairs(canvas, sheet.payment, canvas.left, 130, 300);
      for (const line of sheet.foot) canvas.line(line);
    }),
};

/** A business letter: the seller is at the top and the buyer in the address window, both without a heading. */
const letter: InvoiceLayout = {
  extension: "pdf",
  weight: 30,
  set: (chance, sheet) =>
    pdf(chance, sheet, (canvas) => {
      const { seller, buyer } = sheet;
      canvas.line(seller.lines[0]!, { bold: true, size: canvas.size + 4 }, 2);
      canvas.line(seller.oneLine, { size: canvas.size - 0.5 }, 2);
      canvas.line(seller.vat.join("  "), { size: canvas.size - 0.5 }, 20);
      const top = canvas.y;
      canvas.y += canvas.at(buyer.lines.join("\n"), canvas.left, canvas.y, 230);
      const below = canvas.y;
      canvas.y = top;
      pairs(canvas, [sheet.number, ...sheet.head], canvas.left + 300, 105, 105);
      canvas.y = Math.max(canvas.y, below) + 20;
      canvas.line(sheet.title, { bold: true, size: canvas.size + 3 }, 10);
      table(canvas, sheet, { ruled: false, shaded: false });
      pairs(canvas, sheet.totals, canvas.left + 290, 120, 100, true);
      canvas.y += 12;
      for (const line of sheet.foot) canvas.line(line);
      for (const [label, value] of sheet.payment) canvas.line(`${label}: ${value}`);
    }),
};

/** Everything is in a single column; the totals follow the table. */
const stacked: InvoiceLayout = {
  extension: "pdf",
  weight: 20,
  set: (chance, sheet) =>
    pdf(chance, sheet, (canvas) => {
      canvas.line(sheet.title, { bold: true, size: canvas.size + 5 }, 6);
      for (const [label, value] of [sheet.number, ...sheet.head]) canvas.line(`${label}: ${value}`);
      for (const { title, lines } of [
        { ...sheet.seller, lines: [...sheet.seller.lines, ...sheet.seller.vat] },
        sheet.buyer,
      ]) {
        canvas.y += 6;
        canvas.line(`${title}:`, { bold: true }, 1);
        for (const line of lines) canvas.line(line, {}, 1);
      }
      canvas.y += 10;
      table(canvas, sheet, { ruled: chance.happens(0.5), shaded: true });
      for (const [label, value] of sheet.totals) canvas.line(`${label}   ${value}`, { align: "right" });
      canvas.y += 8;
      for (const [label, value] of sheet.payment) canvas.line(`${label}: ${value}`);
      for (const line of sheet.foot) canvas.line(line);
    }),
};

/** A monospaced printout. */
const print: InvoiceLayout = {
  extension: "txt",
  weight: 10,
  set: (_, sheet) => {
    const width = 100;
    const whole = sheet.columns.reduce((sum, { share }) => sum + share, 0);
    const widths = sheet.columns.map(({ share }) => Math.floor((share / whole) * width));
    const line = (cells: string[]): string[] => {
      const parts = cells.map((cell, at) => wrapped(cell, widths[at]! - 1));
      const height = Math.max(...parts.map(({ length }) => length));
      return Array.from({ length: height }, (_unused, row) =>
        parts
          .map((part, at) => {
            const text = part[row] ?? "";
            return sheet.columns[at]!.right ? `${text.padStart(widths[at]! - 2)}  ` : text.padEnd(widths[at]!);
          })
          .join("")
          .trimEnd(),
      );
    };
    const named = ([label, value]: Pair): string => `${label}: ${value}`;
    const rule = "-".repeat(width);
    return encoded(
      [
        sheet.title,
        ...[sheet.number, ...sheet.head].map(named),
        "",
        `${sheet.seller.title}:`,
        ...[...sheet.seller.lines, ...sheet.seller.vat].map((text) => `  ${text}`),
        "",
        `${sheet.buyer.title}:`,
        ...sheet.buyer.lines.map((text) => `  ${text}`),
        rule,
        ...line(sheet.columns.map(({ heading }) => heading)),
        rule,
        ...sheet.rows.flatMap(line),
        rule,
        ...sheet.totals.map(([label, value]) => `${label.padStart(width - 24)}${value.padStart(22)}`),
        "",
        ...sheet.payment.map(named),
        ...sheet.foot,
      ].join("\n"),
    );
  },
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** An invoice in the body of a mail or on a web page. */
const html: InvoiceLayout = {
  extension: "html",
  weight: 10,
  set: (_, sheet) => {
    const row = (cells: string[], tag: string): string =>
      `<tr>${cells.map((cell) => `<${tag} style="padding:3px">${escaped(cell)}</${tag}>`).join("")}</tr>`;
    const block = (lines: string[]): string => lines.map(escaped).join("<br>");
    const list = (items: Pair[]): string =>
      `<table>${items.map(([label, value]) => row([`${label}:`, value], "td")).join("")}</table>`;
    return encoded(
      htmlPage(
        [
          `<h1>${escaped(sheet.title)}</h1>`,
          list([sheet.number, ...sheet.head]),
          `<table><tr><td><b>${escaped(sheet.seller.title)}</b><br>${block([...sheet.seller.lines, ...sheet.seller.vat])}</td>`,
          `<td><b>${escaped(sheet.buyer.title)}</b><br>${block(sheet.buyer.lines)}</td></tr></table>`,
          `<table border="1">${row(
            sheet.columns.map(({ heading }) => heading),
            "th",
          )}${sheet.rows.map((cells) => row(cells, "td")).join("")}</table>`,
          list(sheet.totals),
          list(sheet.payment),
          `<p>${block(sheet.foot)}</p>`,
        ].join("\n"),
      ),
    );
  },
};

/** Invoice layouts by name. */
export const invoiceLayouts: Record<string, InvoiceLayout> = { boxed, letter, stacked, print, html };

/** Receipt layouts by name: a text file, and a narrow column on a PDF page. */
export const receiptLayouts: Record<
  string,
  { extension: Extension; weight: number; set(chance: Chance, lines: string[]): Promise<Uint8Array> | Uint8Array }
> = {
  roll: { extension: "txt", weight: 60, set: (_, lines) => encoded(lines.join("\n")) },
  strip: {
    extension: "pdf",
    weight: 40,
    set: (chance, lines) => {
      const canvas = new Canvas(chance, lines.join(""));
      for (const line of lines) {
        const [left = "", right = ""] = line.trim().split(/\s{2,}(?=-?[\d.,\s]+(?:\s\p{L}{3})?$)/u);
        const centre = line.startsWith("   ") && right === "";
        const top = canvas.y;
        canvas.at(left, canvas.left, top, 220, { align: centre ? "center" : "left" });
        if (right) canvas.at(right, canvas.left + 140, top, 80, { align: "right" });
        canvas.y += canvas.height(left, 220) + 2;
      }
      return canvas.finish();
    },
  },
};
