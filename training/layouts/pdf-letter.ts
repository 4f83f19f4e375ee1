import type { Layout } from "./layout.ts";
import { column, labelled, pdf, terms, top } from "./pdf-parts.ts";

/** A letter to the carrier in running sentences. */
export const letter: Layout = {
  extension: "pdf",
  weight: 6,
  wishes: { customer: "Letterhead", party: "Lines" },
  set: (sheets, chance) =>
    pdf(chance, sheets, (canvas, sheet, style) => {
      top(canvas, { ...sheet, title: "" });
      const parties = sheet.blocks.filter(({ role }) => role === "carrier");
      for (const { items } of parties)
        canvas.y = column(canvas, items, { ...style, labelWidth: 0 }, canvas.left, canvas.y, 250) + 18;
      for (const item of sheet.head) canvas.line(labelled(item, style));
      canvas.y += 10;
      canvas.line(sheet.title, { bold: true, size: canvas.size + 1 }, 10);
      for (const paragraph of sheet.letter) canvas.line(paragraph, { size: canvas.size + 1 }, 8);
      for (const { title, items } of sheet.blocks.filter(({ role }) => role === "payer"))
        canvas.line(`${title}: ${items.map((item) => labelled(item, style).replaceAll("\n", ", ")).join(", ")}`);
      terms(canvas, sheet, chance.happens(0.3));
    }),
};
