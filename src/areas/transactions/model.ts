import type * as z from "zod";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import type { Fuel, Kind, Type } from "../../extraction/statements/index.ts";
import { flaggedExample, feedExample } from "./examples.ts";
import { FeedView, TransactionView, type anomalyTypes } from "./shapes.ts";

// What happens to it

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

// What is remembered

export const statuses = ["Received", "Matched", "Unmatched", "Flagged", "Reconciled", "Ignored", "Voided"] as const;
export type Status = (typeof statuses)[number];

export type AnomalyType = (typeof anomalyTypes)[number];

export interface Anomaly {
  type: AnomalyType;
  /** Expected and actual value. */
  expected: string | number;
  actual: string | number;
  /** In a sentence. */
  message: string;
  /** The other transaction involved. */
  transactionId?: string;
}

/** A normalised line of a feed. Amounts in cents. */
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
  /** Whether the time of day is known, and not only the day. */
  timed: boolean;
  card?: { last4: string; digest: string };
  licensePlate?: string;
  vin?: string;
  /** Driver named by the line. */
  driverSaid?: string;
  station?: string;
  city?: string;
  postalCode?: string;
  countryCode?: string;
  /** Location with its uncertainty in kilometres. */
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

export const matchings = ["LicensePlate", "Card", "Vin", "Human"] as const;

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
  /** The transaction that this one cancels, or that cancels it. */
  voids?: string;
  voidedBy?: string;
  /** The invoice that it was reconciled with. */
  documentId?: string;
  comment?: string;
  createdAt: string;
  updatedAt: string;
}

/** Statuses that matching may change; the others were set by a person. */
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

/** The driver: assigned at that time, otherwise named by the line. */
export const driverOf = ({ driver, driverSaid }: Pick<Transaction, "driver" | "driverSaid">): string | undefined =>
  driver?.name ?? driverSaid;
