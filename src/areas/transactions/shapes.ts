import * as z from "zod";
import { CardNumber } from "../../domain/payment-cards.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { isStorableInstant } from "../../domain/periods.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, Currency, Id, LineText, Metadata, MomentText, optional } from "../../domain/shapes.ts";
import { bounds, kinds, types } from "../../extraction/statements/index.ts";

// What it is

/** Also accepts numbers as text with a decimal point. */
const Figure = (field: keyof typeof bounds) =>
  z.preprocess(
    (sent) => (typeof sent === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(sent) ? Number(sent) : sent),
    z.number().min(bounds[field][0]).max(bounds[field][1]),
  ) as unknown as z.ZodType<number, number | string>;

const name = (most: number) => optional(LineText(most).trim());

/** Normalised to capitals without blanks and punctuation. */
const AnyPlate = LineText(30)
  .transform(barePlate)
  .pipe(z.string().min(2, "Not a licence plate").max(15, "Not a licence plate"));

/** One transaction as it is sent. */
export const ItemInput = z
  .object({
    externalId: name(100).describe(
      "The provider's number of the transaction; the same number identifies the same transaction.",
    ),
    invoiceNumber: name(100).describe("Number of the statement or invoice that lists it."),
    kind: optional(choice(kinds)).describe("Default: derived from the product name."),
    type: optional(choice(types)).describe(
      "Default: `Purchase`, or `Refund` for a negative amount. `Void` cancels the purchase with the same number.",
    ),
    occurredAt: MomentText.describe("ISO 8601. Without an offset: local time at the station."),
    cardNumber: optional(CardNumber).describe("Only the last four characters and a keyed digest are stored."),
    licensePlate: optional(AnyPlate),
    vin: optional(LineText(40).transform((vin) => vin.toUpperCase().replace(/[^A-Z0-9]/g, ""))),
    driver: name(200).describe(
      "The driver named by the provider. The driver assigned to the vehicle takes precedence.",
    ),
    station: name(200),
    city: name(100),
    postalCode: name(20),
    countryCode: optional(Country).describe("Country of the station."),
    latitude: optional(Figure("latitude")),
    longitude: optional(Figure("longitude")),
    productName: name(200),
    quantity: optional(Figure("quantity")),
    unit: name(20).describe("Default for fuel: litres."),
    unitPrice: optional(Figure("unitPrice")),
    netAmount: optional(Figure("netAmount")),
    vatAmount: optional(Figure("vatAmount")),
    grossAmount: optional(Figure("grossAmount")),
    currency: optional(Currency),
    odometer: optional(Figure("odometer")).describe("Kilometres."),
    metadata: optional(Metadata),
  })
  .refine(({ occurredAt }) => isStorableInstant(occurredAt), {
    message: "The year must be between 0000 and 9999",
    path: ["occurredAt"],
  })
  .meta({ id: "TransactionInput" });
export type ItemInput = z.output<typeof ItemInput>;

export const mostItems = 1000;

/** Items are validated one by one: an invalid item does not reject the others. */
export const FeedInput = z
  .object({
    provider: LineText(60)
      .trim()
      .min(1, "It is empty")
      .describe("The card provider; transaction numbers are unique for each provider."),
    items: z
      .array(z.unknown().meta({ description: "A TransactionInput." }))
      .min(1, "At least one item is required")
      .max(mostItems, `At most ${mostItems} items are allowed: send a file instead`),
    metadata: optional(Metadata),
  })
  .meta({ id: "TransactionFeedInput" });

/** Fields beside a file. */
export const FeedFields = z.object({
  provider: optional(LineText(60).trim()),
  metadata: optional(Metadata),
});

const Rejected = z.object({
  row: z.number().int().describe("Position in `items`, from 1, or row of the file."),
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
    accepted: z.number().int().describe("Number of transactions that this feed added."),
    duplicates: z.number().int().describe("Number of transactions that were imported before."),
    rejected: z.array(Rejected).describe("The first thousand rejected rows with their errors."),
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
    transactionId: z.string().optional().describe("The other transaction involved."),
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
    row: z.number().int().describe("Row of the feed."),
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
    voids: z.string().optional().describe("The transaction that this one cancels."),
    voidedBy: z.string().optional().describe("The transaction that cancels this one."),
    documentId: z.string().optional().describe("The invoice that it was reconciled with."),
    comment: z.string().optional(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Transaction" });
export type TransactionView = z.output<typeof TransactionView>;

export const ChangeInput = z
  .object({
    status: optional(choice(["Matched", "Flagged", "Reconciled", "Ignored", "Voided"] as const)),
    vehicleId: optional(Id).describe("The vehicle it belongs to."),
    licensePlate: optional(AnyPlate).describe("The correct plate; the matching is repeated."),
    driver: name(200).describe("Name of the driver."),
    comment: name(500),
    metadata: optional(Metadata),
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
    month: z.string().optional().describe("Local time at the station: `2026-10`."),
    currency: z.string().optional(),
    count: z.number().int(),
    litres: z.number().describe("Of fuel."),
    netAmount: z.number(),
    vatAmount: z.number(),
    grossAmount: z.number(),
    kinds: z.record(z.string(), z.number()).describe("Gross amount by kind."),
  })
  .meta({ id: "TransactionTotal" });
export type TotalView = z.output<typeof TotalView>;

export const ReconcileInput = z
  .strictObject({
    documentId: Id.describe("An invoice that was sent to `/api/v1/documents` and extracted."),
    feedId: optional(Id).describe(
      "Use the transactions of this feed. Default: the transactions with the invoice's number.",
    ),
    provider: name(60).describe("Use only transactions of this provider."),
    from: optional(z.iso.date()).describe(
      "Use the transactions of a period: its first day, local time at the station.",
    ),
    to: optional(z.iso.date()),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { message: "to must not be before from", path: ["to"] })
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
    difference: z.number().describe("Invoice minus transactions: gross, or net if either side has no gross amount."),
    reconciled: z.number().int().describe("Number of transactions that are now `Reconciled`."),
    unsettled: z
      .number()
      .int()
      .describe("Number of transactions that were not reconciled because they are not `Matched`."),
    missing: z
      .array(z.object({ description: z.string().optional(), quantity: z.number().optional(), amount: z.number() }))
      .describe("Invoice lines without a transaction, at most 100."),
    extra: z.array(TransactionView).describe("Transactions without an invoice line, at most 100."),
  })
  .meta({ id: "Reconciliation" });
export type ReconcileView = z.output<typeof ReconcileView>;
