import { fields } from "../layouts/fields.ts";
import type { House } from "../layouts/house.ts";
import { beside, lines, stack, text, type Node, type Page } from "../layouts/node.ts";
import { headline } from "../layouts/page.ts";
import { section } from "../layouts/section.ts";
import { treeLayouts } from "../layouts/write.ts";
import type { InvoiceSheet, Pair } from "./sheets.ts";

const itemsOf = (pairs: Pair[]) => pairs.map(([label, value]) => ({ about: "remarks" as const, label, value }));

/** An invoice: parties with headings, or as letterhead and address window; then the table and the totals. */
function page(house: House, sheet: InvoiceSheet): Page {
  const dice = house.dice("invoice");
  const { seller, buyer, foot } = sheet;
  const inTitle = dice.happens(0.3);
  const title = headline(dice, inTitle ? `${sheet.title} ${sheet.number[1]}` : sheet.title);
  const head = fields(house, house.dice("head"), itemsOf(inTitle ? sheet.head : [sheet.number, ...sheet.head]), true);
  const payment = fields(house, house.dice("payment"), itemsOf(sheet.payment));
  const letter = dice.happens(0.35);
  const own = [...seller.lines, ...seller.vat];
  const parties = [
    section(house, seller.title, lines(own), true),
    section(house, buyer.title, lines(buyer.lines), true),
  ];
  const letterhead = [
    text(seller.lines[0]!, { bold: true, grow: 4 }),
    text(seller.oneLine),
    text(seller.vat.join("  ")),
  ];
  const top = letter
    ? [stack(letterhead, { tight: true }), beside([lines(buyer.lines), head]), title]
    : [title, ...dice.shuffled([head, dice.happens(0.7) ? beside(parties) : stack(parties)])];
  const end = [...dice.shuffled([payment, ...foot.map((line) => text(line))])];
  return { body: stack([...top, table(house, sheet), totals(house, sheet), ...end]), foot: [] };
}

function table({ lines }: House, { columns, rows }: InvoiceSheet): Node {
  const row = (cells: string[], bold: boolean) =>
    cells.map((cell, at) => ({ text: cell, bold, right: columns[at]!.right }));
  const heads = columns.map(({ heading }) => heading);
  const shares = columns.map(({ share }) => share);
  return {
    kind: "Table",
    rows: [row(heads, true), ...rows.map((cells) => row(cells, false))],
    shares,
    lines,
    heads: 1,
  };
}

/** The totals below the table: on its right, or as lines. */
function totals(house: House, sheet: InvoiceSheet): Node {
  const dice = house.dice("totals");
  if (dice.happens(0.3))
    return stack(
      sheet.totals.map((pair) => text(pair.join("   "), { align: "right" })),
      { tight: true },
    );
  const rows = sheet.totals.map(([label, value]) => [{ text: label }, { text: value, right: true }]);
  const lines = dice.pick(["None", house.lines] as const);
  return beside([text(""), { kind: "Table", rows, shares: [1.2, 1], lines, heads: 0 }], [1.2, 1]);
}

/** Invoice layouts by name. */
export const invoiceLayouts = treeLayouts({ pdf: 80, txt: 10, html: 10 }, page);

/** A receipt: a narrow column with the amounts on the right. */
function strip(_: House, roll: string[]): Page {
  const rows = roll.map((line) => {
    const [left = "", right = ""] = line.trim().split(/\s{2,}(?=-?[\d.,\s]+(?:\s\p{L}{3})?$)/u);
    return right === "" ? [{ text: left, span: 2 }] : [{ text: left }, { text: right, right: true }];
  });
  const table: Node = { kind: "Table", rows, shares: [2, 1], lines: "None", heads: 0 };
  return { body: beside([table, text("")], [1, 1.3]), foot: [] };
}

/** Receipt layouts by name. */
export const receiptLayouts = treeLayouts({ txt: 60, pdf: 40 }, strip);
