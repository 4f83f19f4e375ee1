import * as z from "zod";
import { Party } from "../../document/shapes.ts";

const text = z.string();
const day = z.string().describe("A date, ISO 8601.");

export const InsuranceView = z
  .object({
    kind: text
      .optional()
      .describe("CarrierLiability, Motor, Cargo, GeneralLiability, ForwarderLiability, Other; the list is open."),
    policyNumber: text.optional(),
    insurer: text.optional(),
    policyHolder: Party.optional(),
    validFrom: day.optional(),
    validTo: day.optional(),
    sumInsured: z.number().optional().describe("Per event, in `currency`."),
    currency: text.optional().describe("ISO 4217."),
    territory: z.array(text).optional().describe("Countries (ISO 3166-1 alpha-2), other regions as printed."),
    licensePlates: z.array(text).optional().describe("Upper case, without blanks."),
  })
  .meta({ id: "InsuranceView" });

export type InsuranceView = z.output<typeof InsuranceView>;
