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
import { contentOf, hashOf, keyOf } from "./ledger-line.ts";
import { mostNear, type Kept, type LedgerRows } from "./ledger-rows.ts";
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

/** What is looked up once for lines that come together. */
interface Round {
  medians: Map<string, number | undefined>;
  /** Digests of contents that are in the ledger, those of this round with them. */
  contents: Set<number>;
  /** Whether a void waits for its purchase. */
  isWaiting: boolean;
  near: Nearby;
}

/** Lines come into the ledger, in the order in which they happened. Called inside a commit. */
export function takeLines(books: Books, feedId: string, entries: readonly Entry[], at: string): Taken {
  const { rows, prices, totals } = books;
  const keyed = new Map(entries.toReversed().map((entry) => [keyOf(entry), entry]));
  const known = rows.keysAmong([...keyed.keys()]);
  const fresh = [...keyed].flatMap(([key, entry]) => (known.has(key) ? [] : [entry]));
  const taken: Taken = { ...noLines, accepted: fresh.length, duplicates: entries.length - fresh.length, news: [] };
  prices.add(fresh);
  const contents = rows.contentsAmong(fresh);
  const round: Round = { medians: new Map(), contents, isWaiting: rows.hasWaiting(), near: new Nearby(rows) };
  const changes: { before?: Transaction; after?: Transaction }[] = [];
  for (const entry of fresh.toSorted(byTime)) {
    const { after, change } = takeLine(books, round, { ...entry, ...newborn(feedId, at) });
    changes.push({ after }, ...(change ? [change] : []));
    const count = countOf[after.status];
    if (count) taken[count] += 1;
    if (after.status === "Flagged") taken.news.push(after);
  }
  totals.change(changes);
  return taken;
}

const noLines = { accepted: 0, duplicates: 0, matched: 0, unmatched: 0, flagged: 0, voided: 0 };

const countOf: Partial<Record<Status, "matched" | "unmatched" | "flagged" | "voided">> = {
  Matched: "matched",
  Unmatched: "unmatched",
  Flagged: "flagged",
  Voided: "voided",
};

const byTime = (a: Entry, b: Entry) =>
  a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : a.row - b.row;

const newborn = (feedId: string, at: string) => ({
  id: newId(),
  feedId,
  version: 1,
  status: "Received" as const,
  anomalies: [],
  createdAt: at,
  updatedAt: at,
});

/** One line, and what it takes back or is taken back by. */
function takeLine(books: Books, round: Round, received: Transaction) {
  const content = hashOf(contentOf(received));
  const twin = round.contents.has(content) ? books.rows.twinOf(received)?.id : undefined;
  round.contents.add(content);
  const made = judgedWith(books, received, twin, round.medians, (vehicle) => round.near.around(vehicle, received));
  const pair = pairOf(books, made, round.isWaiting);
  const after = pair
    ? takenBack(made, pair.isVoid ? { voids: pair.kept.transaction.id } : { voidedBy: pair.kept.transaction.id })
    : made;
  const change = pair && settlePair(books, pair, after, made.updatedAt);
  books.rows.insert(after);
  round.isWaiting ||= after.type === "Void" && after.status !== "Voided";
  if (pair) round.near.forget();
  else round.near.add(after);
  return { after, change };
}

/** What a vehicle did last, remembered while lines come in the order in which they happened. */
class Nearby {
  private readonly rows: LedgerRows;
  private readonly last = new Map<string, Transaction[]>();

  constructor(rows: LedgerRows) {
    this.rows = rows;
  }

  around(vehicle: string, entry: Entry): { before: Transaction[]; after: Transaction[] } {
    const before = this.last.get(vehicle);
    if (before) return { before, after: [] };
    const found = this.rows.nearest(vehicle, entry, -1);
    if (found.after.length === 0) this.last.set(vehicle, found.before);
    return found;
  }

  add(one: Transaction): void {
    const before = this.last.get(one.vehicleId ?? "");
    if (before && one.type !== "Void") this.last.set(one.vehicleId!, [one, ...before].slice(0, mostNear));
  }

  forget(): void {
    this.last.clear();
  }
}

/** Matched with the fleet and looked through once more, as the line at a place in the ledger. */
export function judged(books: Books, now: Transaction, n: number): Transaction {
  const twin = now.anomalies.find(({ type }) => type === "Duplicate")?.transactionId;
  return judgedWith(books, now, twin, new Map(), (vehicle) => books.rows.nearest(vehicle, now, n));
}

function judgedWith(
  books: Books,
  now: Transaction,
  twin: string | undefined,
  medians: Map<string, number | undefined>,
  near: (vehicle: string) => { before: Transaction[]; after: Transaction[] },
): Transaction {
  const { vehicleId: _, driver: __, matchedBy: ___, ...rest } = now;
  const named = books.fleet.named(now);
  const vehicle = vehicleIn({ ...named, before: [], after: [] });
  const around = vehicle ? near(vehicle.vehicleId) : { before: [], after: [] };
  const median = books.prices.medianFor(now, medians);
  const about: Circumstances = {
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
function pairOf({ rows }: Books, made: Transaction, isWaiting: boolean): Pair | undefined {
  if (made.type === "Purchase") {
    if (!isWaiting) return undefined;
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
