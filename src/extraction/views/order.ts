import * as z from "zod";

/**
 * The order as data: sections 2.4 to 2.7 of the specification. Its spellings are law, the odd ones
 * (`refrenceNumbers`, `temeratureFrom`, `temeratureTo`) included: clients already read them.
 */
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

export const OrderLocation = z
  .object({
    sequence: z.number().int().describe("Position in the route, from 1 without gaps."),
    group: z.number().optional(),
    type: z.enum(["Loading", "Unloading", "Customs", "Stop"]),
    startDate: text.optional().describe("Local time at the stop, without offset when the document gives none."),
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

export const OrderView = z
  .object({
    orderNumber: text.optional(),
    referenceNumber: text.optional().describe("Several are separated by commas."),
    sentNumber: text.optional().describe("Number of the Polish SENT declaration."),
    orderDate: text.optional().describe("A date."),
    licensePlates: z.array(text).optional().describe("Upper case, without blanks."),
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
export type CargoItem = z.output<typeof CargoItem>;
export type Party = z.output<typeof Party>;
export type Payments = z.output<typeof Payments>;
