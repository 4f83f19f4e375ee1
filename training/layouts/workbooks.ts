import { writeXlsx } from "hucre";
import type { Chance } from "../chance.ts";
import type { Item, Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";
import { encoded } from "./text.ts";

const workbook = (name: string, rows: string[][]): Promise<Uint8Array> => writeXlsx({ sheets: [{ name, rows }] });
const cells = (items: Item[], indent: string[]): string[][] =>
  items.map(({ label, value, bare }) => [...indent, bare ? "" : label, value]);

/** A spreadsheet that is used as a form. */
export const form: Layout = {
  extension: "xlsx",
  weight: 5,
  set: ([sheet], chance) => {
    const indent = chance.happens(0.4) ? [""] : [];
    const rows = [
      ...sheet!.letterhead.map((line) => [...indent, line]),
      [],
      [...indent, sheet!.title],
      ...cells(sheet!.head, indent),
      ...sheet!.blocks.flatMap(({ title, items }) => [[], [...indent, title], ...cells(items, indent)]),
      [],
      ...sheet!.terms.sentences.map((sentence) => [...indent, sentence]),
    ];
    return workbook(chance.pick(["Sheet1", "Order", "1"]), rows);
  },
};

/**
 * Formats orders as rows. The headings have the title of the block as a prefix, to distinguish loading from unloading.
 */
function orderRows(sheets: Sheet[]): string[][] {
  const named = sheets.map((sheet) => new Map(fields(sheet)));
  const columns = [...new Set(named.flatMap((fields) => [...fields.keys()]))];
  return [columns, ...named.map((fields) => columns.map((column) => fields.get(column) ?? ""))];
}

function* fields({ head, blocks }: Sheet): Generator<[string, string]> {
  for (const { label, value } of head) yield [label, value];
  for (const { role, title, items } of blocks) {
    const prefixed = role === "stop" || role === "carrier" || role === "payer";
    for (const { label, value } of items) yield [prefixed ? `${title} ${label}` : label, value.replaceAll("\n", ", ")];
  }
}

const several = (chance: Chance): number => chance.between(1, 4);
const rowWishes = { customer: "Letterhead", party: "Labelled", withLoad: false, numbered: false } as const;

/** A spreadsheet with one order per row, which does not name the sender. */
export const rows: Layout = {
  extension: "xlsx",
  weight: 4,
  pair: true,
  anonymous: true,
  orders: several,
  wishes: rowWishes,
  set: (sheets, chance) => workbook(chance.pick(["Orders", "Export"]), orderRows(sheets.map(unsigned))),
};

export const csv: Layout = {
  ...rows,
  extension: "csv",
  weight: 4,
  set: (sheets, chance) => {
    const separator = chance.pick([";", ";", ",", "\t"]);
    const quoted = (cell: string): string => (/[";,\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    return encoded(
      orderRows(sheets.map(unsigned))
        .map((row) => row.map(quoted).join(separator))
        .join("\r\n"),
    );
  },
};

/** Removes the contact person, for whom rows have no column. */
function unsigned(sheet: Sheet): Sheet {
  return {
    ...sheet,
    head: sheet.head.filter(({ about }) => ["orderNumber", "orderDate", "reference"].includes(about)),
  };
}
