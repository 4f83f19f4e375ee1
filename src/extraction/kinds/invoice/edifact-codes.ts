import type { InvoiceView } from "./view.ts";

type Kind = InvoiceView["kind"];
type Method = InvoiceView["paymentMethod"];

/** Document types of UN/EDIFACT 1001, as CII and UBL give them. */
const kinds: Record<string, Kind> = {
  "380": "Invoice",
  "326": "Invoice",
  "381": "CreditNote",
  "261": "CreditNote",
  "384": "Correction",
  "325": "Proforma",
  "386": "Prepayment",
  "389": "SelfBilled",
};

export function kindOfCode(code: string | undefined): Kind {
  return code === undefined ? undefined : kinds[code];
}

/** Payment means of UN/EDIFACT 4461. Direct debits and the like are none of those the view knows. */
const methods: Record<string, Method> = {
  "10": "Cash",
  "30": "BankTransfer",
  "31": "BankTransfer",
  "42": "BankTransfer",
  "58": "BankTransfer",
  "48": "Card",
  "54": "Card",
  "55": "Card",
};

export function methodOfCode(code: string | undefined): Method {
  return code === undefined ? undefined : methods[code];
}
