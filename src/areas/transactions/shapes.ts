import * as z from "zod";
import { CardNumber } from "../../domain/payment-cards.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { isKeepable } from "../../domain/periods.ts";
import { choice, Country, Currency, Id, LineText, Metadata, MomentText, said } from "../../domain/shapes.ts";
import { bounds, kinds, types } from "../../extraction/statements/index.ts";

// What it is

/** Numbers in a text are taken as well, with a point. */
const Figure = (field: keyof typeof bounds) =>
  z.preprocess(
    (sent) => (typeof sent === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(sent) ? Number(sent) : sent),
    z.number().min(bounds[field][0]).max(bounds[field][1]),
  ) as unknown as z.ZodType<number, number | string>;

const name = (most: number) => said(LineText(most).trim());

/** As it is compared: capitals without blanks and signs. */
const AnyPlate = LineText(30)
  .transform(barePlate)
  .pipe(z.string().min(2, "Not a licence plate").max(15, "Not a licence plate"));

/** One transaction as it is sent. */
export const ItemInput = z
  .object({
    externalId: name(100).describe("The provider's own number of it: the same number again is the same transaction."),
    invoiceNumber: name(100).describe("The statement or invoice it stands on."),
    kind: said(choice(kinds)).describe("Told by the product's name when not said."),
    type: said(choice(types)).describe(
      "`Purchase` when not said, `Refund` of what is less than 0; `Void` takes back the purchase of the same number.",
    ),
    occurredAt: MomentText.describe("ISO 8601. Without an offset it is local time at the station."),
    cardNumber: said(CardNumber).describe("Kept as its last four signs and a keyed digest."),
    licensePlate: said(AnyPlate),
    vin: said(LineText(40).transform((vin) => vin.toUpperCase().replace(/[^A-Z0-9]/g, ""))),
    driver: name(200).describe("Who drove, as the provider says. Whom the vehicle was assigned to goes before."),
    station: name(200),
    city: name(100),
    postalCode: name(20),
    countryCode: said(Country).describe("Where the station is."),
    latitude: said(Figure("latitude")),
    longitude: said(Figure("longitude")),
    productName: name(200),
    quantity: said(Figure("quantity")),
    unit: name(20).describe("Litres when not said of fuel."),
    unitPrice: said(Figure("unitPrice")),
    netAmount: said(Figure("netAmount")),
    vatAmount: said(Figure("vatAmount")),
    grossAmount: said(Figure("grossAmount")),
    currency: said(Currency),
    odometer: said(Figure("odometer")).describe("Kilometres."),
    metadata: said(Metadata),
  })
  .refine(({ occurredAt }) => isKeepable(occurredAt), {
    message: "Not within the years 0000 to 9999",
    path: ["occurredAt"],
  })
  .meta({ id: "TransactionInput" });
export type ItemInput = z.output<typeof ItemInput>;

export const mostItems = 1000;

/** Items are looked at one by one: what is wrong with one refuses no other. */
export const FeedInput = z
  .object({
    provider: LineText(60)
      .trim()
      .min(1, "It is empty")
      .describe("Who sends: numbers of transactions are told apart by it."),
    items: z
      .array(z.unknown().meta({ description: "A TransactionInput." }))
      .min(1, "There is no item")
      .max(mostItems, `More than ${mostItems}: send a file`),
    metadata: said(Metadata),
  })
  .meta({ id: "TransactionFeedInput" });

/** Fields beside a file. */
export const FeedFields = z.object({
  provider: said(LineText(60).trim()),
  metadata: said(Metadata),
});

const Rejected = z.object({
  row: z.number().int().describe("Of items the place, 1 is the first; of a file the row."),
  errors: z.array(z.object({ code: z.string(), field: z.string(), message: z.string() })),
});

export const feedStatuses = ["Importing", "Imported", "Partial", "Failed"] as const;

