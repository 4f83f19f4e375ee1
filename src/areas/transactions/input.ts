import * as z from "zod";
import { CardNumber } from "../../domain/payment-cards.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { isStorableInstant } from "../../domain/periods.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, Currency, Id, LineText, Metadata, MomentText, optional } from "../../domain/shapes.ts";
import { bounds, kinds, types } from "../../extraction/statements/index.ts";

const Figure = (field: keyof typeof bounds) =>
  z.preprocess(
    (sent) => (typeof sent === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(sent) ? Number(sent) : sent),
    z.number().min(bounds[field][0]).max(bounds[field][1]),
  ) as unknown as z.ZodType<number, number | string>;

const name = (most: number) => optional(LineText(most).trim());

const AnyPlate = LineText(30)
  .transform(barePlate)
  .pipe(z.string().min(2, "Fewer than 2 letters and digits").max(15, "More than 15 letters and digits"));

/** A transaction that is sent as JSON. */
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
    message: "The year (in UTC) must be between 0000 and 9999",
    path: ["occurredAt"],
  })
  .meta({ id: "TransactionInput" });
export type ItemInput = z.output<typeof ItemInput>;

export const mostItems = 1000;

/**
 * Transactions sent as JSON. Items are validated later, one by one, so that an invalid item does not reject the others.
 */
export const FeedInput = z
  .object({
    provider: LineText(60)
      .trim()
      .min(1, "It must not be empty")
      .describe("The card provider; transaction numbers are unique for each provider."),
    items: z
      .array(z.unknown().meta({ description: "A TransactionInput." }))
      .min(1, "At least one item is required")
      .max(mostItems, `At most ${mostItems} items are allowed: send a file instead`),
    metadata: optional(Metadata),
  })
  .meta({ id: "TransactionFeedInput" });

/** Fields that may be sent with a file. */
export const FeedFields = z.object({
  provider: optional(LineText(60).trim()),
  metadata: optional(Metadata),
});

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
