import { createHash } from "node:crypto";
import type { TransactionFilter } from "../../src/areas/transactions/ledger.ts";
import { driverOf, type Entry, type Transaction } from "../../src/areas/transactions/model.ts";

/**
 * The columns of a transaction's row: the values that are searched, and the whole transaction as JSON. The key is not
 * among them, because it stays the same when the transaction changes.
 */
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
  "content",
  "json",
] as const;

export type Value = string | number | null;

/** Returns the column values of a transaction's row. @param content digest of the content, see {@link digestOf} */
export function valuesOf(now: Transaction, content = digestOf(contentOf(now), now)): Value[] {
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
    invoice: now.invoiceNumber && comparedNumber(now.invoiceNumber),
    internalId: now.metadata?.["internalId"],
    milli: milliOf(now),
    net: now.net,
    vat: now.vat,
    gross: now.gross,
    updated: Date.parse(now.updatedAt),
    content,
    json: JSON.stringify(now),
  };
  return columns.map((name) => row[name] ?? null);
}

/** Returns the fuel quantity in thousandths of a litre; 0 for a line that is not fuel. */
export const milliOf = ({ kind, quantity = 0 }: Pick<Entry, "kind" | "quantity">): number =>
  kind === "Fuel" ? Math.round(quantity * 1000) : 0;

/** Normalizes an invoice number for comparison. */
export const comparedNumber = (number: string): string => number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Builds the key that identifies a transaction: the number that the provider gave it, otherwise a hash of the content.
 * A void has another key than its purchase. A key without a number begins with the minute, so that keys of the same
 * time are adjacent in the index.
 */
export function keyOf(entry: Entry): string {
  const { provider = "", externalId, type, occurredAt } = entry;
  const who = provider.toLowerCase();
  if (externalId) return `${externalKey(externalId)}${who}\n${type === "Void" ? "Void" : ""}`;
  const all = [who, type, contentOf(entry)].join("\n");
  return `\n${occurredAt.slice(0, 16)}\n${createHash("sha256").update(all).digest("base64url").slice(0, 22)}`;
}

/**
 * Returns the key of a line whose number an earlier line of the same receipt already has. It consists of the key of the
 * earlier line and a hash of {@link partOf} of this line.
 */
export const partKey = (key: string, part: string) => `${key}\n${hashOf(part).toString(36)}`;

/** Identifies a line within a receipt by its type and product. */
export const partOf = ({ type, productName }: Pick<Entry, "type" | "productName">): string =>
  `${type}\n${plainWords(productName ?? "")}`;

/** Returns the local time at the station, to the minute; only the day if no time is known. */
export const momentOf = ({ local, timed }: Pick<Entry, "local" | "timed">): string => local.slice(0, timed ? 16 : 10);

/** Normalizes the name of a product or station for comparison. */
export const plainWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Returns the beginning of the keys of all transactions with this number. */
export const externalKey = (number: string) => `${number.toUpperCase().replace(/\s+/g, " ")}\n`;

/**
 * Returns the content by which two lines are recognised as the same purchase. It includes the station, except for fuel
 * and AdBlue.
 */
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

const minutes = 2 ** 27;
const restBits = 2 ** 26;

/**
 * Computes a short digest of a content for the index: the minute, so that digests of the same time are adjacent, and 26
 * bits of a hash. Lines with equal digests must still be compared in full.
 */
export const digestOf = (content: string, { occurredAt }: Pick<Entry, "occurredAt">): number =>
  (Math.floor(Date.parse(occurredAt) / 60_000) % minutes) * restBits + (hashOf(content) % restBits);

/** Computes a 53-bit hash of a text (cyrb53). */
function hashOf(text: string): number {
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

/** Normalizes the invoice number of a filter in the same way as the column `invoice`. */
export const comparable = <Asked extends TransactionFilter>(asked: Asked): Asked => {
  const { invoiceNumber } = asked.terms;
  return invoiceNumber === undefined
    ? asked
    : { ...asked, terms: { ...asked.terms, invoiceNumber: comparedNumber(invoiceNumber) } };
};
