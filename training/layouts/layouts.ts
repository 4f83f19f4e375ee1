import type { Chance } from "../chance.ts";
import { mailBytes } from "../set/mail.ts";
import type { Sheet } from "../sheet/sheet.ts";
import { House, stopForms } from "./house.ts";
import { html, htmlPage } from "./html.ts";
import { pageOf } from "./page.ts";
import { orderRows, separated, workbook } from "./rows.ts";
import { encoded, printed, printer } from "./text.ts";
import { write, type Medium } from "./write.ts";

/** Renders one sheet, or several of one sender, as the bytes of a file. */
export interface Layout {
  extension: "pdf" | "docx" | "xlsx" | "eml" | "html" | "txt" | "csv";
  /** How often the layout is used, relative to the others. */
  weight: number;
  /** Number of orders in one file; one by default. */
  orders?: (chance: Chance) => number;
  /** Whether an order has exactly one loading and one unloading. */
  pair?: boolean;
  /** Whether the file does not name the sender. */
  anonymous?: boolean;
  set(sheets: Sheet[], chance: Chance): Promise<Uint8Array> | Uint8Array;
}

const several = (chance: Chance): number => chance.between(2, 3);

/** A file whose stops are laid out as in the family; without family, in any way. */
function file(extension: Medium, weight: number, family = ""): Layout {
  return {
    extension,
    weight,
    set: (sheets, chance) => {
      const house = new House(chance, family);
      const pages = sheets.map((sheet) => pageOf(house, sheet));
      return write(extension, chance, house, pages, sheets[0]!.label("page"));
    },
  };
}

/** An order in the body of a mail, or attached to a short one. */
function mail(weight: number, way: "Text" | "Html" | "Attached"): Layout {
  return {
    extension: "eml",
    weight,
    set: async ([sheet], chance) => {
      const { mail } = sheet!;
      const house = new House(chance, chance.fork("family").pick(["prose", "form", "prose", ""]));
      const { body } = pageOf(house, sheet!, true);
      if (way === "Text") return mailBytes({ ...mail, text: printed(body, printer(chance, true)).join("\n") });
      if (way === "Html") return mailBytes({ ...mail, html: htmlPage(html(body)) });
      const text = [...mail.opening, "", mail.closing, mail.from.name, "", ...mail.older].join("\n");
      const bytes = await file("pdf", 0).set([sheet!], chance);
      return mailBytes({ ...mail, text, attachment: { name: "order.pdf", type: "application/pdf", bytes } });
    },
  };
}

const rows: Layout = {
  extension: "xlsx",
  weight: 3,
  pair: true,
  anonymous: true,
  orders: (chance) => chance.between(1, 4),
  set: (sheets, chance) => workbook(chance.pick(["Orders", "Export"]), orderRows(chance, sheets)),
};

/** Families of layouts by name. */
export const layouts: Record<string, Layout> = {
  ...Object.fromEntries(Object.keys(stopForms).map((family) => [family, file("pdf", 16, family)])),
  bundle: { ...file("pdf", 3), orders: several },
  print: file("txt", 6),
  prints: { ...file("txt", 2), orders: several },
  "mail-text": mail(12, "Text"),
  "mail-table": mail(5, "Html"),
  "mail-pdf": mail(5, "Attached"),
  html: file("html", 3),
  docx: file("docx", 6),
  workbook: file("xlsx", 5),
  rows,
  csv: { ...rows, extension: "csv", set: (sheets, chance) => encoded(separated(chance, orderRows(chance, sheets))) },
};
