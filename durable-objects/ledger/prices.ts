import type { Entry } from "../../src/areas/transactions/model.ts";

/** Maximum number of prices per group: the latest are kept. */
const mostPrices = 600;
/** Minimum number of prices to calculate a median. */
const leastPrices = 4;
const scale = 10_000;
const day = 24 * 60 * 60 * 1000;

/** Prices per product, country and week, to detect outliers. */
export class LedgerPrices {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec("create table if not exists price (what text primary key, prices text not null) without rowid");
  }

  /**
   * Adds the prices of new lines. Must be called inside a commit and before these lines are checked for outliers, so
   * that they are also compared with each other.
   */
  add(entries: readonly Entry[]): void {
    const fresh = Map.groupBy(entries.filter(isPriced), groupOf);
    for (const [what, some] of fresh) {
      const prices = [...this.pricesOf(what), ...some.map(({ unitPrice }) => Math.round(unitPrice! * scale))];
      const kept = JSON.stringify(prices.slice(-mostPrices));
      this.sql.exec("insert or replace into price (what, prices) values (?, ?)", what, kept);
    }
  }

  /**
   * Returns the median price of the entry's group; undefined if there are too few prices.
   * @param known cache for one commit
   */
  medianFor(entry: Entry, known: Map<string, number | undefined>): number | undefined {
    if (!isPriced(entry)) return undefined;
    const what = groupOf(entry);
    if (!known.has(what)) {
      const prices = this.pricesOf(what).sort((a, b) => a - b);
      known.set(what, prices.length < leastPrices ? undefined : prices[(prices.length - 1) >> 1]! / scale);
    }
    return known.get(what);
  }

  drop(isGone: (what: string) => boolean): boolean {
    const gone = this.sql
      .exec<{ what: string }>("select what from price")
      .toArray()
      .filter(({ what }) => isGone(what));
    for (const { what } of gone) this.sql.exec("delete from price where what = ?", what);
    return gone.length > 0;
  }

  private pricesOf(what: string): number[] {
    const [row] = this.sql.exec<{ prices: string }>("select prices from price where what = ?", what).toArray();
    return row ? JSON.parse(row.prices) : [];
  }
}

const isPriced = ({ kind, type, unitPrice }: Entry) =>
  (kind === "Fuel" || kind === "AdBlue") && type === "Purchase" && unitPrice !== undefined && unitPrice > 0;

/** Weeks begin on Monday; the first Monday of 1970 was day 4, counted from 0. */
function groupOf({ provider, countryCode, currency, kind, fuel, local }: Entry): string {
  const week = Math.floor((Date.parse(local.slice(0, 10)) / day - 4) / 7);
  return [provider, countryCode, currency, kind, fuel, week].join("|");
}
