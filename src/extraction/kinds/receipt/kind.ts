import { defineStoredKind } from "../kind.ts";
import { checkReceipt } from "./checks.ts";
import { extractReceipt } from "./receipt.ts";
import { ReceiptView } from "./view.ts";

export const receipt = defineStoredKind({
  apiName: { singular: "Receipt", plural: "Receipts" },
  noun: "Receipt",
  phrase: "a receipt",
  description: "receipt",
  view: ReceiptView,
  critical: ["/issuedAt", "/merchant/name", "/grossAmount", "/currency"],
  sender: "merchant",
  titles: ["titleReceipt"],
  numberLabels: ["receiptNumber", "titleReceipt"],
  extract: extractReceipt,
  check: checkReceipt,
  index: ({ number, issuedAt, merchant, licensePlate, grossAmount, currency, items, category }) => ({
    number,
    date: issuedAt,
    parties: [merchant],
    licensePlates: [licensePlate],
    amount: grossAmount,
    currency,
    words: [category, ...(items ?? []).map(({ description }) => description)],
  }),
  example: {
    number: "004711",
    issuedAt: "2026-11-19T18:42",
    merchant: { name: "Rasthof Beispiel", country: "DE" },
    category: "Fuel",
    items: [{ description: "Diesel", quantity: 412.5, unitPrice: 1.619, grossAmount: 667.84 }],
    currency: "EUR",
    netAmount: 561.21,
    vatAmount: 106.63,
    grossAmount: 667.84,
    licensePlate: "1BX4821",
    cardLast4: "9012",
    odometer: 482_113,
  },
});
