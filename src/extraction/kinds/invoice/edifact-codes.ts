import type { InvoiceView } from "./view.ts";

/** Document types by their code in UN/EDIFACT 1001. CII and UBL use the same codes. */
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

/**
 * Payment methods by their code in UN/EDIFACT 4461. Codes without a value in the view, such as direct debit, are left
 * out.
 */
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
