import type { InvoiceView } from "./view.ts";

/** Document types of UN/EDIFACT 1001, as in CII and UBL. */
export const kindByCode: Record<string, InvoiceView["kind"]> = {
  "380": "Invoice",
  "326": "Invoice",
  "381": "CreditNote",
  "261": "CreditNote",
  "384": "Correction",
  "325": "Proforma",
  "386": "Prepayment",
  "389": "SelfBilled",
};

/** Payment means of UN/EDIFACT 4461 that the view distinguishes; direct debits are not among them. */
export const methodByCode: Record<string, InvoiceView["paymentMethod"]> = {
  "10": "Cash",
  "30": "BankTransfer",
  "31": "BankTransfer",
  "42": "BankTransfer",
  "58": "BankTransfer",
  "48": "Card",
  "54": "Card",
  "55": "Card",
};
