import {
  anomaliesOf,
  vehicleIn,
  type AnomalyContext,
  type FleetVehicle,
} from "../../src/areas/transactions/anomalies.ts";
import { open, type Anomaly, type Entry, type Status, type Transaction } from "../../src/areas/transactions/model.ts";
import type { LedgerVehicle, Rejected } from "../../src/areas/transactions/ledger.ts";
import { newId } from "../../src/platform/ids.ts";
import { erased } from "../../src/domain/person.ts";
import type { LedgerFleet } from "./fleet.ts";
import type { LedgerPrices } from "./prices.ts";
import { plainWords } from "./line.ts";
import type { LedgerNear, Near } from "./recent-by-vehicle.ts";
import type { Kept, LedgerRows } from "./rows.ts";
import { deduplicate, type Fresh } from "./deduplicate.ts";
import type { LedgerTotals } from "./totals.ts";

export interface Books {
  rows: LedgerRows;
  fleet: LedgerFleet;
  totals: LedgerTotals;
  prices: LedgerPrices;
  near: LedgerNear;
}

export interface Taken {
  accepted: number;
  duplicates: number;
  matched: number;
  unmatched: number;
  flagged: number;
  voided: number;
  /** Lines that conflict with a known line, so they are neither new nor duplicates. */
  rejected: Rejected[];
  /** Flagged lines, each of which is published as an event. */
  news: Transaction[];
}

/** Values that are looked up once for all lines of one commit. */
interface Round {
  medians: Map<string, number | undefined>;
  /**
   * Content digests that new lines share with lines of the ledger, and the digests of the lines that this commit has
   * added so far.
   */
  contents: Set<number>;
  /** Whether the ledger has a void whose purchase has not arrived yet. */
  isWaiting: boolean;
}

/** Adds new lines to the ledger in chronological order. Must be called inside a commit. */
export function takeLines(books: Books, feedId: string, entries: readonly Entry[], at: string): Taken {
  const { rows, prices, totals } = books;
  const { fresh, duplicates, rejected } = deduplicate(rows, feedId, entries);
  const taken: Taken = { ...noLines, accepted: fresh.length, duplicates, rejected, news: [] };
  const lines = fresh.map(({ entry }) => entry);
  prices.add(lines);
  const contents = rows.contentsAmong(fresh.map(({ content }) => content));
  const round: Round = { medians: new Map(), contents, isWaiting: rows.hasWaiting() };
  const changes: { before?: Transaction; after?: Transaction }[] = [];
  for (const { entry, ...place } of fresh.toSorted(byTime)) {
    const { after, change } = takeLine(books, round, { ...entry, ...initialState(feedId, at) }, place);
    changes.push({ after }, ...(change ? [change] : []));
    count(taken, after, 1);
    if (change?.before.feedId === feedId && isAsItCame(change.before)) {
      count(taken, change.before, -1);
      count(taken, change.after, 1);
    }
    if (after.status === "Flagged") taken.news.push(after);
  }
  totals.change(changes);
  return taken;
}

/**
 * Whether a line has not changed since it arrived. In this case the counts of its feed are corrected at once. Otherwise
 * they are corrected at the end of the import, when the lines of the feed are counted again.
 */
const isAsItCame = ({ version }: Transaction) => version === 1;

const noLines = { accepted: 0, duplicates: 0, matched: 0, unmatched: 0, flagged: 0, voided: 0 };

/** The counter of a feed for each status of its lines. */
export const countOf: Partial<Record<Status, "matched" | "unmatched" | "flagged" | "voided">> = {
  Matched: "matched",
  Unmatched: "unmatched",
  Flagged: "flagged",
  Voided: "voided",
};

function count(taken: Taken, { status }: Transaction, more: 1 | -1): void {
  const name = countOf[status];
  if (name) taken[name] += more;
}

const byTime = ({ entry: a }: Fresh, { entry: b }: Fresh) =>
  a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : a.row - b.row;

const initialState = (feedId: string, at: string) => ({
  id: newId(),
  feedId,
  version: 1,
  status: "Received" as const,
  anomalies: [],
  createdAt: at,
  updatedAt: at,
});

/** Adds a line. Pairs it with the purchase that it voids, or with a void that was waiting for it. */
function takeLine(books: Books, round: Round, received: Transaction, place: Omit<Fresh, "entry">) {
  const { content } = place;
  const twin = round.contents.has(content) ? books.rows.twinOf(received, content)?.id : undefined;
  round.contents.add(content);
  const made = evaluateWith(books, received, twin, round.medians, (vehicle) => books.near.around(vehicle, received));
  const pair = pairOf(books, made, round.isWaiting);
  const after = pair
    ? takenBack(made, pair.isVoid ? { voids: pair.kept.transaction.id } : { voidedBy: pair.kept.transaction.id })
    : made;
  const change = pair && settlePair(books, pair, after, made.updatedAt);
  books.rows.insert(after, place);
  round.isWaiting ||= after.type === "Void" && after.status !== "Voided";
  books.near.add(after);
  return { after, change };
}

/** Matches a stored transaction with the fleet again, and checks it for anomalies again. */
export function evaluate(books: Books, now: Transaction, n: number): Transaction {
  const twin = now.anomalies.find(({ type }) => type === "Duplicate")?.transactionId;
  return evaluateWith(books, now, twin, new Map(), (vehicle) => books.rows.nearest(vehicle, now, n));
}

