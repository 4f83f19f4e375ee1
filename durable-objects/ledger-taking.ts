import { anomaliesOf, vehicleIn, type Circumstances, type FleetVehicle } from "../src/areas/transactions/anomalies.ts";
import {
  open,
  type Anomaly,
  type Entry,
  type Status,
  type Transaction,
} from "../src/areas/transactions/transaction.ts";
import { newId } from "../src/kit/ids.ts";
import type { LedgerFleet } from "./ledger-fleet.ts";
import type { LedgerPrices } from "./ledger-prices.ts";
import { keyOf, type Kept, type LedgerRows } from "./ledger-rows.ts";
import type { LedgerTotals } from "./ledger-totals.ts";

export interface Books {
  rows: LedgerRows;
  fleet: LedgerFleet;
  totals: LedgerTotals;
  prices: LedgerPrices;
}

export interface Taken {
  accepted: number;
  duplicates: number;
  matched: number;
  unmatched: number;
  flagged: number;
  voided: number;
  /** Those of which something is to be told. */
  news: Transaction[];
}

/** Lines come into the ledger, in the order in which they happened. Called inside a commit. */
export function takeLines(books: Books, feedId: string, entries: readonly Entry[], at: string): Taken {
  const taken: Taken = { accepted: 0, duplicates: 0, matched: 0, unmatched: 0, flagged: 0, voided: 0, news: [] };
  const changes: { before?: Transaction; after?: Transaction }[] = [];
  const keys = new Set<string>();
  const fresh = entries.filter((entry) => {
    const key = keyOf(entry);
    if (keys.has(key) || books.rows.hasKey(key)) return false;
    keys.add(key);
    return true;
  });
  taken.duplicates = entries.length - fresh.length;
  taken.accepted = fresh.length;
  books.prices.add(fresh);
  const medians = new Map<string, number | undefined>();
  const inTime = fresh.toSorted((a, b) =>
    a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : a.row - b.row,
  );
  for (const entry of inTime) {
    const made = transactionOf(books, feedId, entry, at, medians);
    const pair = pairOf(books, made);
    const after: Transaction = pair
      ? takenBack(made, pair.isVoid ? { voids: pair.kept.transaction.id } : { voidedBy: pair.kept.transaction.id })
      : made;
    if (pair) changes.push(settlePair(books, pair, after, at));
    books.rows.insert(after);
    changes.push({ after });
    const count = ({ Matched: "matched", Unmatched: "unmatched", Flagged: "flagged", Voided: "voided" } as const)[
      after.status as "Matched"
    ];
    if (count) taken[count] += 1;
    if (after.status === "Flagged") taken.news.push(after);
  }
  books.totals.change(changes);
  return taken;
}

function transactionOf(
  books: Books,
  feedId: string,
  entry: Entry,
  at: string,
  medians: Map<string, number | undefined>,
): Transaction {
  const made: Transaction = {
    ...entry,
    id: newId(),
    feedId,
    version: 1,
    status: "Received",
    anomalies: [],
    createdAt: at,
    updatedAt: at,
  };
  return judged(books, made, -1, medians);
}

/** Matched with the fleet and looked through. @param n its place in the ledger, below zero while it has none */
export function judged(
  books: Books,
  now: Transaction,
  n: number,
  medians = new Map<string, number | undefined>(),
): Transaction {
  const { vehicleId: _, driver: __, matchedBy: ___, ...rest } = now;
  const named = books.fleet.named(now);
  const vehicle = vehicleIn({ ...named, before: [], after: [] });
  const around = vehicle ? books.rows.nearest(vehicle.vehicleId, now, n) : { before: [], after: [] };
  const median = books.prices.medianFor(now, medians);
  const twin =
    n < 0 ? books.rows.twinOf(now)?.id : now.anomalies.find(({ type }) => type === "Duplicate")?.transactionId;
  const about: Circumstances = { ...named, ...around, ...(median !== undefined && { median }), ...(twin && { twin }) };
  const anomalies = anomaliesOf(now, about);
  const driver = vehicle && driverAt(vehicle, now.occurredAt);
  const matchedBy = named.byPlate ? ("LicensePlate" as const) : named.byCard ? ("Card" as const) : ("Vin" as const);
  return {
    ...rest,
    ...(vehicle && { vehicleId: vehicle.vehicleId, matchedBy }),
    ...(driver && { driver: { name: driver } }),
    anomalies,
    status: statusOf(vehicle, anomalies),
  };
}

