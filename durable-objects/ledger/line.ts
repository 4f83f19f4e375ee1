import { createHash } from "node:crypto";
import type { TransactionFilter } from "../../src/areas/transactions/ledger.ts";
import { driverOf, type Entry, type Transaction } from "../../src/areas/transactions/model.ts";

/** The columns of a transaction's row: what it is found by, and the whole of it as JSON. Its key stays as it came. */
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

/** @param content as {@link digestOf} gives it */
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

/** Thousandths of a litre of fuel. */
export const milliOf = ({ kind, quantity = 0 }: Pick<Entry, "kind" | "quantity">): number =>
  kind === "Fuel" ? Math.round(quantity * 1000) : 0;

/** A number as numbers of invoices are compared. */
export const comparedNumber = (number: string): string => number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * What a transaction is told apart by: the provider's number of it, else everything it says. A void has a key of its own.
 * The text of what has no number is not kept in it; its minute stands first, so that keys of one time lie together.
 */
export function keyOf(entry: Entry): string {
  const { provider = "", externalId, type, occurredAt } = entry;
  const who = provider.toLowerCase();
  if (externalId) return `${externalKey(externalId)}${who}\n${type === "Void" ? "Void" : ""}`;
  const all = [who, type, contentOf(entry)].join("\n");
  return `\n${occurredAt.slice(0, 16)}\n${createHash("sha256").update(all).digest("base64url").slice(0, 22)}`;
}

/** The key of one of several lines of a receipt, which all have its number: the key of the first, and what this one is for. */
export const partKey = (key: string, part: string) => `${key}\n${hashOf(part).toString(36)}`;

/** Which part of a receipt a line is: what was bought, or given back. */
export const partOf = ({ type, productName }: Pick<Entry, "type" | "productName">): string =>
  `${type}\n${plainWords(productName ?? "")}`;

/** When it was by the clock at the station, as far as it says: to the minute, or the day. */
export const momentOf = ({ local, timed }: Pick<Entry, "local" | "timed">): string => local.slice(0, timed ? 16 : 10);

/** Words as products are compared. */
export const plainWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

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

const minutes = 2 ** 27;
const restBits = 2 ** 26;

/**
 * What an index can hold cheaply of a content: its minute, so that those of one time lie together, and 26 bits of the rest.
 * What is found by it is compared in full.
 */
export const digestOf = (content: string, { occurredAt }: Pick<Entry, "occurredAt">): number =>
  (Math.floor(Date.parse(occurredAt) / 60_000) % minutes) * restBits + (hashOf(content) % restBits);

/** 53 bits of a text (cyrb53). */
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

/** What is asked for with the numbers of invoices as the table has them. */
export const comparable = <Asked extends TransactionFilter>(asked: Asked): Asked => {
  const { invoiceNumber } = asked.terms;
  return invoiceNumber === undefined
    ? asked
    : { ...asked, terms: { ...asked.terms, invoiceNumber: comparedNumber(invoiceNumber) } };
};