function evaluateWith(
  books: Books,
  now: Transaction,
  twin: string | undefined,
  medians: Map<string, number | undefined>,
  near: (vehicle: string) => Near,
): Transaction {
  const { vehicleId: _, driver: __, matchedBy: ___, ...rest } = now;
  const named = books.fleet.named(now);
  const vehicle = vehicleIn({ ...named, before: [], after: [] });
  const around = vehicle ? near(vehicle.vehicleId) : { before: [], after: [] };
  const median = books.prices.medianFor(now, medians);
  const about: AnomalyContext = {
    ...named,
    ...around,
    ...(median !== undefined && { median }),
    ...(twin !== undefined && { twin }),
  };
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

/**
 * Determines the status of a line from its vehicle and anomalies. A line without a vehicle is `Unmatched`, unless it
 * has an anomaly other than an unknown plate.
 */
export function statusOf(vehicle: FleetVehicle | undefined, anomalies: readonly Anomaly[]): Status {
  if (!vehicle && anomalies.every(({ type }) => type === "UnknownPlate")) return "Unmatched";
  return anomalies.length > 0 ? "Flagged" : "Matched";
}

/** Finds the driver of the vehicle at a time; undefined if there was none or several, or the driver was erased. */
export function driverAt({ assignments }: FleetVehicle, at: string): string | undefined {
  const names = new Set(
    assignments.filter(({ from, to }) => from <= at && (to === undefined || at <= to)).map(({ name }) => name),
  );
  names.delete(erased.name);
  return names.size === 1 ? [...names][0] : undefined;
}

interface Pair {
  kept: Kept;
  /** True if the new line voids the stored line; false if the stored line voids the new line. */
  isVoid: boolean;
}

const isOpen = ({ transaction: { status } }: Kept) => open.includes(status);

/** Finds the purchase that a new void cancels, or the waiting void that cancels a new purchase. */
function pairOf({ rows }: Books, made: Transaction, isWaiting: boolean): Pair | undefined {
  if (made.type === "Purchase") {
    if (!isWaiting) return undefined;
    const waiting =
      numbered(rows, made, "Void") ?? rows.voidsAfter(made).find(({ transaction }) => isTakenBackBy(made, transaction));
    return waiting && waiting.transaction.status !== "Voided" ? { kept: waiting, isVoid: false } : undefined;
  }
  const named = numbered(rows, made, "Purchase");
  if (named) return isOpen(named) && isWhole(named, made) ? { kept: named, isVoid: true } : undefined;
  const found = rows.purchasesBefore(made).find((one) => isOpen(one) && isTakenBackBy(one.transaction, made));
  return found && { kept: found, isVoid: true };
}

/** Finds the purchase or void with the same number. If there are several, finds the one that matches the line. */
function numbered(rows: LedgerRows, made: Transaction, type: "Purchase" | "Void"): Kept | undefined {
  const found = made.externalId ? rows.ofNumber(made, type).filter((one) => one.transaction.type === type) : [];
  if (found.length < 2) return found[0];
  return found.find(({ transaction: one }) => (type === "Void" ? isTakenBackBy(made, one) : isTakenBackBy(one, made)));
}

/**
 * Whether a line cancels the purchase with its number: a void always does, a refund only if it is for the whole
 * purchase.
 */
const isWhole = ({ transaction }: Kept, made: Transaction) => made.type === "Void" || isTakenBackBy(transaction, made);

/**
 * Whether a void or refund has the same values as the purchase, as far as both have them. A refund must be for the
 * whole amount.
 */
function isTakenBackBy(purchase: Transaction, made: Transaction): boolean {
  const { type, gross, net, quantity, occurredAt } = made;
  const amount = gross ?? net;
  const paid = gross === undefined ? purchase.net : purchase.gross;
  if (compared.some((told) => isOther(told(made), told(purchase)))) return false;
  if (type === "Refund") return amount !== undefined && amount < 0 && amount === -(paid ?? 0);
  if (amount !== undefined && amount !== 0) return Math.abs(amount) === Math.abs(paid ?? 0);
  if (quantity) return Math.abs(quantity) === purchase.quantity;
  return occurredAt.slice(0, 16) === purchase.occurredAt.slice(0, 16);
}

const isOther = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other;

/** Values that must be equal in a purchase and its void or refund if both have them. */
const compared: ((one: Transaction) => string | undefined)[] = [
  ({ provider }) => provider?.toLowerCase(),
  ({ station }) => station && plainWords(station),
  ({ productName }) => productName && plainWords(productName),
  ({ currency }) => currency,
  ({ card }) => card?.digest,
  ({ licensePlate }) => licensePlate,
];

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

/** Maximum number of lines that are matched again in one commit after a change of the fleet. */
const linesAtOnce = 500;

interface Change {
  before: Transaction;
  after: Transaction;
}

/**
 * Matches the next batch of unmatched lines with a vehicle that is new or has changed. Must be called inside a commit.
 */
export function rematchUnmatched(
  books: Books,
  { id, after: position, vehicle }: { id: string; after: number; vehicle: LedgerVehicle },
  at: string,
): Change[] {
  const { rows, fleet, totals } = books;
  const { licensePlate: plate, vin, cards } = vehicle;
  const lines = rows.unmatched({ plate, vin, cards }, position, linesAtOnce);
  const changes: Change[] = [];
  for (const { n, transaction: before } of lines) {
    const after = { ...evaluate(books, before, n), version: before.version + 1, updatedAt: at };
    if (!after.vehicleId) continue;
    rows.update(n, after);
    changes.push({ before, after });
  }
  totals.change(changes);
  fleet.recordRematch(id, lines.length === linesAtOnce ? lines.at(-1)!.n : undefined);
  return changes;
}