export const FeedView = z
  .object({
    feedId: z.string(),
    status: z
      .enum(feedStatuses)
      .describe("`Partial`: some rows were rejected. `Failed`: all of them were, or the file could not be read."),
    provider: z.string().optional(),
    fileName: z.string().optional(),
    errorCode: z.string().optional(),
    message: z.string().optional(),
    accepted: z.number().int().describe("Lines that are in the ledger by this feed."),
    duplicates: z.number().int().describe("Lines that had been there already."),
    rejected: z.array(Rejected).describe("The first thousand lines that could not be taken, and why."),
    rejectedCount: z.number().int(),
    matched: z.number().int(),
    unmatched: z.number().int(),
    flagged: z.number().int(),
    voided: z.number().int(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "TransactionFeed" });
export type FeedView = z.output<typeof FeedView>;

export const anomalyTypes = [
  "CardVehicleMismatch",
  "VolumeExceedsTank",
  "FuelTypeMismatch",
  "TwoFillsTooClose",
  "ImpossibleSpeed",
  "OdometerBackwards",
  "PriceOutlier",
  "VatInconsistent",
  "Duplicate",
  "UnknownPlate",
] as const;

const AnomalyView = z
  .object({
    type: z.enum(anomalyTypes),
    expected: z.union([z.string(), z.number()]),
    actual: z.union([z.string(), z.number()]),
    message: z.string(),
    transactionId: z.string().optional().describe("The other transaction it is about."),
  })
  .meta({ id: "TransactionAnomaly" });

export const transactionStatuses = [
  "Received",
  "Matched",
  "Unmatched",
  "Flagged",
  "Reconciled",
  "Ignored",
  "Voided",
] as const;

export const TransactionView = z
  .object({
    transactionId: z.string(),
    feedId: z.string(),
    row: z.number().int().describe("Its place in the feed."),
    status: z.enum(transactionStatuses),
    provider: z.string().optional(),
    externalId: z.string().optional(),
    invoiceNumber: z.string().optional(),
    kind: z.enum(kinds),
    type: z.enum(types),
    occurredAt: z.string(),
    cardLast4: z.string().optional(),
    licensePlate: z.string().optional(),
    vin: z.string().optional(),
    station: z.string().optional(),
    city: z.string().optional(),
    postalCode: z.string().optional(),
    countryCode: z.string().optional(),
    productName: z.string().optional(),
    quantity: z.number().optional(),
    unit: z.string().optional(),
    unitPrice: z.number().optional(),
    netAmount: z.number().optional(),
    vatAmount: z.number().optional(),
    grossAmount: z.number().optional(),
    currency: z.string().optional(),
    odometer: z.number().optional(),
    vehicleId: z.string().optional(),
    driver: z.object({ name: z.string() }).optional(),
    matchedBy: z.enum(["LicensePlate", "Card", "Vin", "Human"]).optional(),
    anomalies: z.array(AnomalyView),
    voids: z.string().optional().describe("The transaction it takes back."),
    voidedBy: z.string().optional().describe("The transaction that takes it back."),
    documentId: z.string().optional().describe("The invoice it was found on."),
    comment: z.string().optional(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Transaction" });
export type TransactionView = z.output<typeof TransactionView>;

export const ChangeInput = z
  .object({
    status: said(choice(["Matched", "Flagged", "Reconciled", "Ignored", "Voided"] as const)),
    vehicleId: said(Id).describe("The vehicle it belongs to."),
    licensePlate: said(AnyPlate).describe("The plate as it should be: it is matched anew."),
    driver: name(200).describe("Who drove."),
    comment: name(500),
    metadata: said(Metadata),
  })
  .meta({ id: "TransactionChange" });
export type ChangeInput = z.output<typeof ChangeInput>;

export const summaryKinds = ["vehicle", "driver", "country", "month"] as const;

/** Totals of one vehicle, driver, country or month in one currency. */
export const TotalView = z
  .object({
    vehicleId: z.string().optional(),
    licensePlate: z.string().optional(),
    driver: z.string().optional(),
    countryCode: z.string().optional(),
    month: z.string().optional().describe("By the clock at the station: `2026-10`."),
    currency: z.string().optional(),
    count: z.number().int(),
    litres: z.number().describe("Of fuel."),
    netAmount: z.number(),
    vatAmount: z.number(),
    grossAmount: z.number(),
    kinds: z.record(z.string(), z.number()).describe("The gross amount of each kind."),
  })
  .meta({ id: "TransactionTotal" });
export type TotalView = z.output<typeof TotalView>;

export const ReconcileInput = z
  .strictObject({
    documentId: Id.describe("An invoice, posted to `/api/v1/documents` and read."),
    feedId: said(Id).describe("The lines of one feed. When not said: those that name the invoice's number."),
    provider: name(60).describe("Only lines of this provider."),
    from: said(z.iso.date()).describe("Lines of a period instead: its first day, by the clock at the station."),
    to: said(z.iso.date()),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { message: "It ends before it begins", path: ["to"] })
  .meta({ id: "ReconcileInput" });
export type ReconcileInput = z.output<typeof ReconcileInput>;

const Sums = z.object({ netAmount: z.number(), vatAmount: z.number(), grossAmount: z.number() });

export const ReconcileView = z
  .object({
    result: z.enum(["Reconciled", "Different"]),
    documentId: z.string(),
    invoiceNumber: z.string().optional(),
    currency: z.string().optional(),
    invoice: Sums.partial(),
    transactions: Sums.extend({ count: z.number().int() }),
    difference: z
      .number()
      .describe("Invoice less transactions: gross, or net where either side tells no gross amount."),
    reconciled: z.number().int().describe("Transactions that are `Reconciled` now."),
    unsettled: z.number().int().describe("Transactions on it that are not: they must be matched first."),
    missing: z
      .array(z.object({ description: z.string().optional(), quantity: z.number().optional(), amount: z.number() }))
      .describe("Lines of the invoice that no transaction is for, the first hundred."),
    extra: z.array(TransactionView).describe("Transactions that are on no line of the invoice, the first hundred."),
  })
  .meta({ id: "Reconciliation" });
export type ReconcileView = z.output<typeof ReconcileView>;
