import { driverOf, type Entry, type Transaction } from "../src/areas/transactions/transaction.ts";

/** The columns of a transaction's row: what it is found by, and the whole of it as JSON. */
export const columns = [
  "id",
  "feed",
  "status",
  "provider",
  "kind",
  "type",
  "at",
  "plate",
  "card",
  "last4",
  "vin",
  "vehicle",
  "driver",
  "country",
  "currency",
  "month",
  "day",
  "invoice",
  "internalId",
  "milli",
  "net",
  "vat",
  "gross",
  "updated",
  "key",
  "content",
  "json",
] as const;

export type Value = string | number | null;

export function valuesOf(now: Transaction): Value[] {
  const row: Record<(typeof columns)[number], Value | undefined> = {
    id: now.id,
    feed: now.feedId,
    status: now.status,
    provider: now.provider,
    kind: now.kind,
    type: now.type,
    at: Date.parse(now.occurredAt),
    plate: now.licensePlate,
    card: now.card?.digest,
    last4: now.card?.last4,
    vin: now.vin,
    vehicle: now.vehicleId,
    driver: driverOf(now),
    country: now.countryCode,
    currency: now.currency,
    month: now.local.slice(0, 7),
    day: now.local.slice(0, 10),
    invoice: now.invoiceNumber && numberKey(now.invoiceNumber),
    internalId: now.metadata?.["internalId"],
    milli: milliOf(now),
    net: now.net,
    vat: now.vat,
    gross: now.gross,
    updated: Date.parse(now.updatedAt),
    key: keyOf(now),
    content: hashOf(contentOf(now)),
    json: JSON.stringify(now),
  };
  return columns.map((name) => row[name] ?? null);
}

/** Thousandths of a litre of fuel. */
export const milliOf = ({ kind, quantity = 0 }: Pick<Entry, "kind" | "quantity">): number =>
  kind === "Fuel" ? Math.round(quantity * 1000) : 0;

/** A number as numbers of invoices are compared. */
export const numberKey = (number: string): string => number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/** What a transaction is told apart by: the provider's number of it, else everything it says. */
export function keyOf(entry: Entry): string {
  const { provider = "", externalId, type } = entry;
  const who = provider.toLowerCase();
  return externalId
    ? `${externalKey(externalId)}${who}\n${type === "Void" ? "Void" : ""}`
    : `\n${who}\n${type}\n${contentOf(entry)}`;
}

/** How keys begin of what has this number. */
export const externalKey = (number: string) => `${number.toUpperCase().replace(/\s+/g, " ")}\n`;

/** The same purchase told twice says this twice. Of tolls and parking the place belongs to it. */
export function contentOf({
  card,
  licensePlate,
  occurredAt,
  productName,
  quantity,
  gross,
  net,
  currency,
  kind,
  station,
}: Entry): string {
  const place = kind === "Fuel" || kind === "AdBlue" ? "" : station;
  return [
    card?.digest ?? licensePlate,
    occurredAt.slice(0, 16),
    productName?.toLowerCase(),
    quantity,
    gross ?? net,
    currency,
    place,
  ].join("\n");
}

/** 53 bits of a text (cyrb53): what an index can hold cheaply; what is found by it is compared in full. */
export function hashOf(text: string): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    other = Math.imul(other ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0);
}