/** What nobody owns is unmatched; that its plate is not known says no more than that. */
export function statusOf(vehicle: FleetVehicle | undefined, anomalies: readonly Anomaly[]): Status {
  if (!vehicle && anomalies.every(({ type }) => type === "UnknownPlate")) return "Unmatched";
  return anomalies.length > 0 ? "Flagged" : "Matched";
}

/** Who was assigned at that moment; nobody when several were. */
export function driverAt({ assignments }: FleetVehicle, at: string): string | undefined {
  const names = new Set(
    assignments.filter(({ from, to }) => from <= at && (to === undefined || at <= to)).map(({ name }) => name),
  );
  return names.size === 1 ? [...names][0] : undefined;
}

interface Pair {
  kept: Kept;
  /** Whether the new one takes back the kept one, and not the other way round. */
  isVoid: boolean;
}

const isOpen = ({ transaction: { status } }: Kept) => open.includes(status);

/** What a void takes back, or the void that waits for what has come now. */
function pairOf({ rows }: Books, made: Transaction): Pair | undefined {
  if (made.type === "Purchase") {
    const waiting =
      (made.externalId ? rows.byKey(keyOf({ ...made, type: "Void" })) : undefined) ??
      rows.voidsAfter(made).find(({ transaction }) => isTakenBackBy(made, transaction));
    return waiting && waiting.transaction.status !== "Voided" ? { kept: waiting, isVoid: false } : undefined;
  }
  const named = made.type === "Void" && made.externalId ? rows.byKey(keyOf({ ...made, type: "Purchase" })) : undefined;
  if (named) return isOpen(named) ? { kept: named, isVoid: true } : undefined;
  const found = rows.purchasesBefore(made).find((one) => isOpen(one) && isTakenBackBy(one.transaction, made));
  return found && { kept: found, isVoid: true };
}

/** A void is of the same purchase when nothing it says differs; a refund only when it is the whole of it. */
function isTakenBackBy(
  purchase: Transaction,
  { type, productName, gross, net, quantity, currency, occurredAt, station }: Transaction,
): boolean {
  const same = (one: unknown, other: unknown) => one === undefined || other === undefined || one === other;
  const amount = gross ?? net;
  const paid = gross === undefined ? purchase.net : purchase.gross;
  if (
    !same(productName && plain(productName), purchase.productName && plain(purchase.productName)) ||
    !same(currency, purchase.currency)
  )
    return false;
  if (type === "Refund") return amount !== undefined && amount < 0 && amount === -(paid ?? 0);
  if (amount !== undefined && amount !== 0) return Math.abs(amount) === Math.abs(paid ?? 0);
  if (quantity) return Math.abs(quantity) === purchase.quantity;
  return occurredAt.slice(0, 16) === purchase.occurredAt.slice(0, 16) && same(station, purchase.station);
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const takenBack = (now: Transaction, by: { voids: string } | { voidedBy: string }): Transaction => ({
  ...now,
  ...by,
  status: "Voided",
});

function settlePair({ rows }: Books, { kept, isVoid }: Pair, made: Transaction, at: string) {
  const before = kept.transaction;
  const after: Transaction = {
    ...takenBack(before, isVoid ? { voidedBy: made.id } : { voids: made.id }),
    version: before.version + 1,
    updatedAt: at,
  };
  rows.update(kept.n, after);
  return { before, after };
}
