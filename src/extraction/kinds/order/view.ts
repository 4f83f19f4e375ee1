import * as z from "zod";
import { CargoItem, Party, Payments } from "../../document/shapes.ts";

/**
 * Sections 2.4 to 2.7 of the specification. Clients depend on the spelling, including mistakes (`refrenceNumbers`,
 * `temeratureFrom`, `temeratureTo`).
 */
const text = z.string();
const kilograms = z.number().describe("Kilograms.");

export const OrderLocation = z
  .object({
    sequence: z.number().int().describe("Position in the route, from 1 without gaps."),
    group: z.number().optional(),
    type: z.enum(["Loading", "Unloading", "Customs", "Stop"]),
    startDate: text.optional().describe("Local time at the stop; without offset if the document states none."),
    endDate: text.optional(),
    fixTime: z.boolean().optional(),
    countryCode: text.optional(),
    postalCode: text.optional(),
    city: text.optional(),
    normalizedCity: text.optional().describe("The gazetteer's spelling."),
    street: text.optional(),
    normalizedStreet: text.optional(),
    name: text.optional(),
    normalizedName: text.optional(),
    notes: text.optional(),
    containerNumber: text.optional(),
    containerType: text.optional(),
    tasCode: text.optional(),
    tarCode: text.optional(),
    tarValidity: text.optional(),
    refrenceNumbers: z.array(text).optional().describe("Spelled as in the specification."),
    coordinates: z.object({ latitude: z.number().optional(), longitude: z.number().optional() }).optional(),
    cargo: z.array(CargoItem).optional(),
    totalWeight: kilograms.optional(),
    totalQuantity: z.number().optional(),
  })
  .meta({ id: "OrderLocation" });

export const OrderView = z
  .object({
    orderNumber: text.optional(),
    referenceNumber: text.optional().describe("Several references are separated by commas."),
    sentNumber: text.optional().describe("Number of the Polish SENT declaration."),
    orderDate: text.optional().describe("A date."),
    licensePlates: z.array(text).optional().describe("Upper case, without spaces."),
    trailerTypes: z.array(text).optional().describe("Ids of the trailer type table, as strings."),
    payer: Party.optional(),
    customer: Party.optional(),
    carrier: Party.optional(),
    customerBranch: Party.optional(),
    locations: z.array(OrderLocation).optional(),
    payments: Payments.optional(),
    distance: text.optional().describe("Kilometres, decimal."),
    emptyDistance: text.optional().describe("Kilometres, decimal."),
    documentSubmissionMethods: z
      .array(text)
      .optional()
      .describe("Email, OriginalByPost, PortalUpload; the list is open."),
    links: z.array(text).optional(),
    capabilities: z.array(text).optional().describe("PalletsExchange, SecureParking; the list is open."),
    vehiclesLicensePlates: z.array(text).optional(),
    trailersLicensePlates: z.array(text).optional(),
    comments: text.optional(),
    accountingComments: text.optional(),
    driverComments: text.optional(),
    invoiceEmail: text.optional(),
    penalties: text.optional(),
    incoterms: text.optional(),
    cargoValue: z.object({ value: z.number().optional(), currency: text.optional() }).optional(),
    subcontractorPrice: z.number().optional(),
  })
  .meta({ id: "OrderView" });

export type OrderView = z.output<typeof OrderView>;
export type OrderLocation = z.output<typeof OrderLocation>;
