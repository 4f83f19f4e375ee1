import * as z from "zod";
import { Party } from "../../document/shapes.ts";

const text = z.string();
const money = z.number().describe("In `currency`, at most 2 decimals.");

export const ReceiptItem = z
  .object({
    description: text.optional(),
    quantity: z.number().optional(),
    unitPrice: z.number().optional().describe("Price of one unit; includes tax if the receipt prints it that way."),
    grossAmount: money.optional(),
  })
  .meta({ id: "ReceiptItem" });

export const ReceiptView = z
  .object({
    number: text.optional(),
    issuedAt: text
      .optional()
      .describe("Local date and time, without offset: 2026-10-15T18:42; only a date if no time is printed."),
    merchant: Party.optional(),
    category: z.enum(["Fuel", "Toll", "Parking", "Wash", "Restaurant", "Hotel", "Other"]).optional(),
    items: z.array(ReceiptItem).optional(),
    currency: text.optional().describe("ISO 4217."),
    netAmount: money.optional(),
    vatAmount: money.optional(),
    grossAmount: money.optional(),
    licensePlate: text.optional().describe("Upper case, without blanks."),
    cardLast4: text.optional().describe("Last four digits of the card that paid."),
    odometer: z.number().optional().describe("Kilometres."),
  })
  .meta({ id: "ReceiptView" });

export type ReceiptView = z.output<typeof ReceiptView>;
export type ReceiptItem = z.output<typeof ReceiptItem>;
