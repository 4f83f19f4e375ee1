import type { Rejected } from "../../src/areas/transactions/ledger.ts";
import type { Entry } from "../../src/areas/transactions/model.ts";
import { contentOf, digestOf, keyOf, momentOf, partKey, partOf } from "./line.ts";
import type { Keyed, LedgerRows } from "./rows.ts";

/** A new line, its key and the digest of its content. */
export interface Fresh {
  entry: Entry;
  key: string;
  content: number;
}

interface Deduplicated {
  fresh: Fresh[];
  duplicates: number;
  rejected: Rejected[];
}

/**
 * Decides which lines are new. A line with a known number is a duplicate, with two exceptions. Lines of one feed with
 * the same number but different products are all new, because a receipt may list several products. A refund with the
 * number of its purchase is also new. A line that conflicts with a known line is rejected; see `isAnother`.
 */
export function deduplicate(rows: LedgerRows, feedId: string, entries: readonly Entry[]): Deduplicated {
  const sieve = new Sieve(rows, feedId, entries);
  const found: Deduplicated = { fresh: [], duplicates: 0, rejected: [] };
  for (const entry of entries) {
    const key = sieve.freshKey(entry);
    if (key !== undefined) found.fresh.push({ entry, key, content: digestOf(contentOf(entry), entry) });
    else if (sieve.isAnother(entry)) found.rejected.push({ row: entry.row, errors: [another(entry)] });
    else found.duplicates += 1;
  }
  return found;
}

/** The known lines by key: those in the ledger, and the new lines found so far. */
class Sieve {
  private readonly feedId: string;
  private readonly keys: Map<Entry, string>;
  private readonly known: Map<string, Keyed>;
  /** Keys that several new lines for different products share. */
  private readonly several: Set<string>;

  constructor(rows: LedgerRows, feedId: string, entries: readonly Entry[]) {
    this.feedId = feedId;
    this.keys = new Map(entries.map((entry) => [entry, keyOf(entry)]));
    this.known = rows.keysAmong([...new Set([...this.keys.values(), ...entries.flatMap(keysAsPurchase)])]);
    this.several = severalOf(this.keys);
    const parts = entries.filter((entry) => this.mayBePart(entry)).map((entry) => this.ownKey(entry));
    if (parts.length > 0) for (const [key, kept] of rows.keysAmong(parts)) this.known.set(key, kept);
  }

  /** Returns the key of a new line and marks it as used; undefined if the line is not new. */
  freshKey(entry: Entry): string | undefined {
    if (this.isThereAsPurchase(entry)) return undefined;
    const key = this.keys.get(entry)!;
    const own = this.mayBePart(entry) ? this.ownKey(entry) : key;
    const [first, kept] = [this.known.get(key), this.known.get(own)];
    const isPart = first && this.isBeside(first, entry, key) && !isForSame(first, entry);
    const fresh = kept ? undefined : first ? (isPart ? own : undefined) : key;
    if (fresh !== undefined) this.known.set(fresh, keyedOf(entry, this.feedId));
    return fresh;
  }

  /**
   * Whether the entry may be a different transaction from the known line `first`, although both have the same number.
   */
  private isBeside(first: Keyed, { type }: Entry, key: string): boolean {
    return first.feed === this.feedId || first.type !== type || this.several.has(key);
  }

  /**
   * Whether the entry conflicts with the known line of its number and must be rejected. If the amounts differ, it
   * conflicts in three cases: it is a refund, both lines are of this feed and for the same product, or they are of
   * different feeds and for different products. If the amounts are equal, it conflicts only if it is a further refund.
   */
  isAnother(entry: Entry): boolean {
    const own = this.mayBePart(entry) ? this.known.get(this.ownKey(entry)) : undefined;
    const kept = own ?? this.known.get(this.keys.get(entry)!);
    if (!kept || this.isThereAsPurchase(entry)) return false;
    if (kept.amount === amountOf(entry)) return isGivenBackAgain(kept, entry);
    return entry.type === "Refund" || (kept.feed === this.feedId) === isForSame(kept, entry);
  }

  /** Whether an earlier release stored this refund as a purchase with a negative amount. */
  private isThereAsPurchase(entry: Entry): boolean {
    const bought: Entry = { ...entry, type: "Purchase" };
    return keysAsPurchase(entry).some((key) => {
      const kept = this.known.get(key);
      return kept?.type === "Purchase" && kept.amount === amountOf(entry) && isForSame(kept, bought);
    });
  }

  /** Whether the entry's number also belongs to a line for another product. */
  private mayBePart(entry: Entry): boolean {
    const key = this.keys.get(entry)!;
    const first = this.known.get(key);
    return (
      entry.externalId !== undefined && (this.several.has(key) || (first !== undefined && !isForSame(first, entry)))
    );
  }

  private ownKey(entry: Entry): string {
    return partKey(this.keys.get(entry)!, partOf(entry));
  }
}

function severalOf(keys: ReadonlyMap<Entry, string>): Set<string> {
  const first = new Map<string, Entry>();
  const several = new Set<string>();
  for (const [entry, key] of keys) {
    const known = first.get(key);
    if (!known) first.set(key, entry);
    else if (partOf(known) !== partOf(entry)) several.add(key);
  }
  return several;
}

/** Returns the keys under which an earlier release may have stored the refund as a purchase. */
function keysAsPurchase(entry: Entry): string[] {
  if (entry.type !== "Refund" || (amountOf(entry) ?? 0) >= 0) return [];
  const bought: Entry = { ...entry, type: "Purchase" };
  const key = keyOf(bought);
  return entry.externalId === undefined ? [key] : [key, partKey(key, partOf(bought))];
}

const isForSame = (kept: Keyed, entry: Entry) => partOfKept(kept) === partOf(entry);

/** Whether the entry is a further refund of the same product: its time differs from that of the known refund. */
function isGivenBackAgain(kept: Keyed, entry: Entry): boolean {
  const moment = momentOf(entry);
  const isThen = kept.moment.startsWith(moment) || moment.startsWith(kept.moment);
  return entry.type === "Refund" && isForSame(kept, entry) && !isThen;
}

const amountOf = ({ gross, net }: Entry): number | null => gross ?? net ?? null;

const keyedOf = (entry: Entry, feed: string): Keyed => ({
  feed,
  type: entry.type,
  amount: amountOf(entry),
  productName: entry.productName ?? null,
  moment: momentOf(entry),
});

const partOfKept = ({ type, productName }: Keyed) => partOf({ type, ...(productName !== null && { productName }) });

const another = ({ externalId }: Entry) => ({
  code: "conflict",
  field: "externalId",
  message: `Another transaction has the number ${externalId} with another amount or time.`,
});
