import type { Chance } from "../chance.ts";
import { addressLines, oneLine } from "../sheet/parties.ts";
import type { Voice } from "../voice.ts";
import { country } from "../world/countries.ts";
import type { Firm } from "../world/firms.ts";
import { printedVat } from "../world/vat.ts";
import type { Charge, Invoice, Receipt } from "./invoice.ts";
import type { Wording } from "./words.ts";

export type Pair = [label: string, value: string];

export interface TableColumn {
  heading: string;
  /** Share of the table's width. */
  share: number;
  right: boolean;
}

/** The texts of an invoice, from which each layout makes a file. */
export interface InvoiceSheet {
  title: string;
  number: Pair;
  head: Pair[];
  seller: { title: string; lines: string[]; oneLine: string; vat: string[] };
  buyer: { title: string; lines: string[] };
  columns: TableColumn[];
  rows: string[][];
  totals: Pair[];
  payment: Pair[];
  foot: string[];
}

/** Which optional columns the table of the invoice has. */
export interface Columns {
  unit: boolean;
  tax: boolean;
  gross: boolean;
}

export function columnsOf(chance: Chance): Columns {
  const tax = chance.happens(0.5);
  return { unit: chance.happens(0.5), tax, gross: tax && chance.happens(0.7) };
}

function party(chance: Chance, voice: Voice, of: Firm): { lines: string[]; vat: string[] } {
  const vat = of.vat && `${voice.label("vat")}: ${printedVat(chance, of.vat, country(of.place.country))}`;
  return { lines: [of.name, ...addressLines(voice, of)], vat: vat ? [vat] : [] };
}

export function invoiceSheet(
  chance: Chance,
  voice: Voice,
  words: Wording,
  invoice: Invoice,
  columns: Columns,
): InvoiceSheet {
  const { figures } = voice;
  const money = (amount: number): string => figures.number(amount, 2);
  const sum = (amount: number): string => `${money(amount)} ${invoice.currency}`;
  const [seller, buyer] = [party(chance, voice, invoice.seller), party(chance, voice, invoice.buyer)];
  const percent = `${invoice.rate}%`;
  const row = (line: Charge, at: number): string[] => [
    String(at + 1),
    line.description,
    ...(columns.unit ? [line.unit] : []),
    figures.number(line.quantity),
    money(line.price),
    money(line.net),
    ...(columns.tax ? [percent] : []),
    ...(columns.gross ? [money(line.tax), money(line.gross)] : []),
  ];
  const column = (heading: string, share: number, right = true): TableColumn => ({ heading, share, right });
  return {
    title: words.word(invoice.credit ? "credit" : "title"),
    number: [words.word("number"), invoice.number],
    head: [
      [words.word("issued"), voice.date(invoice.issued)],
      [words.word("sold"), voice.date(invoice.sold)],
      [words.word("due"), voice.date(invoice.due)],
    ],
    seller: { title: words.word("seller"), ...seller, oneLine: oneLine(voice, invoice.seller) },
    buyer: { title: words.word("buyer"), lines: [...buyer.lines, ...buyer.vat] },
    columns: [
      column("#", 4),
      column(words.word("item"), columns.gross ? 30 : 42, false),
      ...(columns.unit ? [column(words.word("unit"), 8, false)] : []),
      column(words.word("qty"), 8),
      column(words.word("price"), 13),
      column(words.word("net"), 14),
      ...(columns.tax ? [column(words.word("rate"), 9)] : []),
      ...(columns.gross ? [column(words.word("tax"), 12), column(words.word("gross"), 14)] : []),
    ],
    rows: invoice.lines.map(row),
    totals: [
      [words.word("sumNet"), sum(invoice.net)],
      [words.word("sumTax", { r: invoice.rate }), sum(invoice.tax)],
      [words.word("sumGross"), sum(invoice.gross)],
      ...(chance.happens(0.5) ? [[words.word("pay"), sum(invoice.gross)] as Pair] : []),
    ],
    payment: [
      [words.word("account"), invoice.iban],
      [words.word("method"), `${words.word("transfer")}, ${words.word("term", { n: invoice.days })}`],
      ...(invoice.plates.length > 0 ? [[voice.label("plates"), invoice.plates.join(" / ")] as Pair] : []),
    ],
    foot: invoice.rate === 0 ? [words.word("reverse")] : [],
  };
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Formats a receipt as lines for a paper roll of the given width in characters. */
export function roll(chance: Chance, voice: Voice, words: Wording, receipt: Receipt, width: number): string[] {
  const { figures } = voice;
  const money = (amount: number): string => figures.number(amount, 2);
  const centred = (text: string): string => " ".repeat(Math.max(0, Math.floor((width - text.length) / 2))) + text;
  const split = (left: string, right: string): string =>
    left + " ".repeat(Math.max(2, width - left.length - right.length)) + right;
  const decimals = (price: number): number => (Number.isInteger(price * 100) ? 2 : 3);
  const twoLines = chance.happens(0.5);
  const times = chance.pick(["x", "*", "x"]);
  const { merchant } = receipt;
  const { lines, vat } = party(chance, voice, merchant);
  const items = receipt.items.flatMap(({ description, quantity, price, gross, unit }) => {
    const count = `${figures.number(quantity, Number.isInteger(quantity) ? 0 : 2)} ${unit} ${times} ${figures.number(price, decimals(price))}`;
    return twoLines
      ? [description, split(`  ${count}`, money(gross))]
      : [split(`${description}  ${count}`, `  ${money(gross)}`)];
  });
  const rule = chance.pick(["-", "=", "*"]).repeat(width);
  const moment = `${words.word("day")}: ${voice.date(receipt.day)}  ${words.word("clock")}: ${two(Math.floor(receipt.clock / 60))}:${two(receipt.clock % 60)}`;
  const set = chance.happens(0.6) ? centred : (text: string) => text;
  return [
    ...[...lines, ...vat].map(set),
    set(words.word("receipt")),
    `${words.word("receiptNo")}: ${receipt.number}`,
    moment,
    ...(receipt.plate ? [`${words.word("plate")}: ${receipt.plate}`] : []),
    ...(receipt.odometer ? [`${words.word("km")}: ${receipt.odometer}`] : []),
    rule,
    ...items,
    rule,
    split(words.word("total"), `${money(receipt.gross)} ${receipt.currency}`),
    split(words.word("sumNet"), money(receipt.net)),
    split(words.word("taxLine", { r: receipt.rate }), money(receipt.tax)),
    receipt.card
      ? `${words.word("card")}: ************${receipt.card}`
      : split(words.word("cash"), money(receipt.gross)),
  ];
}
