import { defineStoredKind } from "../kind.ts";
import { checkInvoice } from "./checks.ts";
import { extractInvoice } from "./invoice.ts";
import { invoiceStarts } from "./references.ts";
import { invoicesInData } from "./structured-data.ts";
import { InvoiceView } from "./view.ts";

export const invoice = defineStoredKind({
  apiName: { singular: "Invoice", plural: "Invoices" },
  noun: "Invoice",
  phrase: "an invoice",
  description: "invoice or credit note",
  view: InvoiceView,
  critical: ["/number", "/issueDate", "/seller/vatCode", "/buyer/vatCode", "/currency", "/netAmount", "/grossAmount"],
  sender: "seller",
  titles: ["titleInvoice", "titleCreditNote", "titleProforma"],
  numberLabels: ["invoiceNumber", "titleInvoice"],
  extract: extractInvoice,
  extractStructured: invoicesInData,
  starts: invoiceStarts,
  excludedBy: [],
  check: checkInvoice,
  complete: (data, checks) => ({ ...data, checks }),
  index: ({ number, issueDate, seller, buyer, licensePlates, grossAmount, currency, orderNumbers, lines }) => ({
    number,
    date: issueDate,
    parties: [seller, buyer],
    licensePlates,
    amount: grossAmount,
    currency,
    words: [...(orderNumbers ?? []), ...(lines ?? []).map(({ description }) => description)],
  }),
  example: {
    number: "FV/118/2026",
    kind: "Invoice",
    issueDate: "2026-11-20",
    saleDate: "2026-11-19",
    dueDate: "2027-01-04",
    seller: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679", country: "CZ", city: "Brno" },
    buyer: { name: "Beispiel Spedition GmbH", vatCode: "DE123456788", country: "DE", city: "Hamburg" },
    iban: "CZ6508000000192000145399",
    currency: "EUR",
    lines: [{ description: "Transport Leipzig – Wrocław", quantity: 1, netAmount: 780, vatRate: 0, grossAmount: 780 }],
    netAmount: 780,
    vatAmount: 0,
    grossAmount: 780,
    paymentMethod: "BankTransfer",
    paymentDays: 45,
    orderNumbers: ["BS-26-04711"],
    licensePlates: ["1BX4821"],
  },
});
