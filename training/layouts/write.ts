import type { Chance } from "../chance.ts";
import { docx } from "./docx.ts";
import { House } from "./house.ts";
import { html, htmlPage } from "./html.ts";
import { stack, text, type Page } from "./node.ts";
import { pdf } from "./pdf.ts";
import { cells, workbook } from "./rows.ts";
import { encoded, printed, printer } from "./text.ts";

export type Medium = "pdf" | "docx" | "html" | "txt" | "xlsx";
type Bytes = Promise<Uint8Array> | Uint8Array;

/** Writes the pages of one file. `word` stands before the page number. */
export function write(medium: Medium, chance: Chance, house: House, pages: Page[], word = ""): Bytes {
  if (medium === "pdf") return pdf(chance, house, pages, word);
  const whole = stack(pages.flatMap(({ body, foot }) => [body, ...foot.map((line) => text(line))]));
  if (medium === "txt") return encoded(printed(whole, printer(chance, false)).join("\n"));
  if (medium === "html") return encoded(htmlPage(html(whole)));
  return medium === "docx" ? docx(whole) : workbook(chance.pick(["Sheet1", "Order", "1"]), cells(whole));
}

/** Renders one document of a kind as the bytes of a file. */
export interface TreeLayout<T> {
  extension: Medium;
  /** How often the layout is used, relative to the others. */
  weight: number;
  set: (chance: Chance, of: T) => Bytes;
}

/** Makes a layout for each medium, named like the medium. */
export function treeLayouts<T>(
  weights: Partial<Record<Medium, number>>,
  page: (house: House, of: T) => Page,
): Record<string, TreeLayout<T>> {
  const layout = (extension: Medium, weight: number): TreeLayout<T> => ({
    extension,
    weight,
    set: (chance, of) => {
      const house = new House(chance, "");
      return write(extension, chance, house, [page(house, of)]);
    },
  });
  const entries = Object.entries(weights) as [Medium, number][];
  return Object.fromEntries(entries.map(([medium, weight]) => [medium, layout(medium, weight)]));
}
