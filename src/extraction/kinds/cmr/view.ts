import * as z from "zod";
import { Party } from "../../document/shapes.ts";

const text = z.string();
const day = z.string().describe("A date, ISO 8601.");

export const CmrPlace = z
  .object({
    place: text.optional().describe("Town as printed."),
    country: text.optional().describe("ISO 3166-1 alpha-2."),
    date: day.optional(),
  })
  .meta({ id: "CmrPlace" });

export const CmrGoods = z
  .object({
    marks: text.optional(),
    quantity: z.number().optional().describe("Number of packages."),
    packing: text.optional(),
    nature: text.optional(),
    statisticalNumber: text.optional().describe("Number of the customs tariff, digits only."),
    grossWeight: z.number().optional().describe("Kilograms."),
    volume: z.number().optional().describe("Cubic metres."),
  })
  .meta({ id: "CmrGoods" });

export const CmrSignature = z
  .object({
    present: z.boolean().optional().describe("Whether the box contains anything besides its caption."),
    stamp: z.boolean().optional(),
    date: day.optional(),
  })
  .meta({ id: "CmrSignature" });

export const CmrView = z
  .object({
    number: text.optional(),
    sender: Party.optional(),
    consignee: Party.optional(),
    carrier: Party.optional(),
    successiveCarriers: z.array(Party).optional(),
    takingOver: CmrPlace.optional(),
    delivery: CmrPlace.optional(),
    goods: z.array(CmrGoods).optional(),
    attachedDocuments: z.array(text).optional(),
    instructions: text.optional(),
    licensePlates: z.array(text).optional().describe("Upper case, without spaces."),
    reservations: text.optional(),
    signatures: z
      .object({ sender: CmrSignature.optional(), carrier: CmrSignature.optional(), consignee: CmrSignature.optional() })
      .optional(),
  })
  .meta({ id: "CmrView" });

export type CmrView = z.output<typeof CmrView>;
