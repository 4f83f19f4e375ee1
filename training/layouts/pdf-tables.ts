import type { Chance } from "../chance.ts";
import type { Canvas } from "../set/canvas.ts";
import { table } from "../set/table.ts";
import type { Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";
import { column, pdf, section, sideBySide, terms, top } from "./pdf-parts.ts";
import type { PdfStyle } from "./pdf-parts.ts";
import { stopTable } from "./stop-table.ts";

const WIDE = ["company", "street"];

/** Makes a layout whose stops are a table; `draw` draws the table. */
function tabled(draw: (canvas: Canvas, sheet: Sheet, style: PdfStyle, ruled: boolean) => void) {
  return (sheets: Sheet[], chance: Chance): Promise<Uint8Array> => {
    const ruled = chance.happens(0.6);
    return pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, sheet);
      canvas.y = column(canvas, sheet.head, style, canvas.left, canvas.y, canvas.width) + 8;
      const parties = sheet.blocks.filter(({ role }) => ["customer", "carrier", "payer"].includes(role));
      if (parties.length > 0) sideBySide(canvas, parties, style, ruled);
      draw(canvas, sheet, style, ruled);
      canvas.y += 10;
      for (const block of sheet.blocks)
        if (block.role !== "stop" && !parties.includes(block)) section(canvas, block, style, false);
      terms(canvas, sheet, false);
    });
  };
}

export const stopRows: Layout = {
  extension: "pdf",
  weight: 8,
  wishes: { party: "Lines", withLoad: true },
  set: tabled((canvas, sheet, style, ruled) => {
    const { columns, rows } = stopTable(sheet.blocks.filter(({ role }) => role === "stop"));
    const cells = [["", ...columns.map(({ label }) => label)], ...rows.map(({ title, cells }) => [title, ...cells])];
    const weights = [1.6, ...columns.map(({ about }) => (WIDE.includes(about) ? 2.6 : 1.3))];
    table(canvas, cells, weights, { ruled, headFill: style.tint });
  }),
};

export const stopColumns: Layout = {
  extension: "pdf",
  weight: 6,
  wishes: { withLoad: true },
  set: tabled((canvas, sheet, style, ruled) => {
    const { columns, rows } = stopTable(sheet.blocks.filter(({ role }) => role === "stop"));
    const cells = [
      ["", ...rows.map(({ title }) => title)],
      ...columns.map(({ label }, at) => [label, ...rows.map((row) => row.cells[at]!)]),
    ];
    table(canvas, cells, [1, ...rows.map(() => 2)], { ruled, headFill: style.tint });
  }),
};
