import * as z from "zod";
import { Party } from "../../document/shapes.ts";

const text = z.string();
const money = z.number().describe("In `currency`, at most 2 decimals; negative for credited items.");
const percent = z.number().describe("Percent: 23 for 23 %.");
const day = z.string().describe("A date, ISO 8601.");

export const InvoiceLine = z
  .object({
    description: text.optional(),
    quantity: z.number().optional(),
    unit: text.optional().describe("As printed; electronic invoices give the code of UN/ECE Recommendation 20."),
    unitPrice: z.number().optional().describe("Net price of one unit, in `currency`."),
    netAmount: money.optional(),
    vatRate: percent.optional(),
    vatAmount: money.optional(),
    grossAmount: money.optional(),
  })
  .meta({ id: "InvoiceLine" });

export const VatShare = z
  .object({ vatRate: percent.optional(), netAmount: money.optional(), vatAmount: money.optional() })
  .meta({ id: "VatShare" });

/** Whether values of the document agree with each other. `pointers` name the values that disagree. */
export const DocumentCheck = z
  .object({ name: text, passed: z.boolean(), detail: text, pointers: z.array(text) })
  .meta({ id: "DocumentCheck" });

export const InvoiceView = z
  .object({
    number: text.optional(),
    kind: z.enum(["Invoice", "CreditNote", "Correction", "Proforma", "Prepayment", "SelfBilled"]).optional(),
    issueDate: day.optional(),
    saleDate: day.optional().describe("Day of the sale, the service or the tax point. ISO 8601."),
    dueDate: day.optional(),
    seller: Party.optional(),
    buyer: Party.optional(),
    iban: text.optional().describe("The seller's account, without blanks."),
    currency: text.optional().describe("ISO 4217."),
    lines: z.array(InvoiceLine).optional(),
    netAmount: money.optional(),
    vatAmount: money.optional(),
    grossAmount: money.optional(),
    vatBreakdown: z.array(VatShare).optional(),
    paymentMethod: z.enum(["Card", "BankTransfer", "Cash"]).optional(),
    paymentDays: z.number().int().optional(),
    orderNumbers: z.array(text).optional().describe("Numbers of the invoiced transport orders."),
    licensePlates: z.array(text).optional().describe("Upper case, without blanks."),
    exchangeRate: z.number().optional().describe("Value of one unit of `currency` in the national currency."),
    checks: z.array(DocumentCheck).optional(),
  })
  .meta({ id: "InvoiceView" });

export type InvoiceView = z.output<typeof InvoiceView>;
export type InvoiceLine = z.output<typeof InvoiceLine>;
export type VatShare = z.output<typeof VatShare>;
