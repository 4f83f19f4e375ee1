import type { Chance } from "../chance.ts";
import type { Made } from "../document.ts";
import { Voice } from "../voice.ts";
import type { Firm } from "../world/firms.ts";
import type { Places } from "../world/places.ts";
import { makeInvoice, makeReceipt, type Invoice, type Receipt } from "./invoice.ts";
import { invoiceLayouts, receiptLayouts } from "./layouts.ts";
import { columnsOf, invoiceSheet, roll, type Columns } from "./sheets.ts";
import { Wording } from "./words.ts";

const tight = (text: string): string => text.replaceAll(/[\s-]/g, "");

/** Generates an invoice in the given language, with its expected extraction. `name` is the name of the layout. */
export async function makeInvoiceDocument(
  chance: Chance,
  places: Places,
  language: string,
  name: string,
): Promise<Made> {
  const layout = invoiceLayouts[name];
  if (!layout) throw new RangeError(`There is no layout ${name} for invoices.`);
  const words = new Wording(chance.fork("words"), language);
  const invoice = makeInvoice(chance.fork("invoice"), places, language, words);
  const voice = new Voice(chance.fork("voice"), language, { abroad: invoice.rate === 0 });
  const columns = columnsOf(chance);
  const sheet = invoiceSheet(chance.fork("sheet"), voice, words, invoice, columns);
  const bytes = await layout.set(chance.fork("set"), sheet);
  return { bytes, extension: layout.extension, language, truth: invoiceTruth(invoice, columns) as Made["truth"] };
}

function party({ name, street, place, vat }: Firm): Record<string, unknown> {
  return { name, street, postalCode: place.postalCode, city: place.city, ...(vat && { vatCode: vat }) };
}

function invoiceTruth(invoice: Invoice, { tax, gross }: Columns): Record<string, unknown> {
  return {
    number: invoice.number,
    kind: invoice.credit ? "CreditNote" : "Invoice",
    issueDate: invoice.issued,
    saleDate: invoice.sold,
    dueDate: invoice.due,
    seller: party(invoice.seller),
    buyer: party(invoice.buyer),
    iban: tight(invoice.iban),
    currency: invoice.currency,
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.price,
      netAmount: line.net,
      ...(tax && { vatRate: invoice.rate }),
      ...(gross && { vatAmount: line.tax, grossAmount: line.gross }),
    })),
    netAmount: invoice.net,
    vatAmount: invoice.tax,
    grossAmount: invoice.gross,
    paymentMethod: "BankTransfer",
    paymentDays: invoice.days,
    orderNumbers: invoice.orders,
    licensePlates: invoice.plates.map(tight),
    exchangeRate: null,
  };
}

/** Generates a receipt in the given language, with its expected extraction. `name` is the name of the layout. */
export async function makeReceiptDocument(
  chance: Chance,
  places: Places,
  language: string,
  name: string,
): Promise<Made> {
  const layout = receiptLayouts[name];
  if (!layout) throw new RangeError(`There is no layout ${name} for receipts.`);
  const words = new Wording(chance.fork("words"), language);
  const receipt = makeReceipt(chance.fork("receipt"), places, language, words);
  const voice = new Voice(chance.fork("voice"), language, { abroad: false });
  const lines = roll(chance.fork("sheet"), voice, words, receipt, chance.pick([32, 40, 48]));
  const bytes = await layout.set(chance.fork("set"), lines);
  return { bytes, extension: layout.extension, language, truth: receiptTruth(receipt) as Made["truth"] };
}

function receiptTruth(receipt: Receipt): Record<string, unknown> {
  const clock = `${String(Math.floor(receipt.clock / 60)).padStart(2, "0")}:${String(receipt.clock % 60).padStart(2, "0")}`;
  return {
    number: receipt.number,
    issuedAt: `${receipt.day}T${clock}`,
    merchant: party(receipt.merchant),
    items: receipt.items.map(({ description, quantity, price, gross }) => ({
      description,
      quantity,
      unitPrice: price,
      grossAmount: gross,
    })),
    currency: receipt.currency,
    netAmount: receipt.net,
    vatAmount: receipt.tax,
    grossAmount: receipt.gross,
    licensePlate: receipt.plate ? tight(receipt.plate) : null,
    cardLast4: receipt.card ?? null,
    odometer: receipt.odometer ?? null,
  };
}
