import * as z from "zod";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { kinds, types, type Fuel, type Kind, type Type } from "../../extraction/statements/index.ts";
import { Metadata } from "../../domain/shapes.ts";
import { flaggedExample, feedExample } from "./examples.ts";

export const statuses = ["Received", "Matched", "Unmatched", "Flagged", "Reconciled", "Ignored", "Voided"] as const;
export type Status = (typeof statuses)[number];

export const matchings = ["LicensePlate", "Card", "Vin", "Human"] as const;

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

export const TransactionView = z
  .object({
    transactionId: z.string(),
    feedId: z.string(),
    row: z.number().int().describe("Row of the feed."),
    status: z.enum(statuses),
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
    matchedBy: z.enum(matchings).optional(),
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

export const events = {
  TransactionFeedImported: FeedView.meta({
    id: "TransactionFeedImported",
    description:
      "An import has ended: all rows were imported (`Imported`), some were rejected (`Partial`), or all were rejected or the file could not be read (`Failed`).",
    examples: [feedExample],
  }),
  TransactionFlagged: TransactionView.meta({
    id: "TransactionFlagged",
    description: "An anomaly was found in a transaction.",
    examples: [flaggedExample],
  }),
};

export type AnomalyType = (typeof anomalyTypes)[number];

export interface Anomaly {
  type: AnomalyType;
  expected: string | number;
  actual: string | number;
  message: string;
  /** The other transaction involved, such as the earlier fill. */
  transactionId?: string;
}

/** A normalized line of a feed. Amounts are in cents. */
export interface Entry {
  row: number;
  provider?: string;
  externalId?: string;
  invoiceNumber?: string;
  kind: Kind;
  type: Type;
  /** ISO 8601, UTC. */
  occurredAt: string;
  /** Local time at the station: `2026-10-17T05:42:00`. */
  local: string;
  /** Whether the time of day is known, not only the day. */
  timed: boolean;
  card?: { last4: string; digest: string };
  licensePlate?: string;
  vin?: string;
  driverSaid?: string;
  station?: string;
  city?: string;
  postalCode?: string;
  countryCode?: string;
  /** `within`: uncertainty in kilometres. */
  point?: { latitude: number; longitude: number; within: number };
  productName?: string;
  fuel?: Fuel;
  quantity?: number;
  unit?: string;
  unitPrice?: number;
  net?: number;
  vat?: number;
  gross?: number;
  currency?: string;
  odometer?: number;
  metadata?: Record<string, string>;
}

/** A transaction of the company's ledger. */
export interface Transaction extends Entry {
  id: string;
  feedId: string;
  version: number;
  status: Status;
  vehicleId?: string;
  driver?: { name: string };
  matchedBy?: (typeof matchings)[number];
  anomalies: Anomaly[];
  voids?: string;
  voidedBy?: string;
  documentId?: string;
  comment?: string;
  createdAt: string;
  updatedAt: string;
}

/** Statuses that matching may change. The other statuses are set by requests, or by a `Void` transaction. */
export const open: readonly Status[] = ["Received", "Matched", "Unmatched", "Flagged"];

export const isFuelPurchase = ({ kind, type }: Pick<Entry, "kind" | "type">) => kind === "Fuel" && type === "Purchase";

const money = (cents: number | undefined) => (cents === undefined ? undefined : cents / 100);

export function viewOf(now: Transaction): z.output<typeof TransactionView> {
  const { row, provider, externalId, invoiceNumber, kind, type, occurredAt, card, licensePlate, vin } = now;
  const { station, city, postalCode, countryCode, productName, quantity, unit, unitPrice, currency, odometer } = now;
  const { feedId, status, vehicleId, driver, driverSaid, matchedBy, anomalies, voids, voidedBy, documentId } = now;
  const { comment, metadata, createdAt, updatedAt } = now;
  return {
    transactionId: now.id,
    feedId,
    row,
    status,
    ...omitUndefined({
      provider,
      externalId,
      invoiceNumber,
      kind,
      type,
      occurredAt,
      cardLast4: card?.last4,
      licensePlate,
      vin,
      station,
      city,
      postalCode,
      countryCode,
      productName,
      quantity,
      unit,
      unitPrice,
      netAmount: money(now.net),
      vatAmount: money(now.vat),
      grossAmount: money(now.gross),
      currency,
      odometer,
      vehicleId,
      driver: driver ?? (driverSaid ? { name: driverSaid } : undefined),
      matchedBy,
    }),
    anomalies,
    ...omitUndefined({ voids, voidedBy, documentId, comment, metadata }),
    createdAt,
    updatedAt,
  };
}

/**
 * Returns the name of the driver whom a request set or who was assigned to the vehicle, otherwise the one in the line.
 */
export const driverOf = ({ driver, driverSaid }: Pick<Transaction, "driver" | "driverSaid">): string | undefined =>
  driver?.name ?? driverSaid;
