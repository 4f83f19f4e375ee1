import * as z from "zod";

// Shapes shared by several kinds of documents. Clients use the misspelled `temeratureFrom` and `temeratureTo`.
const text = z.string();
const kilograms = z.number().describe("Kilograms.");

export const Contact = z.object({
  name: text.optional(),
  email: text.optional(),
  phone: text.optional(),
});

export const Party = z
  .object({
    name: text.optional(),
    vatCode: text.optional().describe("With country prefix, without blanks."),
    country: text.optional().describe("ISO 3166-1 alpha-2."),
    postalCode: text.optional(),
    city: text.optional(),
    street: text.optional(),
    internalId: text.optional().describe("The caller's own id of this party, once mapped."),
    contactPerson: Contact.optional(),
    drivers: z.array(z.object({ name: text.optional(), phone: text.optional() })).optional(),
  })
  .meta({ id: "Party" });

export const CargoItem = z
  .object({
    cargoType: text.optional(),
    weight: kilograms.optional(),
    ldm: z.number().optional().describe("Loading metres."),
    pallets: z.number().optional(),
    quantity: z.number().optional(),
    straps: z.number().optional(),
    matts: z.number().optional(),
    length: z.number().optional().describe("In `units`."),
    width: z.number().optional().describe("In `units`."),
    height: z.number().optional().describe("In `units`."),
    volume: z.number().optional().describe("Cubic metres."),
    palletsExchange: z.boolean().optional(),
    adr: z.boolean().optional(),
    stackable: z.boolean().optional(),
    ftl: z.boolean().optional(),
    temeratureFrom: z.number().optional().describe("Degrees Celsius. Spelled as in the specification."),
    temeratureTo: z.number().optional().describe("Degrees Celsius. Spelled as in the specification."),
    refrigeratorUnitMode: z.enum(["Auto", "Off", "Continuous"]).optional(),
    units: text.optional().describe("Unit of length, width and height: mm, cm or m."),
    vin: text.optional(),
    color: text.optional(),
    cargoPlate: text.optional(),
    productCode: text.optional(),
  })
  .meta({ id: "CargoItem" });

export const Payments = z
  .object({
    price: z.number().optional(),
    basePrice: z.number().optional(),
    additionalCharges: z.number().optional(),
    totalNetAmount: z.number().optional().describe("Base price and additional charges."),
    paymentDays: z.number().int().optional(),
    currency: text.optional().describe("ISO 4217."),
    isVatInPln: z.boolean().optional(),
    paymentMethod: z.enum(["Card", "BankTransfer", "Cash"]).optional(),
    priceBreakdown: z
      .array(
        z.object({
          type: text.describe(
            "BaseCharge, FuelSurcharge, Toll, WaitingTime, AdditionalStop, Customs, Other; the list is open.",
          ),
          quantity: z.number().optional(),
          unitPrice: z.number().optional(),
          amount: z.number().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Payments" });

export type Party = z.output<typeof Party>;
export type CargoItem = z.output<typeof CargoItem>;
export type Payments = z.output<typeof Payments>;
